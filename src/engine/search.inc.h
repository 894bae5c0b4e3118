/* search.inc: the search of every game, a template included once by each games/FOLDER/engine.c.
 *
 * Long because it is one algorithm, and the rules of a node depend on each other.
 *
 * The algorithm
 * -------------
 * All our games are zero-sum, without chance and hidden information, and their evaluations
 * are cheap, so the search is alpha-beta in its usual modern form.
 *
 * Iterative deepening asks the same question at depth 1, 2, 3, …: each answer costs little
 * compared with the next one and leaves in the table the move to try first there (Slate and Atkin,
 * CHESS 4.5, 1977). A window around the last score (aspiration) makes most of the tree fail
 * quickly; when the score falls outside, the window grows on that side.
 *
 * Inside, principal variation search (Marsland and Campbell 1982; Reinefeld's NegaScout 1983):
 * the first move gets the whole window, every other one only has to be shown not to be better,
 * with a window of one point. That is cheap if the first move is good, so the search depends on
 * the order of moves: the table's move, then moves that change the balance, in the game's own
 * order, then two killers (moves that refuted a sibling), then the history of how often a
 * move has cut off elsewhere (Schaeffer 1989), which grows with successes and shrinks with
 * failures and never leaves its range.
 *
 * The rest trades certainty for depth. A late move in a good order is rarely best: it is
 * looked at less deeply first, and again at full depth only if it surprises (late move
 * reductions); with little depth left it is not looked at at all (late move pruning). A
 * position that is far above the window stays above it (reverse futility), and quiet moves do
 * not lift one that is far below (futility). Reductions and reverse futility also go by the
 * trend, whether the side to move is better off than at its last move. The result of a much
 * shallower search counts if it is outside the window by a margin (ProbCut, Buro 1995; with a probe
 * for each depth, as in his Multi-ProbCut). A forced situation, a flag under attack, is searched
 * one ply deeper and nothing is left out in it. At depth zero only the moves that change the
 * balance are followed until it is quiet (quiescence). Which of these a game uses, and how far, is
 * in its `search_rules`; docs/engine.md has the matches that say what each is worth. Where the
 * depth left reaches the end of the game nothing is left out at all, and the result is exact.
 *
 * Terminal scores are measured from the root: SEARCH_WIN less the plies to get there, so
 * that the faster win and the slower loss score higher. In the table they are measured
 * from the position itself. A forced pass is a ply with one move and costs no depth. A
 * game that can end exactly takes over with a solver of its own, when the depth
 * left reaches the end of the game.
 *
 * With several threads one of them does all this, and the others help it inside the nodes, where
 * enough depth is left: once the first moves of a node have been searched without a cut-off, the
 * others are searched by all threads that have nothing better to do (split.h). They share the
 * table; killers and history are each thread's own, and a helper starts with those of the node's
 * owner. With one thread and a limit on depth or nodes the result is the same on every machine:
 * only integers, no clock, no addresses.
 *
 * What the including file defines before
 * --------------------------------------
 *     SEARCH_POSITION                a position, a value
 *     SEARCH_MAX_MOVES               in any position
 *     SEARCH_HISTORY                 how many kinds of moves the history distinguishes
 *     search_rules                   a constant struct search_rules
 *     position_read, position_write  from and to the judge's struct state
 *     position_key                   for the table
 *     position_cycle_key             to recognise a repetition; 0 where nothing can repeat
 *     position_cycle_value           what a repetition is worth to the side to move
 *     position_is_over, position_final   see below
 *     position_is_threatened         the side to move must answer something
 *     position_evaluate              in hundredths, for the side to move
 *     position_generate, position_generate_noisy    moves with their order
 *     position_play, position_pass
 *     position_history               a number below SEARCH_HISTORY for a move
 *     position_plies_to_end          with this much depth the search is exact
 *     position_solve                 takes over a node, if it can
 *     position_probe                 what a shallow search is asked before a deep one
 */
#ifndef ENGINE_SEARCH_INC_H
#define ENGINE_SEARCH_INC_H

#include <limits.h>
#include <string.h>

#include "engine/search.h"
#include "engine/split.h"

/* The hooks; one that is missing is an error here, not a crash later. */
static inline SEARCH_POSITION position_read(const struct state *state, int variant);
static inline struct state position_write(const SEARCH_POSITION *p);
static inline uint64_t position_key(const SEARCH_POSITION *p);
static inline uint64_t position_cycle_key(const SEARCH_POSITION *p);
static inline int position_cycle_value(const SEARCH_POSITION *p);

/* A quick test; value: SEARCH_WIN or -SEARCH_WIN, less the plies that are left to an end that
 * no move can change, or hundredths; for the side to move. */
static inline bool position_is_over(const SEARCH_POSITION *p, int *value);

/* The same value where no side can move. */
static inline int position_final(const SEARCH_POSITION *p);
static inline bool position_is_threatened(const SEARCH_POSITION *p);
static int position_evaluate(const SEARCH_POSITION *p);

/* Every move; an order of SEARCH_NOISY or more marks those that change the balance. `depth`
 * shows how much work the ordering deserves. Without a move the side has to pass. */
static int position_generate(const SEARCH_POSITION *p, int depth, struct search_move *out);
static int position_generate_noisy(const SEARCH_POSITION *p, struct search_move *out);
static inline SEARCH_POSITION position_play(const SEARCH_POSITION *p, uint32_t code);

/* False when the other side could not move either: the game is over. */
static inline bool position_pass(const SEARCH_POSITION *p, SEARCH_POSITION *after);
static inline unsigned position_history(const SEARCH_POSITION *p, uint32_t code);

/* An upper bound of the plies that the game can still last, passes not counted; SEARCH_INFINITY if
 * there is none below SEARCH_MAX_PLY. */
static inline int position_plies_to_end(const SEARCH_POSITION *p);
static inline bool position_solve(struct search_thread *thread, const SEARCH_POSITION *p, int depth,
                                  int alpha, int beta, int *value);

/* What to ask a shallow search at this depth, if anything. */
static inline struct search_probe position_probe(const SEARCH_POSITION *p, int depth);

/* Several threads search the moves of a node with at least SEARCH_SPLIT_DEPTH, once
 * SEARCH_SPLIT_AFTER of its moves have been searched; in an open window, unless to the end, after
 * one of them. From SEARCH_SHARE_DEPTH on a helper starts with the owner's history: copying it
 * takes microseconds. Other numbers can be tried with tools/lab/build.sh. */
#ifndef SEARCH_SPLIT_DEPTH
#define SEARCH_SPLIT_DEPTH 4
#endif
#ifndef SEARCH_SPLIT_AFTER
#define SEARCH_SPLIT_AFTER 2
#endif
#ifndef SEARCH_SHARE_DEPTH
#define SEARCH_SHARE_DEPTH 9
#endif

enum {
    TT_MOVE_FIRST = 1 << 28,
    KILLER_FIRST = 1 << 18,
    HISTORY_LIMIT = 1 << 14,
    FREE_END_PLIES = 2,
    END_IN_SIGHT = 32, /* plies */
};

struct search_frame {
    uint64_t cycle_key;
    int evaluation; /* of the position, unless nothing is left out in it */
    uint32_t killers[2];
    int line_count;
    uint32_t line[SEARCH_MAX_LINE];
    struct search_move moves[SEARCH_MAX_MOVES];
};

struct search_memory {
    struct search_thread thread; /* first: a helper gets its worker by it */
    struct search_result best;   /* of the last finished depth, or better ones since */
    struct search_result found;  /* so far at this depth; no line: nothing yet */
    int root_depth;
    uint32_t only_move; /* of the root, where a level would overlook all of them */
    int shared_plies;   /* frames that other threads may be reading: those of open split points */
    _Atomic(int32_t) history[SEARCH_HISTORY]; /* written by this thread alone */
    struct search_frame frames[SEARCH_MAX_PLY + 2];
};

static inline int search_min(int a, int b) { return a < b ? a : b; }
static inline int search_max(int a, int b) { return a > b ? a : b; }

static inline int16_t to_table(int score, int ply)
{
    int shift = score > SEARCH_WIN_BOUND ? ply : score < -SEARCH_WIN_BOUND ? -ply : 0;
    return (int16_t)(score + shift);
}

/* The reverse, also for a value that comes from the game. */
static inline int value_at(int score, int ply)
{
    int shift = score > SEARCH_WIN_BOUND ? ply : score < -SEARCH_WIN_BOUND ? -ply : 0;
    return score - shift;
}

/* 16 times the natural logarithm: floating point has no place in a search that must be the
 * same everywhere. */
static inline int reduction(int depth, int index)
{
    static const uint8_t log16[64] = {
        0,  0,  11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
        49, 50, 51, 52, 52, 53, 53, 54, 54, 55, 55, 56, 56, 57, 57, 58, 58, 59, 59, 59, 60, 60,
        61, 61, 61, 62, 62, 62, 63, 63, 63, 64, 64, 64, 64, 65, 65, 65, 66, 66, 66, 66};
    int product = log16[search_min(depth, 63)] * log16[search_min(index, 63)];
    return product * search_rules.reduction_percent / (256 * 100);
}

static inline int32_t history_of(const struct search_memory *w, unsigned index)
{
    return atomic_load_explicit(&w->history[index], memory_order_relaxed);
}

static inline void history_set(struct search_memory *w, unsigned index, int32_t value)
{
    atomic_store_explicit(&w->history[index], value, memory_order_relaxed);
}

static inline void history_add(struct search_memory *w, unsigned index, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus;
    int32_t past = history_of(w, index);
    history_set(w, index, past + bonus - past * size / HISTORY_LIMIT);
}

/* The line of `frame`: a move, and what follows in the frame after it. */
static void line_set(struct search_frame *frame, const struct search_frame *next, uint32_t move)
{
    int count = search_min(next->line_count, SEARCH_MAX_LINE - 1);
    frame->line[0] = move;
    memcpy(frame->line + 1, next->line, (size_t)count * sizeof frame->line[0]);
    frame->line_count = count + 1;
}

static bool is_repetition(const struct search_memory *w, int ply)
{
    uint64_t key = w->frames[ply].cycle_key;
    for (int i = ply - 2; key && i >= 0; i -= 2) {
        if (w->frames[i].cycle_key == key) {
            return true;
        }
    }
    return false;
}

/* Moves the best of the rest to the front. */
static inline struct search_move pick(struct search_move *moves, int first, int count)
{
    int best = first;
    for (int i = first + 1; i < count; i++) {
        best = moves[i].order > moves[best].order ? i : best;
    }
    struct search_move picked = moves[best];
    moves[best] = moves[first];
    moves[first] = picked;
    return picked;
}

/* Whether the game is over, or decided so clearly that a level looks no further. A
 * level does not know of an end beyond its depth. */
static inline bool is_over(const struct search_memory *w, const SEARCH_POSITION *p, int ply,
                           int *value)
{
    if (!position_is_over(p, value)) {
        return false;
    }
    int sight = w->thread.search->level.depth;
    int plies = SEARCH_WIN - (*value < 0 ? -*value : *value);
    return !sight || plies >= SEARCH_MAX_PLY || plies == 0 || ply + plies <= sight;
}

static inline bool sees(const struct search_memory *w, uint64_t key, uint32_t move, bool is_noisy)
{
    const struct search *search = w->thread.search;
    return level_sees(&search->level, search->salt, key, move, is_noisy);
}

static int quiescence(struct search_memory *w, const SEARCH_POSITION *p, int alpha, int beta,
                      int ply)
{
    struct search_frame *frame = &w->frames[ply];
    frame->line_count = 0;
    if (!search_count_node(&w->thread)) {
        return 0;
    }
    int value = 0;
    if (is_over(w, p, ply, &value)) {
        return value_at(value, ply);
    }
    const struct level_rules *level = &w->thread.search->level;
    int best = position_evaluate(p);
    if (best >= beta || ply == SEARCH_MAX_PLY || !search_rules.follows_noise ||
        level->stops_at_depth) {
        return best;
    }
    alpha = search_max(alpha, best);
    uint64_t key = level->overlooks_captures ? position_key(p) : 0;
    int count = position_generate_noisy(p, frame->moves);
    for (int i = 0; i < count; i++) {
        struct search_move move = pick(frame->moves, i, count);
        if (!sees(w, key, move.code, true)) {
            continue;
        }
        SEARCH_POSITION next = position_play(p, move.code);
        int score = -quiescence(w, &next, -beta, -alpha, ply + 1);
        if (w->thread.is_stopped) {
            return 0;
        }
        if (score <= best) {
            continue;
        }
        best = score;
        if (score > alpha) {
            alpha = score;
            line_set(frame, frame + 1, move.code);
        }
        if (score >= beta) {
            break;
        }
    }
    return best;
}

/* The root's line so far is an answer even if the rest of the depth is never finished. A score
 * that reaches beta is only a lower bound, and its line is short: for the move that was best
 * before, the finished depth has the better line, unless the score is a win. */
static void keep_root_line(struct search_memory *w, int root_depth, int score, int beta)
{
    const struct search_frame *root = &w->frames[0];
    if (score >= beta && score < SEARCH_WIN_BOUND && root->line[0] == w->best.line[0]) {
        w->found = w->best;
        return;
    }
    w->found.score = score;
    w->found.depth = root_depth;
    w->found.count = root->line_count;
    memcpy(w->found.line, root->line, sizeof root->line);
}

static int search_node(struct search_memory *w, const SEARCH_POSITION *p, int alpha, int beta,
                       int depth, int ply);

static int search_pass(struct search_memory *w, const SEARCH_POSITION *p, int alpha, int beta,
                       int depth, int ply)
{
    SEARCH_POSITION next;
    if (!position_pass(p, &next)) {
        return value_at(position_final(p), ply);
    }
    int score = -search_node(w, &next, -beta, -alpha, depth, ply + 1);
    line_set(&w->frames[ply], &w->frames[ply + 1], SEARCH_PASS);
    if (ply == 0 && !w->thread.is_stopped) {
        keep_root_line(w, w->root_depth, score, beta);
    }
    return score;
}

/* Adds to each move's own order what the search has learned. */
static void order_moves(const struct search_memory *w, const SEARCH_POSITION *p,
                        struct search_frame *frame, int count, uint32_t tt_move)
{
    for (int i = 0; i < count; i++) {
        struct search_move *move = &frame->moves[i];
        if (move->code == tt_move) {
            move->order = TT_MOVE_FIRST;
        } else if (move->order < SEARCH_NOISY) {
            bool is_killer = move->code == frame->killers[0] || move->code == frame->killers[1];
            move->order += history_of(w, position_history(p, move->code));
            move->order += is_killer ? KILLER_FIRST : 0;
        }
    }
}

/* A quiet move cut off: remember it, and that the quiet moves before it did not. */
static void update_history(struct search_memory *w, const SEARCH_POSITION *p,
                           struct search_frame *frame, int last, int depth)
{
    int bonus = search_min(depth * depth * 16, HISTORY_LIMIT / 8);
    uint32_t move = frame->moves[last].code;
    if (frame->killers[0] != move) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = move;
    }
    history_add(w, position_history(p, move), bonus);
    for (int i = 0; i < last; i++) {
        if (frame->moves[i].order < SEARCH_NOISY) {
            history_add(w, position_history(p, frame->moves[i].code), -bonus);
        }
    }
}

static void forget_killers(struct search_memory *w, int ply)
{
    w->frames[ply].killers[0] = w->frames[ply].killers[1] = SEARCH_NO_MOVE;
}

static bool is_excluded(const struct search *search, uint32_t move)
{
    for (int i = 0; i < search->excluded_count; i++) {
        if (search->excluded[i] == move) {
            return true;
        }
    }
    return false;
}

/* A position on its way through the search. */
struct search_tree_node {
    const SEARCH_POSITION *p;
    uint64_t key;
    uint32_t tt_move;
    int alpha;
    int beta;
    int depth;
    int ply;
    int evaluation;
    bool is_improving;  /* against the side's own move before */
    bool is_pv;         /* the whole window is open */
    bool is_threatened; /* no time for pruning */
    bool is_to_end;     /* every move is searched to the end of the game: nothing is left out */
};

/* Ends that need no move: a repetition, the depth of our memory, a solver, a faster win
 * elsewhere. */
static bool is_leaf(struct search_memory *w, struct search_tree_node *node, int *score)
{
    if (node->ply == 0) {
        return false;
    }
    if (is_repetition(w, node->ply)) {
        *score = position_cycle_value(node->p);
        return true;
    }
    if (node->ply == SEARCH_MAX_PLY) {
        *score = position_evaluate(node->p);
        return true;
    }
    bool is_in_sight = !w->thread.search->level.depth || node->is_to_end;
    if (is_in_sight &&
        position_solve(&w->thread, node->p, node->depth, node->alpha, node->beta, score)) {
        return true;
    }
    /* Nothing here can be worse than losing now or better than winning next. */
    node->alpha = search_max(node->alpha, node->ply - SEARCH_WIN);
    node->beta = search_min(node->beta, SEARCH_WIN - node->ply - 1);
    *score = node->alpha;
    return node->alpha >= node->beta;
}

/* Whether the table knows enough; entry->move is what it suggests. */
static bool is_tt_cutoff(const struct search_memory *w, const struct search_tree_node *node,
                         uint64_t key, struct tt_entry *entry, int *score)
{
    *entry = (struct tt_entry){.move = SEARCH_NO_MOVE};
    bool is_found = tt_find(w->thread.search->tt, key, entry);
    if (!is_found || node->is_pv || entry->depth < node->depth) {
        return false;
    }
    *score = value_at(entry->score, node->ply);
    return entry->bound == TT_EXACT || (entry->bound == TT_LOWER && *score >= node->beta) ||
           (entry->bound == TT_UPPER && *score <= node->alpha);
}

/* What the pruning rules depend on. */
static void evaluate_node(struct search_memory *w, struct search_tree_node *node)
{
    if (node->is_to_end) {
        return;
    }
    int ply = node->ply;
    node->evaluation = w->frames[ply].evaluation = position_evaluate(node->p);
    node->is_improving =
        search_rules.asks_trend && ply >= 2 && node->evaluation > w->frames[ply - 2].evaluation;
}

/* Reverse futility: so far above the window that the few plies left will not bring it down. */
static bool reverse_futility(const struct search_tree_node *node, int *score)
{
    if (node->is_pv || node->is_threatened || node->is_to_end ||
        node->depth > search_rules.reverse_futility_depth || node->beta > SEARCH_WIN_BOUND ||
        node->beta < -SEARCH_WIN_BOUND) {
        return false;
    }
    *score = node->evaluation;
    int plies = node->depth - node->is_improving;
    return *score - search_rules.reverse_futility * plies >= node->beta;
}

/* Futility: so far below the window that with the few plies left no quiet move will lift it. */
static bool is_futile(const struct search_tree_node *node)
{
    return !node->is_pv && !node->is_threatened && !node->is_to_end &&
           node->depth <= search_rules.futility_depth && node->alpha < SEARCH_WIN_BOUND &&
           node->alpha > -SEARCH_WIN_BOUND &&
           node->evaluation + search_rules.futility * node->depth <= node->alpha;
}

/* ProbCut: so far outside the window for a much shallower search that a deep one will agree. */
static bool probcut(struct search_memory *w, const struct search_tree_node *node, int *score)
{
    struct search_probe probe = position_probe(node->p, node->depth);
    if (!search_rules.asks_probes || probe.depth <= 0 || node->is_pv || node->is_threatened ||
        node->is_to_end || node->ply == 0) {
        return false;
    }
    bool is_above = node->evaluation >= node->beta;
    int bound = is_above ? node->beta + probe.margin - 1 : node->alpha - probe.margin;
    int found = search_node(w, node->p, bound, bound + 1, probe.depth, node->ply);
    *score = is_above ? node->beta : node->alpha;
    return !w->thread.is_stopped && (found > bound) == is_above;
}

/* Late move pruning: with little depth left, quiet moves late in the order are not tried. */
static bool late_move_pruning(const struct search_tree_node *node, int searched, int best)
{
    int depth = node->depth;
    return !node->is_pv && !node->is_threatened && !node->is_to_end &&
           depth <= search_rules.late_move_depth &&
           searched >=
               search_rules.late_move_base + depth * depth * search_rules.late_move_factor &&
           best > -SEARCH_WIN_BOUND;
}

/* By how much less a late quiet move is searched at first. */
static int late_move_reduction(const struct search_memory *w, const struct search_tree_node *node,
                               uint32_t move, int searched)
{
    if (node->is_threatened || node->is_to_end || node->depth < 3 ||
        searched < search_rules.reduction_after) {
        return 0;
    }
    int past = history_of(w, position_history(node->p, move)) / (HISTORY_LIMIT / 2);
    int less = reduction(node->depth, searched) - node->is_pv - past;
    less += search_rules.asks_trend && !node->is_improving;
    return search_max(0, search_min(less, node->depth - 2));
}

/* The first move gets the whole window; the others have to show that they deserve it. */
static int search_child(struct search_memory *w, const struct search_tree_node *node,
                        struct search_move move, int searched)
{
    SEARCH_POSITION next = position_play(node->p, move.code);
    tt_prefetch(w->thread.search->tt, position_key(&next));
    int alpha = node->alpha;
    int depth = node->depth - 1;
    int ply = node->ply + 1;
    if (searched > 0) {
        bool is_quiet = move.order < SEARCH_NOISY;
        int less = is_quiet ? late_move_reduction(w, node, move.code, searched) : 0;
        int score = -search_node(w, &next, -alpha - 1, -alpha, depth - less, ply);
        if (score > alpha && less > 0) {
            score = -search_node(w, &next, -alpha - 1, -alpha, depth, ply);
        }
        if (score <= alpha || !node->is_pv) {
            return score;
        }
    }
    return -search_node(w, &next, -node->beta, -alpha, depth, ply);
}

/* Whether the player of a level overlooks this move. It never overlooks the table's move. */
static bool is_overlooked(const struct search_memory *w, const struct search_tree_node *node,
                          struct search_move move)
{
    return move.code != node->tt_move &&
           !sees(w, node->key, move.code, move.order >= SEARCH_NOISY) &&
           (node->ply > 0 || move.code != w->only_move);
}

/* A move of the root, as good as it seems to the player of a level: it is searched in a window
 * that is moved by the error. A win or loss in sight is never misjudged. */
static int search_root_child(struct search_memory *w, const struct search_tree_node *node,
                             struct search_move move, int searched)
{
    const struct search *search = w->thread.search;
    if (!search->level.noise) {
        return search_child(w, node, move, searched);
    }
    int error = level_noise(&search->level, search->salt, move.code);
    struct search_tree_node seeming = *node;
    seeming.alpha = search_max(seeming.alpha - error, -SEARCH_INFINITY);
    seeming.beta = search_min(seeming.beta - error, SEARCH_INFINITY);
    int score = search_child(w, &seeming, move, searched);
    return score > SEARCH_WIN_BOUND || score < -SEARCH_WIN_BOUND ? score : score + error;
}

/* A node's moves, while one thread or several search them; with a split point, guarded by its
 * lock. */
struct search_siblings {
    struct search_memory *owner;
    int root_depth;
    struct search_tree_node node; /* its alpha rises */
    int count;
    int next; /* of the frame's moves: those before it are taken */
    int searched;
    int best;
    uint32_t best_move;
    int cut_by; /* the quiet move that cut off, or -1 */
    bool is_futile;
    uint32_t killers[2][2]; /* of the next two plies, for helpers */
};

static inline void lock_if(struct split *split)
{
    if (split) {
        split_lock(split);
    }
}

static inline void unlock_if(struct split *split)
{
    if (split) {
        split_unlock(split);
    }
}

/* The next move that is to be searched; false: there is none. */
static bool take_move(struct search_siblings *b, struct search_move *move, int *index)
{
    struct search_frame *frame = &b->owner->frames[b->node.ply];
    const struct search_tree_node *node = &b->node;
    while (b->next < b->count && b->best < node->beta) {
        *index = b->next++;
        *move = pick(frame->moves, *index, b->count);
        bool is_quiet = move->order < SEARCH_NOISY;
        bool is_left_out =
            (node->ply == 0 && is_excluded(b->owner->thread.search, move->code)) ||
            is_overlooked(b->owner, node, *move) ||
            (is_quiet && late_move_pruning(node, b->searched, b->best)) ||
            (is_quiet && b->is_futile && b->searched > 0 && b->best > -SEARCH_WIN_BOUND);
        if (!is_left_out) {
            return true;
        }
    }
    return false;
}

/* Raises the node's alpha and keeps the line that worker `w` has found. */
static void keep_score(struct search_siblings *b, struct search_memory *w, struct search_move move,
                       int index, int score)
{
    struct search_tree_node *node = &b->node;
    b->best = search_max(b->best, score);
    if (score > node->alpha) {
        node->alpha = score;
        b->best_move = move.code;
        line_set(&b->owner->frames[node->ply], &w->frames[node->ply + 1], move.code);
        if (node->ply == 0) {
            keep_root_line(b->owner, b->root_depth, score, node->beta);
        }
    }
    if (score >= node->beta && move.order < SEARCH_NOISY && b->cut_by < 0) {
        b->cut_by = index;
    }
}

/* Takes and searches moves, at most `most`, until there is none. */
static void search_siblings(struct search_memory *w, struct search_siblings *b, struct split *split,
                            int most)
{
    struct search_move move;
    int index = 0;
    for (int taken = 0; taken < most && !w->thread.is_stopped; taken++) {
        lock_if(split);
        bool is_taken = take_move(b, &move, &index);
        struct search_tree_node node = b->node;
        int searched = is_taken ? b->searched++ : 0;
        if (split && b->next == b->count) {
            split_exhaust(split);
        }
        unlock_if(split);
        if (!is_taken) {
            return;
        }
        int score = node.ply == 0 ? search_root_child(w, &node, move, searched)
                                  : search_child(w, &node, move, searched);
        if (w->thread.is_stopped) {
            return;
        }
        lock_if(split);
        keep_score(b, w, move, index, score);
        if (split && b->best >= node.beta) {
            split_cut(split);
        }
        unlock_if(split);
    }
}

/* A helper's part: it continues the owner's path with frames of its own. A thread that waits in a
 * split point above has the first frames of that path already, and others may be reading them. */
static void help_siblings(struct split *split, struct search_thread *thread)
{
    struct search_memory *w = (struct search_memory *)thread;
    struct search_siblings *b = split->node;
    int ply = b->node.ply;
    for (int i = w->shared_plies; i <= ply; i++) {
        w->frames[i].cycle_key = b->owner->frames[i].cycle_key;
        w->frames[i].evaluation = b->owner->frames[i].evaluation;
    }
    w->root_depth = b->root_depth;
    for (int i = 0; i < 2; i++) {
        memcpy(w->frames[ply + 1 + i].killers, b->killers[i], sizeof b->killers[i]);
    }
    for (unsigned i = 0; b->node.depth >= SEARCH_SHARE_DEPTH && i < SEARCH_HISTORY; i++) {
        history_set(w, i, history_of(b->owner, i));
    }
    search_siblings(w, b, split, INT_MAX);
}

/* Searches the moves in their order; *best_move stays as it is when none raises alpha. A root all
 * of whose moves are excluded is worth its alpha, a position in which a level sees no move what it
 * looks like. */
static int search_moves(struct search_memory *w, const struct search_tree_node *node, int count,
                        uint32_t *best_move)
{
    struct search_siblings b = {.owner = w,
                                .root_depth = w->root_depth,
                                .node = *node,
                                .count = count,
                                .best = -SEARCH_INFINITY,
                                .best_move = *best_move,
                                .cut_by = -1,
                                .is_futile = is_futile(node)};
    struct split *split = NULL;
    if (w->thread.may_split && node->depth >= SEARCH_SPLIT_DEPTH) {
        bool is_open = node->is_pv && !node->is_to_end;
        search_siblings(w, &b, NULL, is_open ? 1 : SEARCH_SPLIT_AFTER);
        bool has_more = b.next < count && b.best < node->beta && !w->thread.is_stopped;
        for (int i = 0; i < 2; i++) {
            memcpy(b.killers[i], w->frames[node->ply + 1 + i].killers, sizeof b.killers[i]);
        }
        split = has_more ? split_open(&w->thread, node->depth, help_siblings, &b) : NULL;
    }
    int shared_plies = w->shared_plies;
    w->shared_plies = split ? node->ply + 1 : shared_plies;
    search_siblings(w, &b, split, INT_MAX);
    if (split) {
        split_close(&w->thread, split);
    }
    w->shared_plies = shared_plies;
    if (w->thread.is_stopped) {
        return 0;
    }
    if (b.cut_by >= 0) {
        update_history(w, node->p, &w->frames[node->ply], b.cut_by, node->depth);
    }
    *best_move = b.best_move;
    return b.searched ? b.best : node->ply ? position_evaluate(node->p) : b.node.alpha;
}

static int search_node(struct search_memory *w, const SEARCH_POSITION *p, int alpha, int beta,
                       int depth, int ply)
{
    struct search_frame *frame = &w->frames[ply];
    int score = 0;
    frame->line_count = 0;
    if (ply > 0 && is_over(w, p, ply, &score)) {
        return value_at(score, ply);
    }
    bool is_threatened = position_is_threatened(p);
    depth += search_rules.extends_threats && is_threatened && ply < 2 * w->root_depth;
    if (depth <= 0) {
        return quiescence(w, p, alpha, beta, ply);
    }
    if (!search_count_node(&w->thread)) {
        return 0;
    }
    int end = position_plies_to_end(p);
    struct search_tree_node node = {.p = p,
                                    .key = position_key(p),
                                    .alpha = alpha,
                                    .beta = beta,
                                    .depth = search_min(depth, end),
                                    .ply = ply,
                                    .is_pv = beta - alpha > 1,
                                    .is_threatened = is_threatened,
                                    .is_to_end = depth >= end};
    uint64_t key = node.key;
    struct tt_entry entry;
    frame->cycle_key = position_cycle_key(p);
    if (is_leaf(w, &node, &score) || is_tt_cutoff(w, &node, key, &entry, &score)) {
        return score;
    }
    evaluate_node(w, &node);
    if (reverse_futility(&node, &score) || probcut(w, &node, &score)) {
        return score;
    }
    if (entry.move == SEARCH_NO_MOVE) {
        tt_find(w->thread.search->tt, key, &entry); /* a probe may have left a move */
    }
    node.tt_move = ply == 0 && w->best.count ? w->best.line[0] : entry.move;
    int count = position_generate(p, node.depth, frame->moves);
    if (count == 0) {
        return search_pass(w, p, node.alpha, node.beta, node.depth, ply);
    }
    order_moves(w, p, frame, count, node.tt_move);
    forget_killers(w, ply + 2);
    uint32_t best_move = SEARCH_NO_MOVE;
    int best = search_moves(w, &node, count, &best_move);
    if (w->thread.is_stopped || (ply == 0 && w->thread.search->excluded_count)) {
        return best;
    }
    enum tt_bound bound = best >= node.beta ? TT_LOWER : best > node.alpha ? TT_EXACT : TT_UPPER;
    tt_store(w->thread.search->tt, key,
             (struct tt_entry){.move = best_move,
                               .score = to_table(best, ply),
                               .depth = (uint8_t)node.depth,
                               .bound = (uint8_t)bound});
    return best;
}

/* Searches the root in a window that grows until the score is inside. */
static int aspiration(struct search_memory *w, const SEARCH_POSITION *root, int low, int high)
{
    int floor = search_max(w->thread.search->floor, -SEARCH_INFINITY);
    for (int step = search_rules.window;; step *= 3) {
        low = search_max(low, floor);
        high = search_max(search_min(high, SEARCH_INFINITY), low + 1);
        int score = search_node(w, root, low, high, w->root_depth, 0);
        if (w->thread.is_stopped) {
            return score;
        }
        if (score <= low && low > floor) {
            low = step > 2000 ? floor : low - step;
        } else if (score >= high && high < SEARCH_INFINITY) {
            high = step > 2000 ? SEARCH_INFINITY : high + step;
        } else {
            return score;
        }
    }
}

/* Whether a deeper search can still change the result. */
static bool is_settled(const struct search_result *result)
{
    int distance = SEARCH_WIN - (result->score < 0 ? -result->score : result->score);
    return result->is_exact || result->depth > distance;
}

/* Whether what is left is likely to be enough for the rest of the game: each ply takes 8/3 times
 * as many nodes. */
static bool can_afford_end(const struct search_thread *thread, int plies_to_end)
{
    uint64_t left = search_nodes_left(thread);
    for (int plies = FREE_END_PLIES; plies < plies_to_end && left; plies++) {
        left = left / 8 * 3;
    }
    return left > 0;
}

/* The depth after `depth`: one more, or all the rest of the game at once. */
static int next_depth(const struct search_memory *w, int depth, int plies_to_end)
{
    bool is_near =
        depth + 1 >= plies_to_end || (depth + 1 >= plies_to_end - search_rules.solve_jump &&
                                      can_afford_end(&w->thread, plies_to_end));
    return is_near && plies_to_end <= w->thread.search->max_depth ? plies_to_end : depth + 1;
}

/* Searches to the end of the game: first the winner, then the margin, if that counts. */
static int search_to_end(struct search_memory *w, const SEARCH_POSITION *root, int guess)
{
    int low = guess - search_rules.window;
    int high = guess + search_rules.window;
    if (w->thread.search->floor > -SEARCH_INFINITY) {
        return aspiration(w, root, low, high);
    }
    int sign = search_node(w, root, -1, 1, w->root_depth, 0);
    bool is_all_said = sign == 0 || sign > SEARCH_WIN_BOUND || sign < -SEARCH_WIN_BOUND;
    if (is_all_said || w->thread.is_stopped) {
        return sign;
    }
    return sign > 0 ? aspiration(w, root, search_max(low, 0), search_max(high, sign))
                    : aspiration(w, root, search_min(low, sign), search_min(high, 0));
}

/* False when it had to stop; w->best then has the best that was found until then. */
static bool search_depth(struct search_memory *w, const SEARCH_POSITION *root, int depth,
                         bool is_last)
{
    int guess = w->best.score;
    w->root_depth = depth;
    w->found.count = 0;
    int score = is_last
                    ? search_to_end(w, root, guess)
                    : aspiration(w, root, guess - search_rules.window, guess + search_rules.window);
    if (w->found.count > 0) {
        int finished = w->thread.is_stopped ? w->best.depth : depth;
        w->best = w->found;
        w->best.depth = finished;
    }
    if (w->thread.is_stopped) {
        return false;
    }
    w->best.score = score;
    w->best.depth = depth;
    w->best.is_exact = is_last;
    w->thread.owes_answer = false;
    return true;
}

/* Where a level overlooks every move of the root it sees the most visible one after all. */
static uint32_t most_visible(const struct search *search, uint64_t key,
                             const struct search_move *moves, int count)
{
    uint32_t found = SEARCH_NO_MOVE;
    int most = -1;
    for (int i = 0; i < count; i++) {
        int visibility = level_visibility(search->salt, key, moves[i].code);
        if (visibility > most) {
            most = visibility;
            found = moves[i].code;
        }
    }
    return found;
}

/* Something to answer even if there is no time for anything. */
static void take_first_move(struct search_memory *w, const SEARCH_POSITION *root)
{
    struct search_move *moves = w->frames[0].moves;
    int count = position_generate(root, 1, moves);
    uint64_t key = position_key(root);
    w->only_move = most_visible(w->thread.search, key, moves, count);
    bool can_pass = count == 0 && !is_excluded(w->thread.search, SEARCH_PASS);
    w->best = (struct search_result){.count = can_pass, .line = {SEARCH_PASS}};
    for (int i = 0; i < count; i++) {
        struct search_move move = pick(moves, i, count);
        bool is_seen =
            sees(w, key, move.code, move.order >= SEARCH_NOISY) || move.code == w->only_move;
        if (is_seen && !is_excluded(w->thread.search, move.code)) {
            w->best = (struct search_result){.count = 1, .line = {move.code}};
            return;
        }
    }
}

static void worker_begin(struct search_memory *w, struct search *search, int index)
{
    w->thread = search_thread_start(search, index, index == 0);
    w->shared_plies = 0;
    for (unsigned i = 0; i < SEARCH_HISTORY; i++) {
        history_set(w, i, 0);
    }
    forget_killers(w, 0);
    forget_killers(w, 1);
}

/* Whether other threads are to help at this depth. On the way to an end that can be afforded they
 * are not: those depths take no time, and what they find, the first move and the window of the
 * exact search, decides what that one takes; with one thread it is the same every time. */
static bool is_for_all(const struct search_memory *w, int depth, int plies_to_end)
{
    bool is_on_the_way = search_rules.solve_jump > 0 && depth < plies_to_end &&
                         plies_to_end <= search_min(END_IN_SIGHT, w->thread.search->max_depth) &&
                         can_afford_end(&w->thread, plies_to_end);
    return w->thread.team && !w->thread.owes_answer && !is_on_the_way;
}

/* What the first thread does. A new depth takes longer than all before it: it is not begun when
 * half of the time is over and it is unlikely to change the move, unless it is the exact one. */
static void iterative_deepening(struct search_memory *w, const SEARCH_POSITION *root)
{
    struct search *search = w->thread.search;
    take_first_move(w, root);
    int end = position_plies_to_end(root);
    int depth = next_depth(w, 0, end);
    int stable_depths = 0;
    uint32_t move = SEARCH_NO_MOVE;
    w->thread.may_split = is_for_all(w, depth, end);
    while (w->best.count && depth <= search->max_depth &&
           search_depth(w, root, depth, depth == end)) {
        search->result = w->best;
        if (search->on_depth) {
            search_check_limits(&w->thread);
            search->on_depth(search->context, search);
        }
        if (is_settled(&w->best)) {
            break;
        }
        stable_depths = w->best.line[0] == move ? stable_depths + 1 : 1;
        move = w->best.line[0];
        depth = next_depth(w, depth, end);
        if (depth != end && stable_depths >= SEARCH_STABLE_DEPTHS &&
            search_is_early_enough(search)) {
            break;
        }
        w->thread.may_split = is_for_all(w, depth, end);
    }
    search->result = w->best;
}

static void search_run(struct search *search, void *memory, int index)
{
    struct search_memory *w = memory;
    worker_begin(w, search, index);
    if (index == 0) {
        SEARCH_POSITION root = position_read(search->root, search->variant);
        iterative_deepening(w, &root);
    } else {
        search_return_nodes(&w->thread);
        split_serve(&w->thread);
    }
    search_check_limits(&w->thread);
    if (index == 0) {
        atomic_store(&search->is_over, true);
        split_dismiss(search->team);
    }
}

static struct state search_play(int variant, const struct state *state, uint32_t move)
{
    SEARCH_POSITION before = position_read(state, variant);
    SEARCH_POSITION after = before;
    if (move == SEARCH_PASS) {
        position_pass(&before, &after);
    } else {
        after = position_play(&before, move);
    }
    return position_write(&after);
}

#endif
