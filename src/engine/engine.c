#include "engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine_entry.h"
#include "engine/split.h"
#include "engine/thread_pool.h"

enum {
    CACHE_LINE = 64,
    FORCED_NODES = 20000, /* for a move without choice: a score and a line, no more */
    LINE_NODES = 20000,   /* for the rest of a line */
    LEVEL_TABLE_BYTES = 1 << 20,
};

enum err engine_init(struct engine *engine, int hash_mb, int threads, struct note *why)
{
    struct engine made = {.thread_count = threads};
    made.worker_bytes = (engine_entry_worker_bytes() + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    enum err err = tt_init(&made.tt, hash_mb, why);
    if (err) {
        return err;
    }
    size_t bytes = made.worker_bytes * (size_t)threads;
    made.workers = aligned_alloc(CACHE_LINE, bytes);
    if (!made.workers) {
        err = note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for %d threads", threads);
        goto out;
    }
    memset(made.workers, 0, bytes);
    err = thread_pool_start(threads, &made.pool, why);
    if (err) {
        goto out;
    }
    err = split_team_make(made.pool, threads, &made.team, why);
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
    thread_pool_end(engine->pool);
    split_team_free(engine->team);
    free(engine->workers);
    tt_free(&engine->tt);
    *engine = (struct engine){0};
}

void engine_clear(struct engine *engine) { tt_clear(&engine->tt); }

/* One call of engine_search, engine_analyze or engine_solve. */
struct engine_task {
    struct engine *engine;
    const struct engine_request *request;
    const struct engine_entry *entry;
    int thread_count;
    struct search search;
    struct tt level_tt;               /* of a level's search, part of the engine's */
    uint32_t packed[ENGINE_MAX_LINE]; /* `line` as the search plays it */
    struct engine_line line;          /* the last one that was reported */
};

static void run_thread(void *context, int index)
{
    struct engine_task *task = context;
    struct engine *engine = task->engine;
    task->entry->search(&task->search, engine->workers + engine->worker_bytes * (size_t)index,
                        index);
}

static void run(struct engine_task *task)
{
    struct search *search = &task->search;
    bool is_alone = task->thread_count <= 1;
    uint64_t used = atomic_load(&search->nodes);
    uint64_t left = search->max_nodes > used ? search->max_nodes - used : 0;
    atomic_store(&search->nodes_left, search->max_nodes == UINT64_MAX ? UINT64_MAX : left);
    search->team = is_alone ? NULL : task->engine->team;
    tt_age(search->tt);
    atomic_store(&search->is_over, false);
    thread_pool_run(is_alone ? NULL : task->engine->pool, run_thread, task);
}

static struct state play_line(const struct engine_task *task, struct state state,
                              const uint32_t *line, int count)
{
    for (int i = 0; i < count; i++) {
        state = task->entry->play(task->entry->variant, &state, line[i]);
    }
    return state;
}

static bool is_decided(bool is_exact, int score)
{
    return is_exact || score > SEARCH_WIN_BOUND || score < -SEARCH_WIN_BOUND;
}

/* Adds to a decided result the moves that follow, one search after the other: where it came from
 * a solver, a proof or the table, its line has only a move or two. That takes hardly more nodes
 * than were needed before. */
static void finish_line(struct engine_task *task)
{
    struct search_result *whole = &task->search.result;
    struct state state = play_line(task, *task->request->state, whole->line, whole->count);
    struct engine_task after = *task;
    struct search *search = &after.search;
    uint64_t used = atomic_load(&search->nodes);
    uint64_t enough = used + (used > LINE_NODES ? used : LINE_NODES);
    search->root = &state;
    search->max_nodes = enough < search->max_nodes ? enough : search->max_nodes;
    search->excluded_count = 0;
    search->on_depth = NULL;
    while (!game_is_over(task->request->game, &state)) {
        run(&after);
        const struct search_result *next = &search->result;
        if (!next->count || !is_decided(next->is_exact, next->score) ||
            whole->count + next->count > SEARCH_MAX_LINE) {
            break;
        }
        memcpy(whole->line + whole->count, next->line, (size_t)next->count * sizeof next->line[0]);
        whole->count += next->count;
        state = play_line(task, state, next->line, next->count);
    }
    atomic_store(&task->search.nodes, atomic_load(&search->nodes));
}

static void run_whole(struct engine_task *task)
{
    run(task);
    const struct search_result *result = &task->search.result;
    if (result->count && is_decided(result->is_exact, result->score)) {
        finish_line(task);
    }
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

/* Brings task->line up to date. One depth after the other has nearly the same line: the moves of a
 * position are listed only where it differs from the line before. */
static void write_line(struct engine_task *task)
{
    const struct search_result *result = &task->search.result;
    struct engine_line *line = &task->line;
    int count = result->count < ENGINE_MAX_LINE ? result->count : ENGINE_MAX_LINE;
    int same = 0;
    while (same < count && same < line->count && task->packed[same] == result->line[same]) {
        same++;
    }
    struct state state = play_line(task, *task->request->state, result->line, same);
    for (int i = same; i < count; i++) {
        struct state next = play_line(task, state, &result->line[i], 1);
        line->moves[i] = move_between(task->request->game, &state, &next);
        task->packed[i] = result->line[i];
        state = next;
    }
    line->count = count;
}

static void write_report(struct engine_task *task, struct engine_report *out)
{
    const struct search_result *result = &task->search.result;
    out->score = result->score;
    out->depth = result->depth;
    out->is_exact = result->is_exact && !level_errs(&task->search.level);
    out->nodes = atomic_load(&task->search.nodes);
    out->time_ns = clock_now_ns() - task->search.started_ns;
    write_line(task);
    out->line = task->line;
    out->move = out->line.moves[0];
}

static void report_depth(void *context, const struct search *search)
{
    (void)search;
    struct engine_task *task = context;
    struct engine_report report;
    write_report(task, &report);
    task->request->on_depth(task->request->context, &report);
}

static struct engine_task make_task(struct engine *engine, const struct engine_request *request)
{
    const struct engine_entry *entry = engine_entry_find(request->game);
    assert(entry);
    int64_t now_ns = clock_now_ns();
    return (struct engine_task){
        .engine = engine,
        .request = request,
        .entry = entry,
        .thread_count = engine->thread_count,
        .search = {.started_ns = now_ns,
                   .tt = &engine->tt,
                   .root = request->state,
                   .variant = entry->variant,
                   .max_depth = ENGINE_MAX_DEPTH,
                   .max_nodes = UINT64_MAX,
                   .deadline_ns = INT64_MAX,
                   .early_ns = INT64_MAX,
                   .floor = -SEARCH_INFINITY,
                   .stop = request->stop,
                   .on_progress = request->on_progress,
                   .progress_context = request->context,
                   .progress_ns = now_ns + SEARCH_PROGRESS_NS},
    };
}

/* A level plays the same moves on every machine and after any earlier searches: with one thread,
 * and an empty table of a size that every engine has. */
static void apply_level(struct engine_task *task, const struct level_rules *rules)
{
    struct search *search = &task->search;
    if (!level_is_weaker(rules)) {
        return;
    }
    size_t lines = LEVEL_TABLE_BYTES / sizeof(struct tt_line);
    task->level_tt = (struct tt){.lines = task->engine->tt.lines, .count = lines};
    tt_clear(&task->level_tt);
    task->thread_count = 1;
    search->tt = &task->level_tt;
    search->level = *rules;
    search->salt =
        hash_pair(task->request->limits.seed, task->request->game->key(task->request->state));
    search->max_nodes = rules->nodes ? rules->nodes : UINT64_MAX;
    search->max_depth = rules->depth ? rules->depth : ENGINE_MAX_DEPTH;
}

static void apply_limits(struct engine_task *task)
{
    const struct engine_limits *limits = &task->request->limits;
    struct search *search = &task->search;
    if (limits->nodes && limits->nodes < search->max_nodes) {
        search->max_nodes = limits->nodes;
    }
    if (limits->depth > 0 && limits->depth < search->max_depth) {
        search->max_depth = limits->depth;
    }
    if (limits->time_ns > 0) {
        search->deadline_ns = search->started_ns + limits->time_ns;
    }
    if (limits->early_ns > 0) {
        search->early_ns = search->started_ns + limits->early_ns;
    }
}

static size_t count_moves(const struct engine_request *request)
{
    struct move moves[GAME_MAX_MOVES];
    return request->game->moves(request->state, moves);
}

void engine_search(struct engine *engine, const struct engine_request *request,
                   struct engine_report *out)
{
    const struct engine_limits *limits = &request->limits;
    struct engine_task task = make_task(engine, request);
    struct level_rules rules = level_rules(task.entry->levels, limits->level);
    apply_level(&task, limits->rules ? limits->rules : &rules);
    apply_limits(&task);
    task.search.context = &task;
    task.search.on_depth = request->on_depth ? report_depth : NULL;
    if (count_moves(request) == 1 && !limits->depth && task.search.max_nodes > FORCED_NODES) {
        task.search.max_nodes = FORCED_NODES;
    }
    run_whole(&task);
    write_report(&task, out);
}

/* Looks for the best moves at one depth. False: it was stopped before the last of them. */
static bool analyze_depth(struct engine_task *task, int count, struct engine_analysis *out)
{
    uint32_t found[ENGINE_MAX_CHOICES];
    bool is_finished = true;
    out->count = 0;
    task->search.excluded = found;
    while (is_finished && out->count < count) {
        task->search.excluded_count = out->count;
        run_whole(task);
        if (!task->search.result.count) {
            break;
        }
        struct engine_report *choice = &out->choices[out->count];
        write_report(task, choice);
        found[out->count++] = task->search.result.line[0];
        is_finished =
            choice->depth >= task->search.max_depth || is_decided(choice->is_exact, choice->score);
    }
    task->search.excluded = NULL;
    task->search.excluded_count = 0;
    return is_finished;
}

static void sort_choices(struct engine_analysis *analysis)
{
    for (int i = 1; i < analysis->count; i++) {
        struct engine_report choice = analysis->choices[i];
        int at = i;
        for (; at > 0 && analysis->choices[at - 1].score < choice.score; at--) {
            analysis->choices[at] = analysis->choices[at - 1];
        }
        analysis->choices[at] = choice;
    }
}

static bool is_all_decided(const struct engine_analysis *analysis)
{
    for (int i = 0; i < analysis->count; i++) {
        const struct engine_report *choice = &analysis->choices[i];
        if (!is_decided(choice->is_exact, choice->score)) {
            return false;
        }
    }
    return true;
}

void engine_analyze(struct engine *engine, const struct engine_request *request, int count,
                    struct engine_analysis *out)
{
    struct engine_task task = make_task(engine, request);
    apply_limits(&task);
    int last_depth = task.search.max_depth;
    bool is_finished = true;
    out->count = 0;
    for (int depth = 1; is_finished && depth <= last_depth; depth++) {
        struct engine_analysis found;
        task.search.max_depth = depth;
        is_finished = analyze_depth(&task, count, &found);
        if (is_finished || out->count == 0) {
            sort_choices(&found);
            *out = found;
        }
        if (is_finished && request->on_analysis) {
            request->on_analysis(request->context, out);
        }
        if (is_all_decided(out)) {
            break;
        }
    }
}

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

/* A win counts as one, however far away it is. */
static int whole_value(int score)
{
    return score > SEARCH_WIN_BOUND ? 1 : score < -SEARCH_WIN_BOUND ? -1 : score / 100;
}

/* The highest score that is worth less than this one. */
static int floor_below(int score)
{
    return score > SEARCH_WIN_BOUND    ? SEARCH_WIN_BOUND
           : score < -SEARCH_WIN_BOUND ? -SEARCH_INFINITY
                                       : score - 1;
}

/* Whether it had to end: what it found then need not be true. */
static bool is_cut_short(const struct search *search)
{
    return (search->stop && atomic_load(search->stop)) || clock_now_ns() >= search->deadline_ns;
}

bool engine_solve(struct engine *engine, const struct engine_request *request, bool all,
                  struct engine_solution *out)
{
    struct engine_task task = make_task(engine, request);
    const struct search_result *result = &task.search.result;
    struct engine_solution solution = {0};
    uint32_t optimal[GAME_MAX_MOVES];
    out->nodes = 0;
    out->time_ns = 0;
    if (task.entry->can_solve && !task.entry->can_solve(request->state)) {
        return false;
    }
    task.search.variant = task.entry->solving_variant;
    task.search.max_nodes = task.entry->solving_nodes;
    task.search.is_solving = true;
    apply_limits(&task);
    do {
        run(&task);
        solution.nodes = atomic_load(&task.search.nodes);
        solution.time_ns = clock_now_ns() - task.search.started_ns;
        if (is_cut_short(&task.search) ||
            (result->count && !is_decided(result->is_exact, result->score))) {
            out->nodes = solution.nodes;
            out->time_ns = solution.time_ns;
            return false;
        }
        if (!result->count || result->score <= task.search.floor) {
            break;
        }
        solution.value = whole_value(result->score);
        struct engine_report report;
        write_report(&task, &report);
        solution.moves[solution.count] = report.move;
        optimal[solution.count++] = result->line[0];
        task.search.excluded = optimal;
        task.search.excluded_count = (int)solution.count;
        task.search.floor = floor_below(result->score);
    } while (all && solution.count < GAME_MAX_MOVES);
    sort_moves(solution.moves, solution.count);
    *out = solution;
    return true;
}
