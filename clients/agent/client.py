from @CLIENT_NAME@ import GetBoard, SendStep  # with our team's number
