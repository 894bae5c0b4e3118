#include "sparring.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "game/look.h"

enum { WIN = 1000000, INFINITE = 2 * WIN, MAX_DEPTH = 60, NODES_BETWEEN_CHECKS = 1024 };

struct sparring {
    const struct game *game;
    uint64_t nodes_left;
    int64_t deadline_ns;
};

/* The value of the pieces and what the board would score now, for the side to move. */
static int material(const struct game *game, const struct state *state)
{
    static const int worth[] = {[ROLE_MAN] = 100, [ROLE_WALL] = 10, [ROLE_GOAL] = 0};
    enum side side = game->to_move(state);
    struct result result = game->result(state);
    int sum = 50 * (result.score[side] - result.score[side_other(side)]);
    for (int square = 0; square < game->rows * game->columns; square++) {
        struct cell cell = game->cell(state, square);
        int value = worth[look_piece(game, cell.piece)->role];
        sum += cell.side == side ? value : cell.side == side_other(side) ? -value : 0;
    }
    return sum;
}

static int final_value(const struct game *game, const struct state *state, int ply)
{
    struct result result = game->result(state);
    enum side side = game->to_move(state);
    if (result.outcome == OUTCOME_DRAW) {
        return 0;
    }
    bool has_won = (result.outcome == OUTCOME_BLACK) == (side == SIDE_BLACK);
    return has_won ? WIN - ply : ply - WIN;
}

/* Meaningless once no nodes are left. */
static int alphabeta(struct sparring *s, const struct state *state, int alpha, int beta, int depth,
                     int ply)
{
    if (s->nodes_left == 0) {
        return 0;
    }
    s->nodes_left--;
    if (s->nodes_left % NODES_BETWEEN_CHECKS == 0 && clock_now_ns() >= s->deadline_ns) {
        s->nodes_left = 0;
        return 0;
    }
    if (game_is_over(s->game, state)) {
        return final_value(s->game, state, ply);
    }
    if (depth == 0) {
        return material(s->game, state);
    }
    struct move moves[GAME_MAX_MOVES];
    size_t count = s->game->moves(state, moves);
    for (size_t i = 0; i < count && alpha < beta; i++) {
        struct state next = *state;
        (void)!s->game->apply(&next, &moves[i], NULL);
        int score = -alphabeta(s, &next, -beta, -alpha, depth - 1, ply + 1);
        alpha = score > alpha ? score : alpha;
    }
    return alpha;
}

/* The best move at this depth; false when the nodes ran out before it was found. */
static bool search_depth(struct sparring *s, const struct state *state, int depth,
                         struct move *best)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = s->game->moves(state, moves);
    int alpha = -INFINITE;
    struct move found = moves[0];
    for (size_t i = 0; i < count; i++) {
        struct state next = *state;
        (void)!s->game->apply(&next, &moves[i], NULL);
        int score = -alphabeta(s, &next, -INFINITE, -alpha, depth - 1, 1);
        if (s->nodes_left == 0) {
            return false;
        }
        if (score > alpha) {
            alpha = score;
            found = moves[i];
        }
    }
    *best = found;
    return true;
}

struct move sparring_move(const struct game *game, const struct state *state, uint64_t nodes,
                          int64_t deadline_ns)
{
    struct sparring s = {game, nodes, deadline_ns};
    struct move moves[GAME_MAX_MOVES];
    (void)game->moves(state, moves);
    struct move best = moves[0];
    for (int depth = 1; depth <= MAX_DEPTH && search_depth(&s, state, depth, &best); depth++) {
    }
    return best;
}
