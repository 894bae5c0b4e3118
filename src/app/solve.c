#include "app/solve.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "app/ticker.h"
#include "base/clock.h"

struct solve_run {
    const struct solve_options *options;
    int64_t started_ns;
    atomic_bool stop;
};

static int64_t watch(void *context)
{
    const int64_t interval_ns = CLOCK_NS_PER_S / 10;
    struct solve_run *run = context;
    int64_t elapsed_ns = clock_now_ns() - run->started_ns;
    int64_t left_ns = run->options->limit_ns ? run->options->limit_ns - elapsed_ns : INT64_MAX;
    if (left_ns <= 0) {
        atomic_store(&run->stop, true);
    }
    if (run->options->on_progress) {
        run->options->on_progress(run->options->owner, elapsed_ns);
    }
    return left_ns > 0 && left_ns < interval_ns ? left_ns : interval_ns;
}

static enum err explain_failure(const struct solve_run *run, uint64_t nodes, struct note *why)
{
    if (atomic_load(&run->stop)) {
        note_set(why,
                 "not solved within %" PRId64 " ms; give it more --time, "
                 "or a position nearer to its end",
                 run->options->limit_ns / CLOCK_NS_PER_MS);
    } else if (nodes) {
        note_set(why,
                 "not solved with %.0f million positions; it is too far from the end of the game",
                 (double)nodes / 1e6);
    } else {
        note_set(why, "this position is too far from the end of the game to be solved");
    }
    return ERR_NEGATIVE;
}

enum err solve_position(struct engine *engine, const struct game *game, const struct state *state,
                        const struct solve_options *options, struct engine_solution *out,
                        struct note *why)
{
    struct solve_run run = {.options = options, .started_ns = clock_now_ns()};
    struct ticker ticker;
    bool is_watched = options->limit_ns || options->on_progress;
    enum err err = is_watched ? ticker_start(&ticker, watch, &run, why) : ERR_NONE;
    if (err) {
        return err;
    }
    bool is_solved = engine_solve(
        engine, &(struct engine_request){.game = game, .state = state, .stop = &run.stop},
        options->all, out);
    if (is_watched) {
        ticker_stop(&ticker);
    }
    /* A stopped search is not solved, whatever the engine found before it noticed. */
    return is_solved && !atomic_load(&run.stop) ? ERR_NONE : explain_failure(&run, out->nodes, why);
}
