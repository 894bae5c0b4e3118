/* A simple player of hop: it looks at all its moves and takes the one that looks best.
 *
 * Improve GetStep. Black's pieces want to reach columns 6 and 7, White's columns 0 and 1.
 */
#include "STcpClient.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

typedef std::vector<std::vector<int>> Board; // board[row][column]
typedef std::vector<std::vector<int>> Path;  // the squares {row, column} that a piece visits

enum { EMPTY = 0, BLACK = 1, WHITE = 2 };

static const int DIRECTIONS[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static bool IsEmpty(const Board &board, int row, int column)
{
    return 0 <= row && row < 8 && 0 <= column && column < 8 && board[row][column] == EMPTY;
}

/* One square up, down, left or right, if it is empty. A step ends the move. */
static void AddSteps(const Board &board, int row, int column, std::vector<Path> &moves)
{
    for (const int *d : DIRECTIONS)
        if (IsEmpty(board, row + d[0], column + d[1]))
            moves.push_back({{row, column}, {row + d[0], column + d[1]}});
}

/* Every way to hop on from the last square of `path`, once or more often.
 *
 * A hop goes over a neighbouring piece of either colour to the empty square right after it. An
 * enemy piece leaves the board at once, an own one stays. The moving piece is not on `board`: the
 * square it left is empty.
 *
 * No square is visited twice. That is a rule of hop-noloop; in hop a piece may come back, as long
 * as it hops at most 99 times, and this player just does not think of it. */
static void AddHops(Board &board, Path &path, int enemy, std::vector<Path> &moves)
{
    int row = path.back()[0], column = path.back()[1];
    for (const int *d : DIRECTIONS) {
        std::vector<int> target = {row + 2 * d[0], column + 2 * d[1]};
        bool is_visited = std::find(path.begin(), path.end(), target) != path.end();
        if (!IsEmpty(board, target[0], target[1]) || is_visited)
            continue;
        int &over = board[row + d[0]][column + d[1]];
        int piece = over;
        if (piece == EMPTY)
            continue;
        if (piece == enemy)
            over = EMPTY;
        path.push_back(target);
        moves.push_back(path);
        AddHops(board, path, enemy, moves);
        path.pop_back();
        over = piece;
    }
}

/* Every move as the squares that the piece visits, the one it is on first. */
static std::vector<Path> AllMoves(Board board, int me)
{
    std::vector<Path> moves;
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++) {
            if (board[row][column] != me)
                continue;
            AddSteps(board, row, column, moves);
            Path path = {{row, column}};
            board[row][column] = EMPTY;
            AddHops(board, path, 3 - me, moves);
            board[row][column] = me;
        }
    }
    return moves;
}

/* How many enemy pieces the path hops over. */
static int Captures(const Board &board, const Path &path, int enemy)
{
    int count = 0;
    for (size_t i = 0; i + 1 < path.size(); i++) {
        int dr = path[i + 1][0] - path[i][0], dc = path[i + 1][1] - path[i][1];
        if (std::abs(dr) + std::abs(dc) == 2)
            count += board[path[i][0] + dr / 2][path[i][1] + dc / 2] == enemy;
    }
    return count;
}

/* How far a piece has come: at home (10 points a column) it may still make room (1). */
static int Progress(int column, int me)
{
    int forward = me == BLACK ? column : 7 - column;
    return 10 * std::min(forward, 6) + (forward == 7);
}

static int Value(const Board &board, const Path &path, int me)
{
    return Progress(path.back()[1], me) - Progress(path.front()[1], me) +
           25 * Captures(board, path, 3 - me);
}

/* Your move: every square {row, column} that the piece visits, its own one first.
 * board[row][column] is 0 empty, 1 Black, 2 White; is_black tells your colour. */
static Path GetStep(const Board &board, bool is_black)
{
    static std::mt19937 random(std::random_device{}());
    int me = is_black ? BLACK : WHITE;
    std::vector<Path> moves = AllMoves(board, me);
    std::shuffle(moves.begin(), moves.end(), random);
    Path best;
    for (const Path &path : moves)
        if (best.empty() || Value(board, path, me) > Value(board, best, me))
            best = path;
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
