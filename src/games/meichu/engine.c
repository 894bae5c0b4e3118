/* How the search sees MeiChu.
 *
 * A flag that can be taken next is a check: the side to move must answer, and the search
 * goes one ply deeper. Captures of soldiers and of the flag change the balance and are
 * followed to the end; barriers are not worth it. No position can come back, because
 * every move costs money.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "engine/engine_entry.h"
#include "games/meichu/board.h"
#include "games/meichu/engine_levels.h"
#include "games/meichu/eval.h"
#include "games/meichu/state.h"

enum {
    CHEAPEST_MOVE = 2,
    ORDER_FLAG = 1 << 16,
    ORDER_SOLDIER = 1 << 12,
    ORDER_COIN = 30,
    ORDER_NEARER = 60,
    SOLVING_NODES = 100 * 1000 * 1000,
};

struct meichu_position {
    struct meichu_state board;
    struct meichu_sums sums;
};

#define SEARCH_POSITION struct meichu_position
enum { SEARCH_MAX_MOVES = MEICHU_MAX_MOVES, SEARCH_HISTORY = 2 << 14 };

static const struct search_rules search_rules = {
    .window = 30,
    .reverse_futility = 70,
    .reverse_futility_depth = 4,
    .reduction_after = 3,
    .reduction_percent = 90,
    .late_move_depth = 3,
    .late_move_base = 4,
    .late_move_factor = 1,
    .asks_trend = true,
    .extends_threats = true,
    .follows_noise = true,
    SEARCH_TRIAL,
};

#include "engine/search.inc.h"

static inline SEARCH_POSITION position_read(const struct state *state, int variant)
{
    (void)variant;
    struct meichu_position p = {.board = meichu_unpack(state)};
    meichu_sums_make(&p.board, &p.sums);
    return p;
}

static inline struct state position_write(const SEARCH_POSITION *p)
{
    return meichu_pack(p->board);
}

static inline uint64_t position_key(const SEARCH_POSITION *p)
{
    /* The rows are the first fields of the state and contain the place of every piece. */
    uint64_t words[4 * MEICHU_LINE * sizeof(uint16_t) / sizeof(uint64_t)];
    memcpy(words, &p->board, sizeof words);
    uint64_t rest = (uint64_t)(uint16_t)p->board.budget[0] |
                    (uint64_t)(uint16_t)p->board.budget[1] << 16 |
                    (uint64_t)p->board.flag[0] << 32 | (uint64_t)p->board.flag[1] << 40 |
                    (uint64_t)p->board.to_move << 48;
    uint64_t first = hash_pair(words[0] ^ rest, words[1]) ^ hash_pair(words[2], words[3] ^ rest);
    uint64_t second = hash_pair(words[4] ^ rest, words[5]) ^ hash_pair(words[6], words[7] ^ rest);
    return hash_pair(first ^ words[8], second + rest);
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

static inline int position_final(const SEARCH_POSITION *p)
{
    int side = p->board.to_move;
    int enemy = side ^ 1;
    int lead = (p->board.flag[side] != MEICHU_NO_FLAG) - (p->board.flag[enemy] != MEICHU_NO_FLAG);
    if (!lead) {
        lead = p->board.soldier_count[side] - p->board.soldier_count[enemy];
    }
    if (!lead) {
        int barriers[2];
        meichu_count_barriers(&p->board, barriers);
        lead = barriers[side] - barriers[enemy];
    }
    return lead > 0 ? SEARCH_WIN : lead < 0 ? -SEARCH_WIN : 0;
}

static inline bool position_is_over(const SEARCH_POSITION *p, int *value)
{
    bool is_broke = p->board.budget[0] < CHEAPEST_MOVE && p->board.budget[1] < CHEAPEST_MOVE;
    if (!is_broke && !meichu_is_decided(&p->board)) {
        return false;
    }
    *value = position_final(p);
    return true;
}

/* Whether the other side could take the flag now. */
static inline bool position_is_threatened(const SEARCH_POSITION *p)
{
    int enemy = p->board.to_move ^ 1;
    int flag = p->board.flag[p->board.to_move];
    unsigned row = meichu_row[flag];
    unsigned column = meichu_column[flag];
    unsigned along_row =
        meichu_slide(p->board.occupied_rows[row], column) & p->board.solid_rows[enemy][row];
    unsigned along_column = meichu_slide(p->board.occupied_columns[column], row) &
                            p->board.solid_columns[enemy][column];
    while (along_row) {
        int from = (int)(row * MEICHU_LINE) + __builtin_ctz(along_row);
        along_row &= along_row - 1;
        if (from != p->board.flag[enemy] && meichu_affords(&p->board, enemy, from, flag)) {
            return true;
        }
    }
    while (along_column) {
        int from = __builtin_ctz(along_column) * MEICHU_LINE + (int)column;
        along_column &= along_column - 1;
        if (from != p->board.flag[enemy] && meichu_affords(&p->board, enemy, from, flag)) {
            return true;
        }
    }
    return false;
}

static int position_evaluate(const SEARCH_POSITION *p)
{
    return meichu_evaluate(&p->board, &p->sums);
}

static inline uint32_t encode(int from, int to) { return (uint32_t)from | (uint32_t)to << 7; }

static inline struct meichu_move decode(uint32_t code)
{
    return (struct meichu_move){code & 127, (uint8_t)(code >> 7)};
}

static inline bool is_solid(const SEARCH_POSITION *p, int side, int square)
{
    return p->board.solid_rows[side][meichu_row[square]] >> meichu_column[square] & 1;
}

static inline int32_t order_of(const SEARCH_POSITION *p, int from, int to)
{
    int side = p->board.to_move;
    int flag = p->board.flag[side ^ 1];
    int cost = meichu_distance(from, to) + meichu_surcharge(&p->board, side, to);
    int order = ORDER_NEARER * (meichu_distance(from, flag) - meichu_distance(to, flag)) -
                ORDER_COIN * cost;
    if (to == flag) {
        order += SEARCH_NOISY + ORDER_FLAG;
    } else if (is_solid(p, side ^ 1, to)) {
        order += SEARCH_NOISY + ORDER_SOLDIER;
    }
    return order;
}

static int position_generate(const SEARCH_POSITION *p, int depth, struct search_move *out)
{
    (void)depth;
    struct meichu_move moves[MEICHU_MAX_MOVES];
    int count = meichu_generate(&p->board, p->board.to_move, moves);
    for (int i = 0; i < count; i++) {
        out[i] = (struct search_move){encode(moves[i].from, moves[i].to),
                                      order_of(p, moves[i].from, moves[i].to)};
    }
    return count;
}

static int position_generate_noisy(const SEARCH_POSITION *p, struct search_move *out)
{
    int side = p->board.to_move;
    int count = 0;
    for (int i = 0; i < p->board.soldier_count[side]; i++) {
        int from = p->board.soldiers[side][i];
        unsigned row = meichu_row[from];
        unsigned column = meichu_column[from];
        uint64_t along_row =
            meichu_row_reach(&p->board, side, from) & p->board.solid_rows[side ^ 1][row];
        uint64_t along_column =
            meichu_column_reach(&p->board, side, from) & p->board.solid_columns[side ^ 1][column];
        while (along_row | along_column) {
            int to = along_row ? (int)(row * MEICHU_LINE) + bits_pop(&along_row)
                               : bits_pop(&along_column) * MEICHU_LINE + (int)column;
            if (meichu_affords(&p->board, side, from, to)) {
                out[count++] = (struct search_move){encode(from, to), order_of(p, from, to)};
            }
        }
    }
    return count;
}

static inline SEARCH_POSITION position_play(const SEARCH_POSITION *p, uint32_t code)
{
    SEARCH_POSITION next = *p;
    meichu_play(&next.board, decode(code));
    meichu_sums_follow(&p->board, decode(code), &next.board, &next.sums);
    return next;
}

static inline bool position_pass(const SEARCH_POSITION *p, SEARCH_POSITION *after)
{
    *after = *p;
    after->board.to_move ^= 1;
    return meichu_count(&p->board, after->board.to_move) > 0;
}

static inline unsigned position_history(const SEARCH_POSITION *p, uint32_t code)
{
    return (unsigned)p->board.to_move << 14 | code;
}

/* Every move costs two coins or more, except those onto the side's own barriers: they earn
 * one at best, and each barrier only once. */
static inline int moves_left(const SEARCH_POSITION *p, int side, int barriers)
{
    int budget = p->board.budget[side];
    return budget < CHEAPEST_MOVE ? 0 : barriers + (budget + barriers) / CHEAPEST_MOVE;
}

static inline int position_plies_to_end(const SEARCH_POSITION *p)
{
    int barriers[2];
    meichu_count_barriers(&p->board, barriers);
    int black = moves_left(p, SIDE_BLACK, barriers[SIDE_BLACK]);
    int white = moves_left(p, SIDE_WHITE, barriers[SIDE_WHITE]);
    /* A side without money passes, which costs no depth, but the search stores at most
     * SEARCH_MAX_PLY plies. */
    return 2 * search_max(black, white) < SEARCH_MAX_PLY ? black + white : SEARCH_INFINITY;
}

static inline struct search_probe position_probe(const SEARCH_POSITION *p, int depth)
{
    (void)p, (void)depth;
    return (struct search_probe){0};
}

static inline bool position_solve(struct search_thread *thread, const SEARCH_POSITION *p, int depth,
                                  int alpha, int beta, int *value)
{
    (void)thread, (void)p, (void)depth, (void)alpha, (void)beta;
    *value = 0;
    return false;
}

static const struct engine_entry entry = {
    .game = "meichu",
    .levels = meichu_levels,
    .solving_nodes = SOLVING_NODES,
    .worker_bytes = sizeof(struct search_memory),
    .search = search_run,
    .play = search_play,
};

extern const struct engine_entry *const ENGINE_EXPORT(meichu)[];
const struct engine_entry *const ENGINE_EXPORT(meichu)[] = {&entry, NULL};
