/* Sends a move with that many squares, as a wrong GetStep would: wrong_step COUNT */
#include CLIENT

#include <stdlib.h>

int main(int count, char **words)
{
    int step[1][2] = {{0}};
    int board[8][8], id_package;
    bool is_black;
    if (count != 2) {
        return GetBoard(&id_package, board, &is_black);
    }
    SendStep(1, (int)strtol(words[1], NULL, 10), step);
}
