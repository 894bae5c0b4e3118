# --- The connection to the judge ---
# GetBoard waits for our turn, SendStep answers it: the names are those of the course's client. A lost connection is made
# again, and the judge then sends the same board once more.

@include @CLIENT@


@include src/games/@KIT@/kit/turns.py


# --- The conversation with the judge ---

def play_games():
    last_turn, answer = None, []
    while True:
        stop_program, id_package, board, is_black = GetBoard()
        if stop_program:
            break
        if (id_package, board) != last_turn:
            state = read_turn(id_package, board, is_black)
            move, next_state = think(state, TIME_LIMIT * TIME_SHARE)
            end_turn(state, move, next_state)
            answer = [] if move == PASS else [divmod(square, COLUMNS) for square in move]
            last_turn = id_package, board
        SendStep(id_package, answer)
