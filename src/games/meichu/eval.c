#include "games/meichu/eval.h"

#include <stdbool.h>

enum {
    HIDDEN = MEICHU_NET_HIDDEN,
    SOLDIER = 0, /* the own ones' first input; then the enemy's */
    BARRIER = 2 * MEICHU_SQUARES,
    FLAG = 4 * MEICHU_SQUARES,
    COINS = 6 * MEICHU_SQUARES,
};

static inline const int16_t *row(int input) { return net_meichu.first + input * HIDDEN; }

/* A piece of side `owner` on `square`, as `side` sees it. */
static inline const int16_t *piece(int kind, int side, int owner, int square)
{
    int seen = side == SIDE_BLACK
                   ? square
                   : (MEICHU_LINE - 1 - meichu_row[square]) * MEICHU_LINE + meichu_column[square];
    return row(kind + (side == owner ? 0 : MEICHU_SQUARES) + seen);
}

static inline const int16_t *coins(int side, int owner, int budget)
{
    int most = MEICHU_NET_COINS - 1;
    return row(COINS + (side == owner ? 0 : MEICHU_NET_COINS) + (budget < most ? budget : most));
}

static void add_piece(int kind, int owner, int square, struct meichu_sums *sums)
{
    for (int side = 0; side < 2; side++) {
        net_add(sums->of[side], piece(kind, side, owner, square), HIDDEN);
    }
}

static inline bool is_black_barrier(const struct meichu_state *s, int square)
{
    return s->black_barrier_rows[meichu_row[square]] >> meichu_column[square] & 1;
}

void meichu_sums_make(const struct meichu_state *s, struct meichu_sums *out)
{
    for (int side = 0; side < 2; side++) {
        net_copy(out->of[side], row(MEICHU_NET_INPUTS), HIDDEN);
        net_add(out->of[side], coins(side, 0, s->budget[0]), HIDDEN);
        net_add(out->of[side], coins(side, 1, s->budget[1]), HIDDEN);
    }
    for (int owner = 0; owner < 2; owner++) {
        for (int i = 0; i < s->soldier_count[owner]; i++) {
            add_piece(SOLDIER, owner, s->soldiers[owner][i], out);
        }
        if (s->flag[owner] != MEICHU_NO_FLAG) {
            add_piece(FLAG, owner, s->flag[owner], out);
        }
    }
    for (int square = 0; square < MEICHU_SQUARES; square++) {
        unsigned line = meichu_row[square];
        unsigned solid = (unsigned)s->solid_rows[0][line] | s->solid_rows[1][line];
        if ((s->occupied_rows[line] & ~solid) >> meichu_column[square] & 1) {
            add_piece(BARRIER, is_black_barrier(s, square) ? SIDE_BLACK : SIDE_WHITE, square, out);
        }
    }
}

static void remove_taken(const struct meichu_state *before, int square, struct meichu_sums *sums)
{
    int owner = before->to_move ^ 1;
    int kind = before->flag[owner] == square ? FLAG : SOLDIER;
    unsigned bit = 1u << meichu_column[square];
    if (!(before->solid_rows[owner][meichu_row[square]] & bit)) {
        kind = BARRIER;
        owner = is_black_barrier(before, square) ? SIDE_BLACK : SIDE_WHITE;
    }
    net_subtract(sums->of[0], piece(kind, 0, owner, square), HIDDEN);
    net_subtract(sums->of[1], piece(kind, 1, owner, square), HIDDEN);
}

void meichu_sums_follow(const struct meichu_state *before, struct meichu_move move,
                        const struct meichu_state *after, struct meichu_sums *sums)
{
    int owner = before->to_move;
    bool is_poor =
        after->budget[owner] < MEICHU_NET_COINS - 1 || before->budget[owner] < MEICHU_NET_COINS - 1;
    for (int side = 0; side < 2; side++) {
        net_exchange(sums->of[side], piece(SOLDIER, side, owner, move.from),
                     piece(SOLDIER, side, owner, move.to), HIDDEN);
        if (is_poor) {
            net_exchange(sums->of[side], coins(side, owner, before->budget[owner]),
                         coins(side, owner, after->budget[owner]), HIDDEN);
        }
    }
    if (before->occupied_rows[meichu_row[move.to]] >> meichu_column[move.to] & 1) {
        remove_taken(before, move.to, sums);
    }
}

int meichu_evaluate(const struct meichu_state *s, const struct meichu_sums *sums)
{
    int side = s->to_move;
    int bucket = (s->soldier_count[0] + s->soldier_count[1]) / 2;
    bucket = bucket < MEICHU_NET_BUCKETS ? bucket : MEICHU_NET_BUCKETS - 1;
    return net_value(&net_meichu, bucket, sums->of[side], sums->of[side ^ 1], HIDDEN);
}
