#include "cli/sensible.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

enum { WIN = 1000000, SCORE = 1000, CHANCE = 6 };

static int row_of(const struct game *game, int square) { return square / game->columns; }
static int column_of(const struct game *game, int square) { return square % game->columns; }

static int distance(const struct game *game, int a, int b)
{
    return abs(row_of(game, a) - row_of(game, b)) + abs(column_of(game, a) - column_of(game, b));
}

static bool is_goal(const struct game *game, const struct state *state, enum side side, int square)
{
    if (game->zone) {
        return game->zone(square) == (side == SIDE_BLACK ? ZONE_BLACK : ZONE_WHITE);
    }
    struct cell cell = game->cell(state, square);
    return cell.piece == PIECE_FLAG && cell.side != side;
}

static int goal_distance(const struct game *game, const struct state *state, enum side side,
                         int square)
{
    int nearest = game->rows + game->columns;
    for (int goal = 0; goal < game->rows * game->columns; goal++) {
        if (is_goal(game, state, side, goal) && distance(game, square, goal) < nearest) {
            nearest = distance(game, square, goal);
        }
    }
    return nearest;
}

static bool is_border(const struct game *game, int square)
{
    int row = row_of(game, square);
    int column = column_of(game, square);
    return row == 0 || column == 0 || row == game->rows - 1 || column == game->columns - 1;
}

static int worth(const struct game *game, const struct state *state, struct cell cell, int square)
{
    switch ((enum piece)cell.piece) {
    case PIECE_MAN:
        return 60 - 5 * goal_distance(game, state, cell.side, square);
    case PIECE_SOLDIER:
        return 300 - 6 * goal_distance(game, state, cell.side, square);
    case PIECE_DISC:
        return is_border(game, square) ? 12 : 3;
    case PIECE_BARRIER:
        return 10;
    default:
        return 0;
    }
}

/* Of a position in the eyes of `side`. */
static int value(const struct game *game, const struct state *state, enum side side)
{
    struct result result = game->result(state);
    if (result.outcome != OUTCOME_ONGOING) {
        enum outcome won = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        int sign = result.outcome == won ? 1 : -1;
        int margin = result.score[side] - result.score[side_other(side)];
        return (result.outcome == OUTCOME_DRAW ? 0 : sign * WIN) + SCORE * margin;
    }
    int total = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        struct cell cell = game->cell(state, square);
        int share = worth(game, state, cell, square);
        total += cell.side == side ? share : -share;
    }
    return total;
}

static struct state after(const struct game *game, const struct state *state,
                          const struct move *move)
{
    struct state next = *state;
    enum err err = game->apply(&next, move, NULL);
    assert(!err);
    (void)err;
    return next;
}

/* The least that `side` is left with after the other's answer. */
static int value_after_answer(const struct game *game, const struct state *state, enum side side)
{
    struct move answers[GAME_MAX_MOVES];
    size_t count = game->moves(state, answers);
    int least = count ? INT_MAX : value(game, state, side);
    for (size_t i = 0; i < count; i++) {
        struct state next = after(game, state, &answers[i]);
        int left = value(game, &next, side);
        least = left < least ? left : least;
    }
    return least;
}

struct move sensible_choose(const struct game *game, const struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    enum side side = game->to_move(state);
    size_t best = 0;
    int best_value = INT_MIN;
    assert(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct state next = after(game, state, &moves[i]);
        int found = value_after_answer(game, &next, side) + (int)rng_below(rng, CHANCE);
        if (found > best_value) {
            best = i;
            best_value = found;
        }
    }
    return moves[best];
}
