/* A simple player of Reversi: it takes the square that looks best right now.
 *
 * Improve GetStep. The same rules serve Reversi without corners, where the corners are holes, and
 * standard Othello.
 */
#include "STcpClient.h"

#include <algorithm>
#include <random>
#include <vector>

typedef std::vector<std::vector<int>> Board; // board[row][column]

enum { HOLE = -1, EMPTY = 0, BLACK = 1, WHITE = 2 };

static bool IsOnBoard(int row, int column)
{
    return 0 <= row && row < 8 && 0 <= column && column < 8;
}

/* How many of the enemy's discs stand between this square and another disc of ours, in all eight
 * directions. */
static int CountFlips(const Board &board, int row, int column, int me)
{
    int count = 0;
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            int line = 0, r = row + dr, c = column + dc;
            while (IsOnBoard(r, c) && board[r][c] == 3 - me && (dr != 0 || dc != 0)) {
                line++;
                r += dr;
                c += dc;
            }
            if (IsOnBoard(r, c) && board[r][c] == me)
                count += line;
        }
    }
    return count;
}

/* Without corners any empty square of the central 6x6 may be taken; the squares on the border, and
 * in Othello all squares, only if that flips something. */
static bool IsLegal(const Board &board, int row, int column, int me)
{
    bool has_holes = board[0][0] == HOLE;
    bool is_central = 1 <= row && row <= 6 && 1 <= column && column <= 6;
    return board[row][column] == EMPTY &&
           ((has_holes && is_central) || CountFlips(board, row, column, me) > 0);
}

static int Value(const Board &board, const std::vector<int> &square, int me)
{
    int row = square[0], column = square[1];
    int border = (row == 0 || row == 7) + (column == 0 || column == 7); // hard to flip
    return CountFlips(board, row, column, me) + 10 * border;
}

/* Your move: {row, column}. board[row][column] is 0 empty, 1 Black, 2 White, -1 a hole; is_black
 * tells your colour. */
static std::vector<int> GetStep(const Board &board, bool is_black)
{
    static std::mt19937 random(std::random_device{}());
    int me = is_black ? BLACK : WHITE;
    std::vector<std::vector<int>> squares;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (IsLegal(board, row, column, me))
                squares.push_back({row, column});
    std::shuffle(squares.begin(), squares.end(), random);
    std::vector<int> best = {-1, -1};
    int best_value = -1;
    for (const std::vector<int> &square : squares) {
        int value = Value(board, square, me);
        if (value > best_value) {
            best = square;
            best_value = value;
        }
    }
    return best;
}

int main()
{
    int id_package;
    Board board;
    bool is_black;
    while (!GetBoard(id_package, board, is_black))
        SendStep(id_package, GetStep(board, is_black));
}
