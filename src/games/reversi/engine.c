/* How the search sees reversi and othello.
 *
 * Both are one search over two variants. Positions are kept from the mover's point of view,
 * since the rules do not depend on colours. There is no quiescence search: the search ends in
 * the evaluation, or, when the depth left reaches the end of the game, in the solver.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/hash.h"
#include "engine/engine_entry.h"
#include "games/reversi/board.h"
#include "games/reversi/engine_levels.h"
#include "games/reversi/engine_solve.h"
#include "games/reversi/eval.h"
#include "games/reversi/state.h"
#include "games/reversi/variant.h"

enum {
    ALWAYS_SOLVE = 6, /* empty squares */
    ORDER_ANSWER = 400,
    LOPSIDED = 5, /* times as many discs in all as one side has */
    OPENING_DISCS = 8,
    FEW_DISCS = 3,
};

struct reversi_position {
    uint64_t own; /* the mover's discs */
    uint64_t other;
    uint8_t to_move;
    uint8_t variant;
};

#define SEARCH_POSITION struct reversi_position
enum { SEARCH_MAX_MOVES = 64, SEARCH_HISTORY = 2 * 64 };

static const struct search_rules search_rules = {
    .window = 150,
    .reverse_futility = 180,
    .reverse_futility_depth = 4,
    .asks_probes = true,
    .solve_jump = 8,
    SEARCH_TRIAL,
};

#include "engine/search.inc.h"

static inline const struct reversi_variant *variant_of(const SEARCH_POSITION *p)
{
    return &reversi_variants[p->variant];
}

static inline SEARCH_POSITION position_read(const struct state *state, int variant)
{
    struct reversi_state s = reversi_unpack(state);
    return (SEARCH_POSITION){s.discs[s.to_move], s.discs[s.to_move ^ 1], (uint8_t)s.to_move,
                             (uint8_t)variant};
}

static inline struct state position_write(const SEARCH_POSITION *p)
{
    struct reversi_state s = {.to_move = p->to_move};
    s.discs[p->to_move] = p->own;
    s.discs[p->to_move ^ 1] = p->other;
    return reversi_pack(s);
}

static inline uint64_t position_key(const SEARCH_POSITION *p)
{
    return reversi_key(variant_of(p), p->own, p->other);
}

static inline uint64_t position_cycle_key(const SEARCH_POSITION *p)
{
    (void)p;
    return 0;
}

static inline int position_cycle_value(const SEARCH_POSITION *p)
{
    (void)p;
    return 0;
}

static inline uint64_t empty_squares(const SEARCH_POSITION *p)
{
    return variant_empty(variant_of(p), p->own, p->other);
}

static inline int position_final(const SEARCH_POSITION *p)
{
    return 100 * variant_final(variant_of(p), p->own, p->other);
}

static inline bool position_is_over(const SEARCH_POSITION *p, int *value)
{
    if (empty_squares(p)) {
        return false;
    }
    *value = position_final(p);
    return true;
}

/* A side with hardly a disc may be wiped out within a few plies, which no evaluation foresees. */
static inline bool position_is_threatened(const SEARCH_POSITION *p)
{
    int own = bits_count(p->own);
    int other = bits_count(p->other);
    int fewer = own < other ? own : other;
    return own + other > LOPSIDED * fewer || (own + other >= OPENING_DISCS && fewer <= FEW_DISCS);
}

static int position_evaluate(const SEARCH_POSITION *p)
{
    return reversi_evaluate(p->variant == OTHELLO, p->own, p->other);
}

static inline SEARCH_POSITION position_play(const SEARCH_POSITION *p, uint32_t code)
{
    uint64_t flips = board_flips(p->own, p->other, (int)code);
    return (SEARCH_POSITION){p->other ^ flips, p->own ^ flips ^ bits_one((int)code), p->to_move ^ 1,
                             p->variant};
}

static inline bool position_pass(const SEARCH_POSITION *p, SEARCH_POSITION *after)
{
    *after = (SEARCH_POSITION){p->other, p->own, p->to_move ^ 1, p->variant};
    return variant_legal(variant_of(p), p->other, p->own) != 0;
}

/* Moves that leave the other side few answers come first. */
static int position_generate(const SEARCH_POSITION *p, int depth, struct search_move *out)
{
    int count = 0;
    for (uint64_t legal = variant_legal(variant_of(p), p->own, p->other); legal;) {
        uint32_t move = (uint32_t)bits_pop(&legal);
        int order = 0;
        if (depth > 1) {
            SEARCH_POSITION next = position_play(p, move);
            order = -ORDER_ANSWER * bits_count(variant_legal(variant_of(p), next.own, next.other));
        }
        out[count++] = (struct search_move){move, order};
    }
    return count;
}

static int position_generate_noisy(const SEARCH_POSITION *p, struct search_move *out)
{
    (void)p, (void)out;
    return 0;
}

static inline unsigned position_history(const SEARCH_POSITION *p, uint32_t code)
{
    return (unsigned)p->to_move << 6 | code;
}

static inline int position_plies_to_end(const SEARCH_POSITION *p)
{
    return bits_count(empty_squares(p));
}

/* By depth: the probe and how far outside the window it must be in reversi, half to one standard
 * deviation of the difference (tools/reversi_probe.c); in othello twice that. */
static inline struct search_probe position_probe(const SEARCH_POSITION *p, int depth)
{
    static const struct search_probe probes[] = {
        [3] = {1, 185},  [4] = {2, 160},  [5] = {3, 128},  [6] = {2, 193},  [7] = {3, 164},
        [8] = {4, 153},  [9] = {5, 142},  [10] = {4, 175}, [11] = {5, 160}, [12] = {6, 150},
        [13] = {5, 170}, [14] = {6, 165}, [15] = {7, 160}, [16] = {8, 150},
    };
    if (depth >= (int)(sizeof probes / sizeof probes[0])) {
        return (struct search_probe){0};
    }
    struct search_probe probe = probes[depth];
    probe.margin *= p->variant == OTHELLO ? 2 : 1;
    return probe;
}

static inline int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

static inline bool position_solve(struct search_thread *thread, const SEARCH_POSITION *p, int depth,
                                  int alpha, int beta, int *value)
{
    int empty = bits_count(empty_squares(p));
    if (empty > depth && empty > ALWAYS_SOLVE) {
        return false;
    }
    int low = floor_div(alpha, 100);
    int high = -floor_div(-beta, 100);
    *value = 100 * reversi_solve(thread, variant_of(p), p->own, p->other, low, high);
    return true;
}

#define ENTRY(name, rules, table)                                                          \
    {                                                                                      \
        .game = (name), .variant = (rules), .levels = (table), .solving_variant = (rules), \
        .solving_nodes = UINT64_MAX, .worker_bytes = sizeof(struct search_memory),         \
        .search = search_run, .play = search_play                                          \
    }
static const struct engine_entry entries[] = {ENTRY("reversi", REVERSI, reversi_levels),
                                              ENTRY("othello", OTHELLO, othello_levels)};

extern const struct engine_entry *const ENGINE_EXPORT(reversi)[];
const struct engine_entry *const ENGINE_EXPORT(reversi)[] = {&entries[0], &entries[1], NULL};
