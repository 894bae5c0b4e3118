#include "greedy.h"

#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "games/reversi/board.h"
#include "games/reversi/state.h"
#include "games/reversi/variant.h"

static int greedy_value(const struct reversi_variant *v, uint64_t own, uint64_t other, int plies,
                        int alpha, int beta)
{
    uint64_t legal = plies > 0 ? variant_legal(v, own, other) : 0;
    if (!legal) {
        return bits_count(own) - bits_count(other);
    }
    while (legal && alpha < beta) {
        int square = bits_pop(&legal);
        uint64_t flips = board_flips(own, other, square);
        int value = -greedy_value(v, other ^ flips, own ^ flips ^ bits_one(square), plies - 1,
                                  -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

struct move greedy_move(const struct game *game, const struct state *state, int plies,
                        struct rng *rng)
{
    static const struct reversi_variant bare = {0};
    bool is_reversi = strcmp(game->name, "reversi") == 0;
    const struct reversi_variant *variant = is_reversi ? &reversi_variants[REVERSI] : &bare;
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    struct move best = moves[0];
    int most = -2 * REVERSI_SQUARES;
    size_t first = rng_below(rng, count);
    for (size_t i = 0; i < count; i++) {
        struct state next = *state;
        const struct move *move = &moves[(first + i) % count];
        (void)!game->apply(&next, move, NULL);
        struct reversi_state s = reversi_unpack(&next);
        int value = -greedy_value(variant, s.discs[s.to_move], s.discs[s.to_move ^ 1], plies - 1,
                                  -2 * REVERSI_SQUARES, -most);
        if (value > most) {
            most = value;
            best = *move;
        }
    }
    return best;
}
