#include "@CLIENT_NAME@.h" // with our team's number
