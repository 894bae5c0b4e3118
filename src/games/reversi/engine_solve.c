/* The exact end of reversi and othello.
 *
 * Near the end everything is cheap but the number of positions, so the closer to the end,
 * the less is done at a node:
 *
 *   many empty squares   table, stability cut-off, moves ordered by how few answers they
 *                        leave (fastest first) and by parity, null windows
 *   a few                moves in odd regions first, nothing else
 *   one                  only the flips are counted
 *
 * Fastest first and parity are as old as Logistello and Zebra; Gunnar Andersson's "Writing an
 * Othello program" describes both, Richard Delorme's Edax shows how far they go. Parity: a
 * region with an odd number of empty squares gives its first visitor the last move there, and
 * a quadrant is a good enough region.
 *
 * A disc that can never be flipped again bounds the result: the squares less twice the
 * other's such discs. In reversi the missing corners count as the board's edge, so that
 * the squares next to them are where stability begins.
 */
#include "games/reversi/engine_solve.h"

#include <stdbool.h>

#include "base/bits.h"
#include "engine/split.h"
#include "games/reversi/board.h"
#include "games/reversi/engine_stable.h"
#include "games/reversi/eval.h"

/* Several threads search the moves of a position with at least SOLVE_SPLIT_FROM empty squares,
 * once SOLVE_SPLIT_AFTER of its moves have been searched. Other numbers can be tried with
 * tools/lab/build.sh. */
#ifndef SOLVE_SPLIT_FROM
#define SOLVE_SPLIT_FROM 11
#endif
#ifndef SOLVE_SPLIT_AFTER
#define SOLVE_SPLIT_AFTER 2
#endif

enum {
    FEW = 5,          /* empty squares: from here on only parity orders the moves */
    TABLE_FROM = 8,   /* empty squares from which the table pays */
    SCORE_UNIT = 100, /* table scores are in hundredths */
    NO_SQUARE = 64,
    UNASKED_NODES = 16, /* the most that are counted from three empty squares on */

    /* What counts in a move's order. */
    ORDER_ANSWER = 64,
    ORDER_CORNER_ANSWER = 64,
    ORDER_OPEN_SQUARE = 8, /* an empty square next to our discs: an answer later on */
    ORDER_ODD_QUADRANT = 16,
    ORDER_SQUARE = 4,
    ORDER_DISC = 10,    /* of the evaluation, … */
    EVALUATE_FROM = 11, /* … used with at least this many empty squares */
};

struct solver {
    struct search_thread *thread;
    const struct reversi_variant *v;
};

/* Squares of those quadrants whose bit is set: 0 upper left, 1 upper right, 2 and 3 below. */
#define QUADRANT_0 UINT64_C(0x000000000f0f0f0f)
#define QUADRANTS(set)                                              \
    (((set)&1 ? QUADRANT_0 : 0) | ((set)&2 ? QUADRANT_0 << 4 : 0) | \
     ((set)&4 ? QUADRANT_0 << 32 : 0) | ((set)&8 ? QUADRANT_0 << 36 : 0))
static const uint64_t quadrants[16] = {
    QUADRANTS(0),  QUADRANTS(1),  QUADRANTS(2),  QUADRANTS(3),  QUADRANTS(4),  QUADRANTS(5),
    QUADRANTS(6),  QUADRANTS(7),  QUADRANTS(8),  QUADRANTS(9),  QUADRANTS(10), QUADRANTS(11),
    QUADRANTS(12), QUADRANTS(13), QUADRANTS(14), QUADRANTS(15),
};

static inline unsigned quadrant_of(int square)
{
    return 1u << ((square >> 2 & 1) + (square >> 4 & 2));
}

/* The set of quadrants with an odd number of empty squares. */
static inline unsigned odd_quadrants(uint64_t empty)
{
    unsigned odd = 0;
    for (int i = 0; i < 4; i++) {
        odd |= (unsigned)(bits_count(empty & quadrants[1 << i]) & 1) << i;
    }
    return odd;
}

static int solve_one(const struct solver *s, uint64_t own, uint64_t other, int square)
{
    const struct reversi_variant *v = s->v;
    bool is_free = v->free_squares >> square & 1;
    s->thread->nodes++;
    int flips = bits_count(board_flips(own, other, square));
    if (flips || is_free) {
        return 2 * (bits_count(own) + flips + 1) - v->squares;
    }
    flips = bits_count(board_flips(other, own, square));
    if (flips) {
        return 2 * (bits_count(own) - flips) - v->squares;
    }
    return variant_final(v, own, other);
}

/* The move on `square` when only `last` is empty besides; -SEARCH_INFINITY: illegal. */
static inline int play_last_two(const struct solver *s, uint64_t own, uint64_t other, int square,
                                int last)
{
    uint64_t bit = bits_one(square);
    uint64_t flips = board_flips(own, other, square);
    if (!flips && !(s->v->free_squares & bit)) {
        return -SEARCH_INFINITY;
    }
    return -solve_one(s, other ^ flips, own ^ flips ^ bit, last);
}

static inline int solve_two(const struct solver *s, uint64_t own, uint64_t other, int a, int b,
                            int alpha, int beta)
{
    s->thread->nodes++;
    int first = play_last_two(s, own, other, a, b);
    if (first >= beta) {
        return first;
    }
    int second = play_last_two(s, own, other, b, a);
    int best = first > second ? first : second;
    if (best > -SEARCH_INFINITY) {
        return best;
    }
    first = play_last_two(s, other, own, a, b);
    if (first > -SEARCH_INFINITY && -first <= alpha) {
        return -first;
    }
    second = play_last_two(s, other, own, b, a);
    best = first > second ? first : second;
    return best > -SEARCH_INFINITY ? -best : variant_final(s->v, own, other);
}

static int solve_few(const struct solver *s, uint64_t own, uint64_t other, uint64_t empty,
                     unsigned odd, int alpha, int beta, bool has_passed)
{
    uint64_t rest = empty & (empty - 1);
    if (!rest) {
        return solve_one(s, own, other, bits_lowest(empty));
    }
    if (!(rest & (rest - 1))) {
        return solve_two(s, own, other, bits_lowest(empty), bits_lowest(rest), alpha, beta);
    }
    if (s->thread->nodes + UNASKED_NODES >= s->thread->limit && !search_draw_nodes(s->thread)) {
        return 0;
    }
    s->thread->nodes++;
    int best = -SEARCH_INFINITY;
    uint64_t groups[2] = {empty & quadrants[odd], empty & ~quadrants[odd]};
    for (int i = 0; i < 2; i++) {
        while (groups[i]) {
            int square = bits_pop(&groups[i]);
            uint64_t bit = bits_one(square);
            uint64_t flips = board_flips(own, other, square);
            if (!flips && !(s->v->free_squares & bit)) {
                continue;
            }
            int score = -solve_few(s, other ^ flips, own ^ flips ^ bit, empty ^ bit,
                                   odd ^ quadrant_of(square), -beta, -alpha, false);
            if (score > best) {
                best = score;
                alpha = score > alpha ? score : alpha;
                if (score >= beta) {
                    return best;
                }
            }
        }
    }
    if (best > -SEARCH_INFINITY) {
        return best;
    }
    return has_passed ? -variant_final(s->v, other, own)
                      : -solve_few(s, other, own, empty, odd, -beta, -alpha, true);
}

struct solve_move {
    uint64_t own; /* after the move, for the side to move then */
    uint64_t other;
    uint64_t key;
    int order;
    int square;
};

static int solve_many(const struct solver *s, uint64_t own, uint64_t other, int alpha, int beta);

/* Squares next to a member of the set, in all eight directions. */
static uint64_t around(uint64_t set)
{
    uint64_t sideways = (set & ~STABLE_LAST_COLUMN) << 1 | (set & ~STABLE_FIRST_COLUMN) >> 1;
    uint64_t row = set | sideways;
    return sideways | row << 8 | row >> 8;
}

/* Fewest answers first; in othello also good squares before bad ones; with many empty squares
 * also the position that is worst for the other side. */
static int order_of(const struct solver *s, const struct solve_move *move, unsigned odd)
{
    static const uint8_t square_worth[64] = {9, 2, 8, 6, 6, 8, 2, 9, 2, 1, 3, 4, 4, 3, 1, 2,
                                             8, 3, 7, 5, 5, 7, 3, 8, 6, 4, 5, 0, 0, 5, 4, 6,
                                             6, 4, 5, 0, 0, 5, 4, 6, 8, 3, 7, 5, 5, 7, 3, 8,
                                             2, 1, 3, 4, 4, 3, 1, 2, 9, 2, 8, 6, 6, 8, 2, 9};
    uint64_t empty = variant_empty(s->v, move->own, move->other);
    uint64_t answers = variant_legal(s->v, move->own, move->other);
    int order = -ORDER_ANSWER * bits_count(answers) -
                ORDER_CORNER_ANSWER * bits_count(answers & REVERSI_CORNERS) -
                ORDER_OPEN_SQUARE * bits_count(around(move->other) & empty);
    order += quadrant_of(move->square) & odd ? ORDER_ODD_QUADRANT : 0;
    if (bits_count(empty) >= EVALUATE_FROM) {
        order -= reversi_evaluate(!s->v->free_squares, move->own, move->other) * ORDER_DISC / 100;
    }
    return s->v->free_squares ? order : order + ORDER_SQUARE * square_worth[move->square];
}

/* `is_in_table`: the positions after the moves have table entries. Their cache lines are requested
 * before the moves are ordered, so that the memory is read during that work. */
static int list_moves(const struct solver *s, uint64_t own, uint64_t other, uint64_t legal,
                      int table_square, bool is_in_table, struct solve_move *moves)
{
    unsigned odd = odd_quadrants(variant_empty(s->v, own, other));
    int count = 0;
    while (legal) {
        struct solve_move *move = &moves[count++];
        move->square = bits_pop(&legal);
        uint64_t flips = board_flips(own, other, move->square);
        move->own = other ^ flips;
        move->other = own ^ flips ^ bits_one(move->square);
        move->key = reversi_key(s->v, move->own, move->other);
        if (is_in_table) {
            tt_prefetch(s->thread->search->tt, move->key);
        }
    }
    for (int i = 0; i < count; i++) {
        struct solve_move *move = &moves[i];
        move->order = move->square == table_square ? SEARCH_INFINITY : order_of(s, move, odd);
    }
    return count;
}

static struct solve_move pick(struct solve_move *moves, int first, int count)
{
    int best = first;
    for (int i = first + 1; i < count; i++) {
        best = moves[i].order > moves[best].order ? i : best;
    }
    struct solve_move picked = moves[best];
    moves[best] = moves[first];
    return picked;
}

static int solve_any(const struct solver *s, uint64_t own, uint64_t other, int alpha, int beta)
{
    uint64_t empty = variant_empty(s->v, own, other);
    int count = bits_count(empty);
    if (count == 0) {
        return variant_final(s->v, own, other);
    }
    return count <= FEW ? solve_few(s, own, other, empty, odd_quadrants(empty), alpha, beta, false)
                        : solve_many(s, own, other, alpha, beta);
}

/* Another move already known to be good enough makes the search unnecessary. */
static bool is_cut_by_table(const struct solver *s, const struct solve_move *moves, int count,
                            int beta, int *score)
{
    for (int i = 0; i < count; i++) {
        struct tt_entry entry;
        if (tt_find(s->thread->search->tt, moves[i].key, &entry) &&
            entry.depth >= SOLVE_TABLE_DEPTH && entry.bound & TT_UPPER &&
            -entry.score >= beta * SCORE_UNIT) {
            *score = -entry.score / SCORE_UNIT;
            return true;
        }
    }
    return false;
}

/* Whether the other's stable discs alone keep the result down to alpha. Looking is worth it
 * only where alpha is high and few squares are empty. */
static bool is_cut_by_stability(const struct solver *s, uint64_t own, uint64_t other, int empty,
                                int alpha, int *score)
{
    if (alpha < 2 * empty - 2) {
        return false;
    }
    uint64_t holes = s->v->holes;
    *score = s->v->squares - 2 * bits_count(stable_discs(other, own | other | holes, holes));
    return *score <= alpha;
}

/* Whether the table knows enough about this position; entry->move is what it suggests. */
static bool is_tt_cutoff(const struct solver *s, uint64_t key, int alpha, int beta,
                         struct tt_entry *entry, int *score)
{
    *entry = (struct tt_entry){.move = NO_SQUARE};
    if (!tt_find(s->thread->search->tt, key, entry) || entry->depth < SOLVE_TABLE_DEPTH) {
        return false;
    }
    *score = entry->score / SCORE_UNIT;
    return entry->bound == TT_EXACT || (entry->bound == TT_LOWER && *score >= beta) ||
           (entry->bound == TT_UPPER && *score <= alpha);
}

/* A position's moves while several threads search them, guarded by the lock of a split point. */
struct shared_moves {
    const struct reversi_variant *v;
    struct solve_move *moves;
    int count;
    int next;
    int alpha;
    int beta;
    int best;
    int square; /* of the best move */
};

/* The next move and the alpha that it has to beat; false: there is none. */
static bool take_move(struct split *split, struct shared_moves *shared, struct solve_move *move,
                      int *alpha)
{
    split_lock(split);
    bool is_there = shared->next < shared->count && shared->best < shared->beta;
    if (is_there) {
        *move = pick(shared->moves, shared->next, shared->count);
        *alpha = shared->alpha;
        shared->next++;
    }
    if (shared->next == shared->count) {
        split_exhaust(split);
    }
    split_unlock(split);
    return is_there;
}

/* Says whether the score is the best so far; *alpha is then what others have to beat. */
static bool keep_score(struct split *split, struct shared_moves *shared, int score, int square,
                       int *alpha)
{
    split_lock(split);
    bool is_best = score > shared->best;
    if (is_best) {
        shared->best = score;
        shared->square = square;
        shared->alpha = score > shared->alpha ? score : shared->alpha;
    }
    if (shared->best >= shared->beta) {
        split_cut(split);
    }
    *alpha = shared->alpha;
    split_unlock(split);
    return is_best;
}

/* Searches a move. One that is better than alpha counts at once with what is known of it: others
 * that are better than the old alpha alone need not find out how much. */
static void solve_shared_move(struct split *split, const struct solver *s,
                              struct shared_moves *shared, const struct solve_move *move, int alpha)
{
    int beta = shared->beta;
    bool is_above = true;
    while (is_above) {
        int score = -solve_any(s, move->own, move->other, -alpha - 1, -alpha);
        if (s->thread->is_stopped) {
            return;
        }
        is_above = score > alpha && score < beta;
        if (keep_score(split, shared, score, move->square, &alpha) && is_above) {
            score = -solve_any(s, move->own, move->other, -beta, 1 - score);
            if (!s->thread->is_stopped) {
                keep_score(split, shared, score, move->square, &alpha);
            }
            return;
        }
    }
}

/* What the owner and every helper do in a split point. */
static void solve_shared(struct split *split, struct search_thread *thread)
{
    struct shared_moves *shared = split->node;
    struct solver s = {thread, shared->v};
    struct solve_move move;
    int alpha = 0;
    while (!thread->is_stopped && take_move(split, shared, &move, &alpha)) {
        solve_shared_move(split, &s, shared, &move, alpha);
    }
}

/* Whether the moves from the second on were searched by several threads. */
static bool is_solved_together(const struct solver *s, struct shared_moves *shared, int empty)
{
    struct split *split = split_open(s->thread, empty, solve_shared, shared);
    if (!split) {
        return false;
    }
    solve_shared(split, s->thread);
    split_close(s->thread, split);
    return true;
}

/* The best of the moves; *square is its square. */
static int solve_moves(const struct solver *s, struct solve_move *moves, int count, int empty,
                       int alpha, int beta, int *square)
{
    int best = -SEARCH_INFINITY;
    int score = 0;
    for (int i = 0; i < count && best < beta; i++) {
        if (i >= SOLVE_SPLIT_AFTER && empty >= SOLVE_SPLIT_FROM && s->thread->may_split) {
            struct shared_moves shared = {s->v, moves, count, i, alpha, beta, best, *square};
            if (is_solved_together(s, &shared, empty)) {
                *square = shared.square;
                return s->thread->is_stopped ? 0 : shared.best;
            }
        }
        struct solve_move move = pick(moves, i, count);
        if (i > 0) {
            score = -solve_any(s, move.own, move.other, -alpha - 1, -alpha);
        }
        if (i == 0 || (score > alpha && score < beta)) {
            score = -solve_any(s, move.own, move.other, -beta, -alpha);
        }
        if (s->thread->is_stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            *square = move.square;
            alpha = score > alpha ? score : alpha;
        }
    }
    return best;
}

static int solve_many(const struct solver *s, uint64_t own, uint64_t other, int alpha, int beta)
{
    int score = 0;
    if (!search_count_node(s->thread)) {
        return 0;
    }
    int empty = bits_count(variant_empty(s->v, own, other));
    if (is_cut_by_stability(s, own, other, empty, alpha, &score)) {
        return score;
    }
    uint64_t legal = variant_legal(s->v, own, other);
    if (!legal) {
        return variant_legal(s->v, other, own) ? -solve_any(s, other, own, -beta, -alpha)
                                               : variant_final(s->v, own, other);
    }
    uint64_t key = reversi_key(s->v, own, other);
    struct tt_entry entry = {.move = NO_SQUARE};
    if (empty >= TABLE_FROM && is_tt_cutoff(s, key, alpha, beta, &entry, &score)) {
        return score;
    }
    struct solve_move moves[64];
    int count = list_moves(s, own, other, legal, (int)entry.move, empty > TABLE_FROM, moves);
    if (empty > TABLE_FROM + 1 && is_cut_by_table(s, moves, count, beta, &score)) {
        return score;
    }
    int square = NO_SQUARE;
    int best = solve_moves(s, moves, count, empty, alpha, beta, &square);
    if (empty >= TABLE_FROM && !s->thread->is_stopped) {
        enum tt_bound bound = best >= beta ? TT_LOWER : best > alpha ? TT_EXACT : TT_UPPER;
        tt_store(s->thread->search->tt, key,
                 (struct tt_entry){.move = (uint32_t)square,
                                   .score = (int16_t)(best * SCORE_UNIT),
                                   .depth = (uint8_t)(SOLVE_TABLE_DEPTH + empty),
                                   .bound = (uint8_t)bound});
    }
    return best;
}

int reversi_solve(struct search_thread *thread, const struct reversi_variant *v, uint64_t own,
                  uint64_t other, int alpha, int beta)
{
    struct solver solver = {thread, v};
    return solve_any(&solver, own, other, alpha, beta);
}
