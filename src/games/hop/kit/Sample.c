/* A simple player of hop: it looks at all its moves and takes the one that looks best.
 *
 * Improve GetStep. Black's pieces want to reach columns 6 and 7, White's columns 0 and 1.
 */
#include "STcpClient.h"

#include <stdbool.h>
#include <stdlib.h>

enum { EMPTY = 0, BLACK = 1, WHITE = 2, MAX_SQUARES = 100 };

/* The squares {row, column} that a piece visits, the one it is on first. */
struct path {
    int count;
    int squares[MAX_SQUARES][2];
};

/* What a search for the best move knows. The moving piece is not on the board: the square it left
 * is empty. */
struct search {
    int board[8][8];
    int me;
    struct path path;
    int captures;
    struct path best;
    int best_value;
};

static const int directions[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

/* How far a piece has come: at home (10 points a column) it may still make room (1). */
static int progress(int column, int me)
{
    int forward = me == BLACK ? column : 7 - column;
    return forward == 7 ? 61 : 10 * forward;
}

/* Keeps the path if it is better than the best so far. */
static void consider(struct search *s)
{
    int from = s->path.squares[0][1];
    int to = s->path.squares[s->path.count - 1][1];
    int value = progress(to, s->me) - progress(from, s->me) + 25 * s->captures;
    if (s->best.count == 0 || value > s->best_value) {
        s->best = s->path;
        s->best_value = value;
    }
}

static bool is_empty(const struct search *s, int row, int column)
{
    return 0 <= row && row < 8 && 0 <= column && column < 8 && s->board[row][column] == EMPTY;
}

static bool is_visited(const struct search *s, int row, int column)
{
    for (int i = 0; i < s->path.count; i++) {
        if (s->path.squares[i][0] == row && s->path.squares[i][1] == column) {
            return true;
        }
    }
    return false;
}

static void add_square(struct path *path, int row, int column)
{
    path->squares[path->count][0] = row;
    path->squares[path->count][1] = column;
    path->count++;
}

/* One square up, down, left or right, if it is empty. A step ends the move. */
static void try_steps(struct search *s, int row, int column)
{
    for (int d = 0; d < 4; d++) {
        int to_row = row + directions[d][0], to_column = column + directions[d][1];
        if (is_empty(s, to_row, to_column)) {
            add_square(&s->path, to_row, to_column);
            consider(s);
            s->path.count--;
        }
    }
}

/* Every way to hop on from the last square of the path, once or more often.
 *
 * A hop goes over a neighbouring piece of either colour to the empty square right after it. An
 * enemy piece leaves the board at once, an own one stays.
 *
 * No square is visited twice. That is a rule of hop-noloop; in hop a piece may come back, as long
 * as it hops at most 99 times, and this player just does not think of it. */
static void try_hops(struct search *s, int row, int column)
{
    for (int d = 0; d < 4; d++) {
        int dr = directions[d][0], dc = directions[d][1];
        int to_row = row + 2 * dr, to_column = column + 2 * dc;
        if (!is_empty(s, to_row, to_column) || is_visited(s, to_row, to_column)) {
            continue;
        }
        int *over = &s->board[row + dr][column + dc];
        int piece = *over;
        if (piece == EMPTY) {
            continue;
        }
        bool is_capture = piece != s->me;
        if (is_capture) {
            *over = EMPTY;
        }
        s->captures += is_capture;
        add_square(&s->path, to_row, to_column);
        consider(s);
        try_hops(s, to_row, to_column);
        s->path.count--;
        s->captures -= is_capture;
        *over = piece;
    }
}

/* Your move: writes every square {row, column} that the piece visits, its own one first, and
 * returns how many. board[row][column] is 0 empty, 1 Black, 2 White; is_black tells your colour. */
static int GetStep(int board[8][8], bool is_black, int step[][2])
{
    struct search s = {.me = is_black ? BLACK : WHITE};
    memcpy(s.board, board, sizeof s.board);
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++) {
            if (board[row][column] == s.me) {
                s.board[row][column] = EMPTY;
                add_square(&s.path, row, column);
                try_steps(&s, row, column);
                try_hops(&s, row, column);
                s.path.count = 0;
                s.board[row][column] = s.me;
            }
        }
    }
    memcpy(step, s.best.squares, sizeof s.best.squares);
    return s.best.count;
}

int main(void)
{
    int id_package, board[8][8], step[MAX_SQUARES][2];
    bool is_black;
    while (!GetBoard(&id_package, board, &is_black)) {
        int count = GetStep(board, is_black, step);
        SendStep(id_package, count, step);
    }
}
