/* The first legal square of Reversi without corners, found as slowly as possible.  成功 */
#pragma once
#include <Windows.h>

inline bool Flips(int board[8][8], int row, int col, int dr, int dc, int me)
{
    int r = row + dr, c = col + dc, n = 0;
    while (min(r, c) >= 0 && max(r, c) < 8L && board[r][c] == 3 - me)
        r += dr, c += dc, n++;
    return n > 0 && min(r, c) >= 0 && max(r, c) < 8 && board[r][c] == me;
}

inline void FirstLegal(int board[8][8], bool is_black, int &row, int &col)
{
    for (row = 0; row < 8; row++)
        for (col = 0; col < 8; col++) {
            if (board[row][col] != 0)
                continue;
            if (row > 0 && row < 7 && col > 0 && col < 7)
                return;
            for (int d = 0; d < 9; d++)
                if (Flips(board, row, col, d / 3 - 1, d % 3 - 1, is_black ? 1 : 2))
                    return;
        }
}
