/* How the search sees hop.
 *
 * A move of the search is a result: from, to and the set of captured men. The table's key
 * leaves the move counter out as long as the limit is far away, so that the same board
 * reached earlier and later is one position; near the limit every move matters and the
 * counter is part of it. Far from the limit a position that comes back in the tree is
 * worth what the board would score now: the side that is ahead may repeat positions, the
 * other one must not.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/hash.h"
#include "engine/engine_entry.h"
#include "games/hop/board.h"
#include "games/hop/eval.h"
#include "games/hop/engine_levels.h"
#include "games/hop/engine_race.h"
#include "games/hop/state.h"

enum {
    LIMIT_IS_NEAR_PLIES = 40,
    LIMIT_IS_NEAR_PLIES_OF_FEW = 100,
    FEW_MEN = 4,
    ORDER_CAPTURE = 1000,
    ORDER_FINISH = 100000,
    ORDER_COLUMN = 40,
    CYCLE_LEAD = 150,

    NOLOOP = 0, /* variants, one bit for each difference */
    LOOPS = 1,
    SOLVING = 2,
    SOLVING_NODES = 100 * 1000 * 1000,
};

struct hop_position {
    struct hop_state board;
    bool allow_loops;
    bool is_solving; /* the end is worth the difference in men at home, not only a win or a loss */
    struct hop_sums sums;
};

#define SEARCH_POSITION struct hop_position
enum { SEARCH_MAX_MOVES = HOP_MAX_MOVES, SEARCH_HISTORY = 2 * 64 * 64 };

static const struct search_rules search_rules = {
    .window = 30,
    .reverse_futility = 60,
    .reverse_futility_depth = 5,
    .futility = 60,
    .futility_depth = 3,
    .reduction_after = 3,
    .reduction_percent = 120,
    .late_move_depth = 3,
    .late_move_base = 6,
    .late_move_factor = 2,
    .follows_noise = true,
    SEARCH_TRIAL,
};

#include "engine/search.inc.h"

static inline SEARCH_POSITION position_read(const struct state *state, int variant)
{
    struct hop_position p = {hop_unpack(state), variant & LOOPS, variant & SOLVING, {{{0}}}};
    hop_sums_make(&p.board, &p.sums);
    return p;
}

static inline struct state position_write(const SEARCH_POSITION *p) { return hop_pack(p->board); }

static inline int plies_left(const SEARCH_POSITION *p)
{
    return HOP_PLY_LIMIT - (int)p->board.plies;
}

/* Every single move counts: with few men on the board the search sees far. */
static inline bool is_limit_near(const SEARCH_POSITION *p)
{
    int men = bits_count(p->board.men[0] | p->board.men[1]);
    return p->is_solving ||
           plies_left(p) <= (men <= FEW_MEN ? LIMIT_IS_NEAR_PLIES_OF_FEW : LIMIT_IS_NEAR_PLIES);
}

static inline uint64_t board_key(const SEARCH_POSITION *p)
{
    uint64_t key = hash_pair(p->board.men[0], p->board.men[1]);
    return p->board.plies & 1 ? ~key : key;
}

static inline uint64_t position_key(const SEARCH_POSITION *p)
{
    uint64_t key = is_limit_near(p) ? board_key(p) ^ hash_word(p->board.plies) : board_key(p);
    return p->is_solving ? hash_word(key) : key;
}

static inline uint64_t position_cycle_key(const SEARCH_POSITION *p)
{
    return is_limit_near(p) ? 0 : board_key(p);
}

static inline uint64_t target(uint64_t side)
{
    return side == SIDE_BLACK ? HOP_BLACK_TARGET : HOP_WHITE_TARGET;
}

/* How many more men the side to move has at home. */
static inline int lead(const SEARCH_POSITION *p)
{
    uint64_t side = p->board.plies & 1;
    return bits_count(p->board.men[side] & target(side)) -
           bits_count(p->board.men[side ^ 1] & target(side ^ 1));
}

static inline int position_cycle_value(const SEARCH_POSITION *p) { return CYCLE_LEAD * lead(p); }

static inline int position_final(const SEARCH_POSITION *p)
{
    int ahead = lead(p);
    if (p->is_solving) {
        return 100 * ahead;
    }
    return ahead > 0 ? SEARCH_WIN : ahead < 0 ? -SEARCH_WIN : 0;
}

static inline bool all_home(const SEARCH_POSITION *p, uint64_t side)
{
    uint64_t men = p->board.men[side];
    return men && !(men & ~target(side));
}

/* Whether a race is decided. */
static inline bool is_race_over(const SEARCH_POSITION *p, int *value)
{
    if (p->is_solving || hop_race_gap(&p->board) < 1) {
        return false;
    }
    unsigned side = p->board.plies & 1;
    int plies = hop_race(&p->board, side);
    *value = SEARCH_WIN - plies;
    if (!plies) {
        plies = hop_race(&p->board, side ^ 1);
        *value = plies - SEARCH_WIN;
    }
    return plies != 0;
}

static inline bool position_is_over(const SEARCH_POSITION *p, int *value)
{
    if (plies_left(p) > 0 && !all_home(p, SIDE_BLACK) && !all_home(p, SIDE_WHITE)) {
        return is_race_over(p, value);
    }
    *value = position_final(p);
    return true;
}

static inline bool position_is_threatened(const SEARCH_POSITION *p)
{
    (void)p;
    return false;
}

static int position_evaluate(const SEARCH_POSITION *p) { return hop_evaluate(&p->board, &p->sums); }

static inline uint32_t encode(struct hop_move move)
{
    return move.from | (uint32_t)move.to << 6 | (uint32_t)move.captured << 12;
}

static inline struct hop_move decode(uint32_t code)
{
    return (struct hop_move){code & 63, code >> 6 & 63, (uint16_t)(code >> 12)};
}

/* Captures, and the move that brings the last man home, change the balance; the others
 * are better the farther they lead. */
static inline int32_t order_of(const SEARCH_POSITION *p, struct hop_move move)
{
    uint64_t side = p->board.plies & 1;
    int columns = (move.to & 7) - (move.from & 7);
    int order = ORDER_COLUMN * (side == SIDE_BLACK ? columns : -columns);
    uint64_t away = p->board.men[side] & ~target(side);
    if (away == bits_one(move.from) && bits_one(move.to) & target(side)) {
        order += SEARCH_NOISY + ORDER_FINISH;
    }
    if (move.captured) {
        order += SEARCH_NOISY + ORDER_CAPTURE * bits_count(move.captured);
    }
    return order;
}

/* Not inlined: the generator's scratch space must not stay on the stack of a deep search. */
static __attribute__((noinline)) int position_generate(const SEARCH_POSITION *p, int depth,
                                                       struct search_move *out)
{
    (void)depth;
    struct hop_move moves[HOP_MAX_MOVES];
    uint64_t side = p->board.plies & 1;
    int count = hop_generate(p->allow_loops, p->board.men[side], p->board.men[side ^ 1], moves);
    for (int i = 0; i < count; i++) {
        out[i] = (struct search_move){encode(moves[i]), order_of(p, moves[i])};
    }
    return count;
}

/* Squares from which a man can hop over an enemy right away. */
static inline uint64_t takeoffs(uint64_t enemy, uint64_t empty)
{
    uint64_t right = ((empty & HOP_COLUMNS_2_TO_7) >> 1 & enemy) >> 1;
    uint64_t left = ((empty & HOP_COLUMNS_0_TO_5) << 1 & enemy) << 1;
    return right | left | (empty >> 8 & enemy) >> 8 | (empty << 8 & enemy) << 8;
}

static inline int add_captures(const SEARCH_POSITION *p, const struct hop_reach *reach, int from,
                               struct search_move *out, int count)
{
    uint64_t enemy = p->board.men[~p->board.plies & 1];
    for (int i = 1; i < reach->count; i++) {
        uint16_t captured = hop_compress(enemy, reach->sets[i].captured);
        for (uint64_t squares = reach->sets[i].squares; squares;) {
            struct hop_move move = {(uint8_t)from, (uint8_t)bits_pop(&squares), captured};
            out[count++] = (struct search_move){encode(move), order_of(p, move)};
        }
    }
    return count;
}

/* The last man's ways home without a capture. */
static inline int add_finishes(const SEARCH_POSITION *p, struct search_move *out, int count)
{
    uint64_t side = p->board.plies & 1;
    uint64_t own = p->board.men[side];
    uint64_t away = own & ~target(side);
    if (!away || away & (away - 1)) {
        return count;
    }
    uint64_t empty = ~(own | p->board.men[side ^ 1]);
    uint64_t steps[4];
    hop_steps(away, empty, steps);
    uint64_t landings = steps[0] | steps[1] | steps[2] | steps[3];
    landings |= hop_close(away, own ^ away, empty | away);
    for (landings &= target(side); landings;) {
        struct hop_move move = {(uint8_t)bits_lowest(away), (uint8_t)bits_pop(&landings), 0};
        out[count++] = (struct search_move){encode(move), order_of(p, move)};
    }
    return count;
}

static __attribute__((noinline)) int position_generate_noisy(const SEARCH_POSITION *p,
                                                             struct search_move *out)
{
    uint64_t side = p->board.plies & 1;
    uint64_t own = p->board.men[side];
    uint64_t enemy = p->board.men[side ^ 1];
    uint64_t empty = ~(own | enemy);
    int count = add_finishes(p, out, 0);
    struct hop_reach reach;
    for (uint64_t men = hop_starters(own, own | enemy, empty); men;) {
        uint64_t man = men & (0 - men);
        men ^= man;
        uint64_t free_squares = empty | man;
        if (takeoffs(enemy, free_squares) & hop_close(man, own ^ man, free_squares)) {
            hop_reach_from(&reach, p->allow_loops, own, enemy, bits_lowest(man));
            count = add_captures(p, &reach, bits_lowest(man), out, count);
        }
    }
    return count;
}

static inline SEARCH_POSITION position_play(const SEARCH_POSITION *p, uint32_t code)
{
    struct hop_move move = decode(code);
    SEARCH_POSITION next = *p;
    uint64_t side = p->board.plies & 1;
    next.board.men[side] ^= bits_one(move.from);
    next.board.men[side] |= bits_one(move.to);
    next.board.men[side ^ 1] ^= hop_expand(p->board.men[side ^ 1], move.captured);
    next.board.plies++;
    hop_sums_follow(&p->board, &next.board, &next.sums);
    return next;
}

static inline bool position_pass(const SEARCH_POSITION *p, SEARCH_POSITION *after)
{
    *after = *p;
    after->board.plies++;
    hop_sums_follow(&p->board, &after->board, &after->sums);
    return true;
}

static inline unsigned position_history(const SEARCH_POSITION *p, uint32_t code)
{
    return (unsigned)(p->board.plies & 1) << 12 | (code & 0xfff);
}

static inline int position_plies_to_end(const SEARCH_POSITION *p)
{
    return is_limit_near(p) ? plies_left(p) : SEARCH_INFINITY;
}

static inline struct search_probe position_probe(const SEARCH_POSITION *p, int depth)
{
    (void)p, (void)depth;
    return (struct search_probe){0};
}

/* A side cannot bring home more men than it has. */
static inline bool position_solve(struct search_thread *thread, const SEARCH_POSITION *p, int depth,
                                  int alpha, int beta, int *value)
{
    (void)thread, (void)depth;
    uint64_t side = p->board.plies & 1;
    int most = 100 * bits_count(p->board.men[side]);
    int least = -100 * bits_count(p->board.men[side ^ 1]);
    *value = most <= alpha ? most : least;
    return p->is_solving && (most <= alpha || least >= beta);
}

/* Without the end in reach nothing is ever proved. */
static bool can_solve(const struct state *state)
{
    return HOP_PLY_LIMIT - hop_unpack(state).plies < SEARCH_MAX_PLY;
}

#define ENTRY(name, rules)                                                                      \
    {                                                                                           \
        .game = (name), .variant = (rules), .solving_variant = (rules) | SOLVING,               \
        .levels = hop_levels, .solving_nodes = SOLVING_NODES, .can_solve = can_solve,           \
        .worker_bytes = sizeof(struct search_memory), .search = search_run, .play = search_play \
    }
static const struct engine_entry entries[] = {ENTRY("hop", LOOPS), ENTRY("hop-noloop", NOLOOP)};

extern const struct engine_entry *const ENGINE_EXPORT(hop)[];
const struct engine_entry *const ENGINE_EXPORT(hop)[] = {&entries[0], &entries[1], NULL};
