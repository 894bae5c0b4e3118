/* A simple player of Reversi: it takes the square that looks best right now.
 *
 * Improve GetStep. The same rules serve Reversi without corners, where the corners are holes, and
 * standard Othello.
 */
#include "STcpClient.h"

#include <stdbool.h>

enum { HOLE = -1, EMPTY = 0, BLACK = 1, WHITE = 2 };

static bool is_on_board(int row, int column)
{
    return 0 <= row && row < 8 && 0 <= column && column < 8;
}

/* How many of the enemy's discs stand between this square and another disc of ours, in one
 * direction. */
static int count_line(int board[8][8], int row, int column, int dr, int dc, int me)
{
    int count = 0;
    int r = row + dr, c = column + dc;
    while (is_on_board(r, c) && board[r][c] == 3 - me) {
        count++;
        r += dr;
        c += dc;
    }
    return is_on_board(r, c) && board[r][c] == me ? count : 0;
}

static int count_flips(int board[8][8], int row, int column, int me)
{
    int count = 0;
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            if (dr != 0 || dc != 0) {
                count += count_line(board, row, column, dr, dc, me);
            }
        }
    }
    return count;
}

/* Without corners any empty square of the central 6x6 may be taken; the squares on the border, and
 * in Othello all squares, only if that flips something. */
static bool is_legal(int board[8][8], int row, int column, int me)
{
    bool has_holes = board[0][0] == HOLE;
    bool is_central = 1 <= row && row <= 6 && 1 <= column && column <= 6;
    return board[row][column] == EMPTY &&
           ((has_holes && is_central) || count_flips(board, row, column, me) > 0);
}

static int value_of(int board[8][8], int row, int column, int me)
{
    int border = (row == 0 || row == 7) + (column == 0 || column == 7); /* hard to flip */
    return count_flips(board, row, column, me) + 10 * border;
}

/* Your move: writes one square {row, column} and returns 1. board[row][column] is 0 empty, 1
 * Black, 2 White, -1 a hole; is_black tells your colour. */
static int GetStep(int board[8][8], bool is_black, int step[][2])
{
    int me = is_black ? BLACK : WHITE;
    int best_value = -1;
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++) {
            int value = is_legal(board, row, column, me) ? value_of(board, row, column, me) : -1;
            if (value > best_value) {
                best_value = value;
                step[0][0] = row;
                step[0][1] = column;
            }
        }
    }
    return 1;
}

int main(void)
{
    int id_package, board[8][8], step[1][2] = {{0}};
    bool is_black;
    while (!GetBoard(&id_package, board, &is_black)) {
        int count = GetStep(board, is_black, step);
        SendStep(id_package, count, step);
    }
}
