/* engine: finds a move for a position within limits.
 *
 * Scores are for the side to move, in hundredths of what the game counts: discs, say,
 * or soldiers (the topic "unit" of game/about.h). A score beyond
 * ±ENGINE_WIN_BOUND means that the game is decided: ENGINE_WIN - score plies until it is
 * won, or ENGINE_WIN + score until it is lost. (In a game that counts a
 * difference at the end, an exact score is that difference instead.)
 *
 * With one thread and limits on depth or nodes alone, the same calls since the last
 * engine_clear give the same answers on every machine.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "engine/search.h"
#include "engine/tt.h"
#include "game/game.h"

enum {
    ENGINE_MAX_THREADS = 256,
    ENGINE_MAX_HASH_MB = TT_MAX_MB,
    ENGINE_DEFAULT_HASH_MB = 64,
    ENGINE_MAX_DEPTH = SEARCH_MAX_PLY - 1,
    ENGINE_MAX_LINE = 32,
    ENGINE_MAX_CHOICES = 32,
    ENGINE_MAX_LEVEL = LEVEL_MAX,
    ENGINE_WIN = SEARCH_WIN,
    ENGINE_WIN_BOUND = SEARCH_WIN_BOUND,
};

/* A zeroed struct is an engine that was not made yet. */
struct engine {
    struct tt tt;
    struct thread_pool *pool;
    int thread_count;
    unsigned char *workers; /* every thread's memory, one after the other */
    size_t worker_bytes;
    struct split_team *team; /* NULL for one thread */
};

/* 0 everywhere: no limit but the stop flag. */
struct engine_limits {
    int depth;
    uint64_t nodes;   /* of all threads together */
    int64_t time_ns;  /* a hard deadline from the call on; time_limit.h says how much to use */
    int64_t early_ns; /* from then on a best move that several depths agree on is enough */
    int level;        /* 1…9 make errors as in level.h, 10 does not */
    uint64_t seed;    /* for the errors of levels 1…9 */
    const struct level_rules *rules; /* instead of the level's own; or NULL */
};

struct engine_line {
    int count;
    struct move moves[ENGINE_MAX_LINE];
};

struct engine_report {
    struct move move;
    int score;
    int depth;
    bool is_exact; /* the score is the game's value, nothing was left out */
    uint64_t nodes;
    int64_t time_ns;
    struct engine_line line; /* the principal variation; it begins with `move` */
};

/* The best moves of a position, best first. */
struct engine_analysis {
    int count;
    struct engine_report choices[ENGINE_MAX_CHOICES];
};

typedef void engine_depth_fn(void *context, const struct engine_report *report);
typedef void engine_analysis_fn(void *context, const struct engine_analysis *analysis);
typedef search_progress_fn engine_progress_fn; /* (context, elapsed_ns) */

/* What to search. The game must not be over in `state`. */
struct engine_request {
    const struct game *game;
    const struct state *state;
    struct engine_limits limits;
    const atomic_bool *stop; /* true: end within 10 ms; or NULL */

    /* In the calling thread; each may be NULL. */
    engine_depth_fn *on_depth;       /* of engine_search, after each finished depth */
    engine_analysis_fn *on_analysis; /* of engine_analyze, likewise */
    engine_progress_fn *on_progress; /* about ten times a second, from 0.1 s on */
    void *context;
};

/* Refused: ERR_ENVIRONMENT, and nothing to free. */
MUST_USE enum err engine_init(struct engine *engine, int hash_mb, int threads, struct note *why);
void engine_free(struct engine *engine);

/* A new game: results of earlier searches must not influence it. */
void engine_clear(struct engine *engine);

/* Searches, in the calling thread and the engine's own ones, until a limit is reached or `stop` is
 * set. There is an answer however short the time. One search at a time per engine. */
void engine_search(struct engine *engine, const struct engine_request *request,
                   struct engine_report *out);

/* As engine_search, but for up to `count` moves, each searched as deeply as the others. Levels do
 * not apply. */
void engine_analyze(struct engine *engine, const struct engine_request *request, int count,
                    struct engine_analysis *out);

/* The exact value of a position, and every move that reaches it. */
struct engine_solution {
    int value; /* final difference for the side to move; 1, 0 or -1 where the game has no difference
                */
    size_t count;
    struct move moves[GAME_MAX_MOVES];
    uint64_t nodes;
    int64_t time_ns;
};

/* Finds one optimal move, or with `all` each of them, in the order of their texts. Levels do not
 * apply. False when a limit was reached, it was stopped, or the position is too far from its end:
 * of *out only `nodes` and `time_ns` are written then, 0 where it was not worth trying. */
bool engine_solve(struct engine *engine, const struct engine_request *request, bool all,
                  struct engine_solution *out);

#endif
