#include "player/pace.h"

#include <stdlib.h>

/* What speaks against a move; a higher weight outweighs all lower ones together. */
enum {
    ENDS_GAME = 1 << 18,
    LETS_END = 1 << 17,   /* the opponent can end the game at once */
    LETS_FORCE = 1 << 16, /* it can threaten to, and nothing helps */
    TAKES_LAST = 1 << 14, /* a capture that leaves the opponent too little to play with */
    LETS_CAPTURE = 1 << 13,
    SPARES = 1 << 11, /* no capture, although the opponent has more than it needs */
    OPENS = 1 << 8,   /* removes an own barrier */
    LONGEST = OPENS - 1,
    ENOUGH_PIECES = 3, /* of the opponent: a flag and two soldiers play to the end of a budget */
};

/* Pieces other than barriers: those that move, and the flag. */
static int count_pieces(const struct game *game, const struct state *state, enum side side)
{
    int count = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        struct cell cell = game->cell(state, square);
        bool is_piece =
            cell.piece != PIECE_NONE && cell.piece != PIECE_HOLE && cell.piece != PIECE_BARRIER;
        count += is_piece && cell.side == side;
    }
    return count;
}

static int length_of(const struct game *game, const struct move *move)
{
    int length = 0;
    for (int i = 1; i < move->count; i++) {
        int a = move->squares[i - 1];
        int b = move->squares[i];
        length +=
            abs(a / game->columns - b / game->columns) + abs(a % game->columns - b % game->columns);
    }
    return length;
}

/* Whether the side to move can end the game with one move. */
static bool can_end(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    for (size_t i = 0; i < count; i++) {
        struct state after = *state;
        if (moves[i].kind != MOVE_PASS && !game->apply(&after, &moves[i], NULL) &&
            game_is_over(game, &after)) {
            return true;
        }
    }
    return false;
}

/* Whether every move of the side to move lets the other one end the game. */
static bool is_trapped(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    for (size_t i = 0; i < count; i++) {
        struct state after = *state;
        if (!game->apply(&after, &moves[i], NULL) && !can_end(game, &after)) {
            return false;
        }
    }
    return count > 0;
}

/* What the best reply would do to `side`. */
static int cost_of_replies(const struct game *game, const struct state *state, enum side side)
{
    struct move replies[GAME_MAX_MOVES];
    size_t count = game->moves(state, replies);
    int before = count_pieces(game, state, side);
    int cost = 0;
    if (can_end(game, state)) {
        return LETS_END;
    }
    for (size_t i = 0; i < count && cost < LETS_FORCE; i++) {
        struct state after = *state;
        if (game->apply(&after, &replies[i], NULL)) {
            continue;
        }
        if (is_trapped(game, &after)) {
            cost = LETS_FORCE;
        } else if (count_pieces(game, &after, side) < before) {
            cost = LETS_CAPTURE;
        }
    }
    return cost;
}

static int cost_of(enum pace pace, const struct game *game, const struct state *state,
                   const struct move *move)
{
    enum side side = game->to_move(state);
    enum side other = side_other(side);
    struct state after = *state;
    int length = length_of(game, move);
    int cost = pace == PACE_SLOW ? length : LONGEST - length;
    if (game->apply(&after, move, NULL) || game_is_over(game, &after)) {
        return cost + ENDS_GAME;
    }
    struct cell target = game->cell(state, move->squares[move->count ? move->count - 1 : 0]);
    if (target.piece == PIECE_BARRIER && target.side == side) {
        cost += OPENS;
    }
    int before = count_pieces(game, state, other);
    bool captures = count_pieces(game, &after, other) < before;
    if (captures && before <= ENOUGH_PIECES) {
        cost += TAKES_LAST;
    } else if (!captures && before > ENOUGH_PIECES) {
        cost += SPARES;
    }
    return cost + cost_of_replies(game, &after, side);
}

struct move pace_move(enum pace pace, const struct game *game, const struct state *state,
                      struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    size_t ties = 0;
    int least = 0;
    struct move best = moves[0];
    if (pace == PACE_ANY) {
        return moves[rng_below(rng, count)];
    }
    for (size_t i = 0; i < count; i++) {
        int cost = cost_of(pace, game, state, &moves[i]);
        if (i == 0 || cost < least) {
            least = cost;
            best = moves[i];
            ties = 1;
        } else if (cost == least && rng_below(rng, ++ties) == 0) {
            best = moves[i];
        }
    }
    return best;
}
