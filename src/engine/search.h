/* search: what the searches of all games and all their threads share.
 *
 * The part of search.inc.h that is the same in every game: what was asked, found, and when to stop.
 * Long because what is asked, the rules of a game and a thread's counters are used together.
 */
#ifndef ENGINE_SEARCH_H
#define ENGINE_SEARCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/level.h"
#include "engine/tt.h"
#include "game/game.h"

enum {
    SEARCH_MAX_PLY = 128,
    SEARCH_MAX_LINE = 64,
    SEARCH_NO_MOVE = TT_NO_MOVE,
    SEARCH_PASS = 0xfffffe,

    SEARCH_INFINITY = 32000,
    SEARCH_WIN = 30000,                             /* won on the board now */
    SEARCH_WIN_BOUND = SEARCH_WIN - SEARCH_MAX_PLY, /* more than this: a win was found */

    SEARCH_PROGRESS_NS = 100 * 1000 * 1000, /* between two calls of on_progress */

    SEARCH_STABLE_DEPTHS = 4, /* with the same best move: the next one rarely has another */

    SEARCH_NOISY = 1 << 20, /* from this order on a move is one that changes the balance */
};

/* A number below SEARCH_PASS that means something to the game, and how early to try it. */
struct search_move {
    uint32_t code;
    int32_t order;
};

/* How a game wants to be searched. Margins are in hundredths; a depth of 0 turns a rule off.
 * Every game's rules end in SEARCH_TRIAL: tools/lab/build.sh -DSEARCH_TRIAL=.late_move_depth=0
 * builds the engine without a rule, to see in a match what it is worth. */
#ifndef SEARCH_TRIAL
#define SEARCH_TRIAL .is_trial = false
#endif
struct search_rules {
    int window;                 /* half the first aspiration window */
    int reverse_futility;       /* margin for each ply left … */
    int reverse_futility_depth; /* … up to this depth */
    int futility;               /* the same for quiet moves far below the window … */
    int futility_depth;         /* … up to this depth */
    int reduction_after;        /* late move reductions: moves searched before … */
    int reduction_percent;      /* … of ln(depth) ln(moves) */
    int late_move_depth;        /* late move pruning up to this depth … */
    int late_move_base;         /* … after base + factor depth² moves */
    int late_move_factor;
    bool asks_trend;      /* a side that is no better than a move ago gets less depth */
    bool extends_threats; /* one ply deeper where something must be answered */
    bool follows_noise;   /* quiescence: moves that change the balance are followed to the end */
    bool asks_probes; /* ProbCut: the score of a shallow search counts if it is outside the window
                         by a margin */
    bool is_trial;    /* read by nothing: a field for SEARCH_TRIAL to set */
    int solve_jump;   /* search to the end of the game this many plies before it is in reach */
};

/* A shallow search in place of a deep one: its score counts if it is outside the window by the
 * margin. A depth of 0: none. */
struct search_probe {
    int depth;
    int margin; /* hundredths */
};

struct search_result {
    int score; /* for the side to move at the root */
    int depth;
    bool is_exact; /* a deeper search cannot change it */
    int count;
    uint32_t line[SEARCH_MAX_LINE];
};

struct search;
typedef void search_depth_fn(void *context, const struct search *search);
typedef void search_progress_fn(void *context, int64_t elapsed_ns);

struct search {
    struct tt *tt;
    const struct state *root;
    int variant; /* the game's own number for its edition */
    int max_depth;
    uint64_t max_nodes;              /* of all threads and all runs together */
    atomic_uint_fast64_t nodes_left; /* of them, in this run, and not yet given to a thread */
    struct split_team *team;         /* the threads of this run; NULL: one alone */
    int64_t started_ns;
    int64_t deadline_ns;
    bool is_solving;         /* the deadline ends it, but does not change how it searches */
    int64_t early_ns;        /* from then on SEARCH_STABLE_DEPTHS that agree are enough */
    const atomic_bool *stop; /* may be NULL */
    int floor;               /* scores up to this one need not be distinguished */
    struct level_rules level;
    uint64_t salt; /* for the errors of a level */

    int excluded_count;
    const uint32_t *excluded; /* moves that are not to be considered at the root */

    search_depth_fn *on_depth; /* after each finished depth, in the first thread; or NULL */
    void *context;

    search_progress_fn *on_progress; /* every SEARCH_PROGRESS_NS, in the first thread; or NULL */
    void *progress_context;
    int64_t progress_ns; /* when it is next due */

    struct search_result result;
    atomic_uint_fast64_t nodes; /* of all threads, as far as they have reported */
    atomic_bool is_over;        /* every thread has to stop */
};

/* What one thread counts, and when it has to stop: its limits. */
struct search_thread {
    struct search *search;
    struct split_team *team; /* NULL: the thread is alone */
    struct split *split;     /* the innermost one whose move it searches, or NULL */
    int index;               /* of the thread */
    uint64_t nodes;
    uint64_t reported;
    uint64_t limit; /* of `nodes`, until more are drawn from search->nodes_left */
    uint64_t next_check;
    uint64_t next_report;
    bool owes_answer; /* the first depth is finished whatever else is asked: it takes no time */
    bool may_split;   /* other threads may help it */
    bool is_ended;    /* the whole search is */
    bool is_stopped;  /* it is ended, or what the thread searches is not needed any more */
};

/* Whether a stable best move is enough by now. */
bool search_is_early_enough(const struct search *search);

struct search_thread search_thread_start(struct search *search, int index, bool owes_answer);

/* Adds this thread's nodes to the common count and checks every reason to stop. */
void search_check_limits(struct search_thread *thread);

/* The full check if it is due; else only whether the split point was cut. */
void search_check_due(struct search_thread *thread);

/* Draws more nodes from those that are left. False: there are none, and the thread is stopped. */
bool search_draw_nodes(struct search_thread *thread);

/* A thread without work returns the nodes that it has not used. */
void search_return_nodes(struct search_thread *thread);

/* What all threads may still count; where there is a deadline, about what they can. */
uint64_t search_nodes_left(const struct search_thread *thread);

/* Counts a node. False: the thread has to stop. */
static inline bool search_count_node(struct search_thread *thread)
{
    if (thread->nodes >= thread->next_check) {
        search_check_due(thread);
        if (thread->is_stopped) {
            return false;
        }
    }
    thread->nodes++;
    return true;
}

#endif
