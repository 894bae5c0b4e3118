#include "engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/entry.h"
#include "engine/level.h"
#include "engine/registry.h"
#include "engine/threads.h"

enum { CACHE_LINE = 64 };

enum err engine_init(struct engine *engine, int hash_mb, int threads, struct note *why)
{
    struct engine made = {.thread_count = threads};
    made.worker_bytes = (engine_registry_worker_bytes() + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    enum err err = table_init(&made.table, hash_mb, why);
    if (err) {
        return err;
    }
    size_t bytes = made.worker_bytes * (size_t)threads;
    made.workers = aligned_alloc(CACHE_LINE, bytes);
    if (!made.workers) {
        note_set(why, "there is not enough memory for %d threads", threads);
        err = ERR_ENVIRONMENT;
        goto out;
    }
    memset(made.workers, 0, bytes);
    err = threads_start(threads, &made.threads, why);
out:
    if (err) {
        engine_free(&made);
    } else {
        *engine = made;
    }
    return err;
}

void engine_free(struct engine *engine)
{
    threads_end(engine->threads);
    free(engine->workers);
    table_free(&engine->table);
    *engine = (struct engine){0};
}

void engine_clear(struct engine *engine) { table_clear(&engine->table); }

/* One call of engine_search or engine_solve. */
struct task {
    struct engine *engine;
    const struct engine_entry *entry;
    const struct game *game;
    const struct state *state;
    struct search search;
    int64_t started_ns;
    engine_depth_fn *on_depth;
    void *context;
};

static void run_thread(void *context, int index)
{
    struct task *task = context;
    struct engine *engine = task->engine;
    task->entry->search(&task->search, engine->workers + engine->worker_bytes * (size_t)index,
                        index);
}

static void run(struct task *task)
{
    table_age(&task->engine->table);
    atomic_store(&task->search.is_over, false);
    threads_run(task->engine->threads, run_thread, task);
}

/* The judge's move that leads from one position to the next. */
static struct move move_between(const struct game *game, const struct state *before,
                                const struct state *after)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(before, moves);
    for (size_t i = 0; i < count; i++) {
        struct state reached = *before;
        if (!game->apply(&reached, &moves[i], NULL) && !memcmp(&reached, after, sizeof reached)) {
            return moves[i];
        }
    }
    assert(false && "the search plays legal moves");
    return moves[0];
}

static void write_line(const struct task *task, struct engine_line *line)
{
    const struct search_result *result = &task->search.result;
    struct state state = *task->state;
    line->count = 0;
    for (int i = 0; i < result->count && line->count < ENGINE_MAX_LINE; i++) {
        struct state next = task->entry->play(task->entry->variant, &state, result->line[i]);
        line->moves[line->count++] = move_between(task->game, &state, &next);
        state = next;
    }
}

static void write_report(const struct task *task, struct engine_report *out)
{
    const struct search_result *result = &task->search.result;
    out->score = result->score;
    out->depth = result->depth;
    out->is_exact = result->is_exact;
    out->nodes = atomic_load(&task->search.nodes);
    out->time_ns = clock_now_ns() - task->started_ns;
    write_line(task, &out->line);
    out->move = out->line.moves[0];
}

static void tell_depth(void *context, const struct search *search)
{
    (void)search;
    const struct task *task = context;
    struct engine_report report;
    write_report(task, &report);
    task->on_depth(task->context, &report);
}

static struct task task_make(struct engine *engine, const struct game *game,
                             const struct state *state, const atomic_bool *stop)
{
    const struct engine_entry *entry = engine_registry_find(game);
    assert(entry);
    return (struct task){
        .engine = engine,
        .entry = entry,
        .game = game,
        .state = state,
        .started_ns = clock_now_ns(),
        .search = {.table = &engine->table,
                   .root = state,
                   .variant = entry->variant,
                   .max_depth = ENGINE_MAX_DEPTH,
                   .max_nodes = UINT64_MAX,
                   .deadline_ns = INT64_MAX,
                   .floor = -SEARCH_INFINITY,
                   .stop = stop},
    };
}

static void apply_limits(struct task *task, const struct engine_limits *limits)
{
    struct search *search = &task->search;
    uint64_t budget = level_nodes(limits->level);
    search->max_nodes = limits->nodes && limits->nodes < budget ? limits->nodes : budget;
    if (limits->depth > 0 && limits->depth < search->max_depth) {
        search->max_depth = limits->depth;
    }
    if (limits->time_ns > 0) {
        search->deadline_ns = task->started_ns + limits->time_ns;
    }
}

static size_t count_moves(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    return game->moves(state, moves);
}

/* The best of the other moves, found with the same budget once more. */
static void search_second_choice(struct task *task)
{
    uint32_t first = task->search.result.line[0];
    struct search_result best = task->search.result;
    task->search.excluded = &first;
    task->search.excluded_count = 1;
    uint64_t used = atomic_load(&task->search.nodes);
    if (task->search.max_nodes != UINT64_MAX) {
        task->search.max_nodes += used;
    }
    run(task);
    task->search.excluded_count = 0;
    if (!task->search.result.count) {
        task->search.result = best;
    }
}

void engine_search(struct engine *engine, const struct game *game, const struct state *state,
                   const struct engine_limits *limits, const atomic_bool *stop,
                   engine_depth_fn *on_depth, void *context, struct engine_report *out)
{
    struct task task = task_make(engine, game, state, stop);
    apply_limits(&task, limits);
    task.on_depth = on_depth;
    task.context = context;
    task.search.context = &task;
    task.search.on_depth = on_depth ? tell_depth : NULL;
    size_t choices = count_moves(game, state);
    if (choices == 1 && !limits->depth) {
        task.search.max_depth = 1;
    }
    run(&task);
    if (choices > 1 && level_errs(limits->level, limits->seed, game->key(state))) {
        search_second_choice(&task);
    }
    write_report(&task, out);
}

bool engine_can_solve(const struct game *game) { return engine_registry_find(game)->can_solve; }

static void sort_moves(struct move *moves, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct move move = moves[i];
        size_t at = i;
        for (; at > 0 && move_compare(&move, &moves[at - 1]) < 0; at--) {
            moves[at] = moves[at - 1];
        }
        moves[at] = move;
    }
}

bool engine_solve(struct engine *engine, const struct game *game, const struct state *state,
                  bool all, const atomic_bool *stop, struct engine_solution *out)
{
    struct task task = task_make(engine, game, state, stop);
    const struct search_result *result = &task.search.result;
    struct engine_solution solution = {0};
    uint32_t optimal[GAME_MAX_SQUARES];
    int value = 0;
    do {
        run(&task);
        if (result->count && !result->is_exact) {
            return false;
        }
        if (solution.count == 0) {
            value = result->score;
        }
        if (!result->count || result->score < value) {
            break;
        }
        struct engine_report report;
        write_report(&task, &report);
        solution.moves[solution.count] = report.move;
        optimal[solution.count++] = result->line[0];
        task.search.excluded = optimal;
        task.search.excluded_count = (int)solution.count;
        task.search.floor = value - 1;
    } while (all && solution.count < GAME_MAX_SQUARES);
    sort_moves(solution.moves, solution.count);
    solution.value = value / 100;
    solution.nodes = atomic_load(&task.search.nodes);
    solution.time_ns = clock_now_ns() - task.started_ns;
    *out = solution;
    return true;
}
