#include "play/selfplay_workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play/match_runner.h"
#include "play/pairing_run.h"
#include "play/tournament_session.h"
#include "play/tournament_workers.h"
#include "base/array.h"
#include "base/hash.h"
#include "cluster/cluster_host.h"
#include "cluster/coordinator.h"
#include "cluster/result_check.h"

/* Records that wait for earlier ones: no more ranges are handed out then. The first missing range
 * always is, so that it comes to an end. */
enum {
    MOST_HELD_BYTES = 256 << 20,
    MOST_EVENTS = 16, /* of the coordinator in one turn of the loop */
};

enum range_state {
    RANGE_OPEN,
    RANGE_TAKEN,  /* handed out, or being played here */
    RANGE_PLAYED, /* its games wait to be written */
    RANGE_WRITTEN,
};

struct game_range {
    enum range_state state;
    struct pairing_game *games; /* while it is played here, and until it is written; owned */
};

struct selfplay_workers;

struct selfplay_board {
    struct pairing_run run; /* first: its sink gets it back */
    struct selfplay_workers *owner;
};

/* A result of a worker that is not acknowledged. */
struct range_delivery {
    uint64_t id;
    int range;
    bool is_duplicate;
};

struct selfplay_workers {
    const struct selfplay_options *options;
    FILE *file;
    struct tournament_workers queue;
    struct match_runner *runner;
    struct selfplay_board *boards;
    int board_count; /* at least one: ranges may be given up by workers */
    uv_async_t remote;
    struct game_range *ranges;
    int range_count;
    int next_range;   /* none before it is open */
    int next_written; /* all before it are written */
    int total;        /* games in the file */
    size_t held_bytes;
    struct range_delivery *deliveries;
    size_t delivery_count;
    size_t delivery_capacity;
    int *given_up; /* ranges that no worker can play */
    size_t given_up_count;
    size_t given_up_capacity;
    bool is_ready; /* to hand out work */
    bool is_stopping;
    bool is_shut;
    enum err err;
    struct note why;
};

/* --- Ranges --- */

static int first_of(const struct selfplay_workers *w, int range)
{
    return range * w->options->games_per_job;
}

static int count_of(const struct selfplay_workers *w, int range)
{
    int left = w->options->match.games - first_of(w, range);
    return left < w->options->games_per_job ? left : w->options->games_per_job;
}

static void free_games(struct selfplay_workers *w, int range)
{
    struct game_range *it = &w->ranges[range];
    for (int i = 0; it->games && i < count_of(w, range); i++) {
        pairing_game_free(&it->games[i]);
    }
    free(it->games);
    it->games = NULL;
}

static size_t bytes_of(const struct selfplay_workers *w, int range)
{
    size_t bytes = 0;
    for (int i = 0; i < count_of(w, range); i++) {
        bytes += strlen(w->ranges[range].games[i].record);
    }
    return bytes;
}

/* -1: there is none, or too much waits to be written; never so for the range that it waits for. */
static int take_range(struct selfplay_workers *w)
{
    while (w->next_range < w->range_count && w->ranges[w->next_range].state != RANGE_OPEN) {
        w->next_range++;
    }
    bool is_full = w->held_bytes > MOST_HELD_BYTES && w->next_range > w->next_written;
    if (w->is_stopping || w->next_range == w->range_count || is_full) {
        return -1;
    }
    w->ranges[w->next_range].state = RANGE_TAKEN;
    return w->next_range++;
}

static struct tournament_work work_of(const struct selfplay_workers *w, int range)
{
    return (struct tournament_work){
        .pairing = range, .first_game = first_of(w, range), .from = 0, .to = count_of(w, range)};
}

/* --- Stopping --- */

static void stop(struct selfplay_workers *w, enum err err, const struct note *why)
{
    if (!w->err) {
        w->err = err;
        w->why = *why;
    }
    if (w->is_stopping) {
        return;
    }
    w->is_stopping = true;
    for (int i = 0; i < w->board_count; i++) {
        pairing_run_stop(&w->boards[i].run);
    }
}

static void stop_without_memory(struct selfplay_workers *w)
{
    struct note why;
    note_set(&why, "no memory for the games of workers");
    stop(w, ERR_ENVIRONMENT, &why);
}

static bool is_over(const struct selfplay_workers *w)
{
    return w->total == w->options->match.games;
}

static void shut_if_done(struct selfplay_workers *w)
{
    bool is_busy = false;
    for (int i = 0; i < w->board_count; i++) {
        is_busy |= w->boards[i].run.is_busy;
    }
    if (w->is_shut || is_busy || !(w->is_stopping || is_over(w))) {
        return;
    }
    w->is_shut = true;
    coordinator_detach(w->queue.coordinator);
    uv_close((uv_handle_t *)&w->remote, NULL);
    for (int i = 0; i < w->board_count; i++) {
        pairing_run_close(&w->boards[i].run);
    }
    match_runner_close(w->runner);
}

static void on_interrupt(void *owner)
{
    struct selfplay_workers *w = owner;
    struct note why;
    note_set(&why, "interrupted");
    stop(w, ERR_INTERRUPTED, &why);
    shut_if_done(w);
}

/* --- Writing --- */

static enum err append_range(struct selfplay_workers *w, int range, struct note *why)
{
    const struct pairing_game *games = w->ranges[range].games;
    enum err err = ERR_NONE;
    for (int i = w->total - first_of(w, range); !err && i < count_of(w, range); i++) {
        err = record_append_text(games[i].record, w->file, w->options->path, why);
        w->total += !err;
    }
    return err;
}

/* The server may forget the results of all ranges that are written. */
static void settle(struct selfplay_workers *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->delivery_count; i++) {
        const struct range_delivery one = w->deliveries[i];
        if (one.range < w->next_written) {
            coordinator_settle(w->queue.coordinator, one.id, one.is_duplicate);
        } else {
            w->deliveries[kept++] = one;
        }
    }
    w->delivery_count = kept;
}

static void write_ranges(struct selfplay_workers *w)
{
    const struct selfplay_options *options = w->options;
    struct note why;
    int before = w->total;
    enum err err = ERR_NONE;
    if (w->is_stopping) {
        return;
    }
    while (!err && w->next_written < w->range_count &&
           w->ranges[w->next_written].state == RANGE_PLAYED) {
        err = append_range(w, w->next_written, &why);
        if (!err) {
            struct game_range *range = &w->ranges[w->next_written];
            range->state = RANGE_WRITTEN;
            w->held_bytes -= bytes_of(w, w->next_written);
            free_games(w, w->next_written++);
        }
    }
    if (w->total > before && fdatasync(fileno(w->file))) {
        err = note_fail(&why, ERR_ENVIRONMENT, "cannot write %.200s: %m", options->path);
    } else {
        settle(w);
    }
    if (err) {
        stop(w, err, &why);
    }
    if (w->total > before && options->on_progress) {
        options->on_progress(options->owner, w->total, w->total - options->match.from);
    }
}

static void note_played(struct selfplay_workers *w, int range)
{
    w->ranges[range].state = RANGE_PLAYED;
    w->held_bytes += bytes_of(w, range);
}

/* --- Games on this machine --- */

static void play_next(struct selfplay_workers *w);

static void on_event(struct pairing_run *run, const struct game_event *event)
{
    (void)run;
    (void)event;
}

static void on_game(struct pairing_run *run, struct pairing_game *take_game)
{
    struct selfplay_workers *w = ((struct selfplay_board *)run)->owner;
    w->ranges[run->task.work.pairing].games[take_game->index] = *take_game;
}

static void on_log(struct pairing_run *run, int player, char *take_text)
{
    (void)run;
    (void)player;
    free(take_text);
}

static void on_violation(struct pairing_run *run, int player, const struct violation *violation)
{
    (void)run;
    (void)player;
    (void)violation;
}

static void on_again(struct pairing_run *run, const struct note *why)
{
    const struct selfplay_workers *w = ((struct selfplay_board *)run)->owner;
    struct note sentence;
    note_set(&sentence, "a game is played again: %.300s", why->text);
    w->options->on_remark(w->options->owner, sentence.text);
}

static void on_done(struct pairing_run *run, enum err err, const struct note *why)
{
    struct selfplay_workers *w = ((struct selfplay_board *)run)->owner;
    if (!err) {
        note_played(w, run->task.work.pairing);
    } else if (err != ERR_INTERRUPTED) {
        stop(w, err, why);
    }
    play_next(w);
}

static const struct pairing_run_sink board_sink = {
    .on_event = on_event,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .on_again = on_again,
    .on_done = on_done,
};

static void start_range(struct selfplay_workers *w, struct selfplay_board *board, int range)
{
    const struct match_options *match = &w->options->match;
    const struct pairing_task task = {
        .work = work_of(w, range),
        .rules = match->rules,
        .seed = match->seed,
        .date = match->date,
        .specs = {&w->options->player, &w->options->player},
        .is_selfplay = true,
        .opening_plies = match->opening_plies,
    };
    struct note why;
    w->ranges[range].games = calloc((size_t)count_of(w, range), sizeof(struct pairing_game));
    if (!w->ranges[range].games) {
        stop_without_memory(w);
        return;
    }
    enum err err = pairing_run_start(&board->run, &task, &why);
    if (err) {
        stop(w, err, &why);
    }
}

/* --- Workers --- */

static struct cluster_job job_of(const struct selfplay_workers *w, int range)
{
    struct cluster_job job = {.key = {.work = work_of(w, range)}, .seed = w->options->match.seed};
    for (int i = 0; i < 2; i++) {
        struct cluster_player *player = &job.players[i];
        player->can_play = true;
        snprintf(player->name, sizeof player->name, "%.100s", w->options->player.text);
        memcpy(player->spec, w->options->player.text, sizeof player->spec);
    }
    return job;
}

static void hand_out(struct selfplay_workers *w)
{
    int room = w->is_ready ? coordinator_room(w->queue.coordinator) : 0;
    int range = 0;
    struct note why;
    while (room-- > 0 && (range = take_range(w)) >= 0) {
        const struct cluster_job job = job_of(w, range);
        enum err err = coordinator_hand_out(w->queue.coordinator, &job, false, &why);
        if (err) {
            stop(w, err, &why);
        }
    }
}

/* A result that was not asked for since the start: one that waited, or that a worker finished after
 * the run was interrupted. Whether its games are still to be played; it is checked then. */
static bool is_wanted(struct selfplay_workers *w, struct cluster_result *result)
{
    int range = result->key.work.pairing;
    struct cluster_job *job = malloc(sizeof *job);
    struct note why;
    bool is_right = false;
    if (job && range < w->range_count && w->ranges[range].state == RANGE_OPEN) {
        *job = job_of(w, range);
        coordinator_complete(w->queue.coordinator, job);
        is_right = cluster_key_equal(&job->key, &result->key);
    }
    if (is_right && result_check(w->options->cpu, job, result, &why)) {
        struct note sentence;
        is_right = false;
        note_set(&sentence, "a result of worker %s is refused: %.300s", result->machine, why.text);
        w->options->on_remark(w->options->owner, sentence.text);
    }
    free(job);
    return is_right;
}

static void take_result(struct selfplay_workers *w, struct coordinator_event *event)
{
    struct range_delivery *larger =
        array_reserve(w->deliveries, &w->delivery_capacity, w->delivery_count + 1, sizeof *larger);
    if (larger) {
        w->deliveries = larger;
    } else {
        stop_without_memory(w);
    }
    if (w->is_stopping) { /* it stays on the server */
        cluster_result_free(&event->result);
        return;
    }
    int range = event->key.work.pairing;
    bool is_first = event->is_expected || is_wanted(w, &event->result);
    bool is_held = is_first || (range < w->range_count && w->ranges[range].state == RANGE_PLAYED);
    w->deliveries[w->delivery_count++] =
        (struct range_delivery){event->delivery, is_held ? range : -1, !is_first};
    if (is_first) {
        w->ranges[range].games = event->result.games;
        event->result.games = NULL;
        note_played(w, range);
    }
    cluster_result_free(&event->result);
}

static void play_here(struct selfplay_workers *w, int range)
{
    int *larger =
        array_reserve(w->given_up, &w->given_up_capacity, w->given_up_count + 1, sizeof *larger);
    if (!larger) {
        stop_without_memory(w);
        return;
    }
    w->given_up = larger;
    w->given_up[w->given_up_count++] = range;
}

/* --- All work --- */

static void play_next(struct selfplay_workers *w)
{
    if (w->is_shut) {
        return;
    }
    write_ranges(w);
    for (int i = 0; i < w->board_count && !w->is_stopping; i++) {
        int range = -1;
        if (w->boards[i].run.is_busy) {
            continue;
        }
        if (w->given_up_count) {
            range = w->given_up[--w->given_up_count];
        } else if (w->is_ready && i < w->options->match.concurrency) {
            range = take_range(w);
        }
        if (range >= 0) {
            start_range(w, &w->boards[i], range);
        }
    }
    hand_out(w);
    shut_if_done(w);
}

/* On any thread. */
static void on_coordinator_events(void *owner)
{
    struct selfplay_workers *w = owner;
    uv_async_send(&w->remote);
}

static void on_remote(uv_async_t *async)
{
    struct selfplay_workers *w = async->data;
    struct coordinator_event event;
    int taken = 0;
    while (taken < MOST_EVENTS && !w->is_shut && coordinator_next(w->queue.coordinator, &event)) {
        taken++;
        switch (event.kind) {
        case COORDINATOR_READY:
            w->is_ready = true;
            break;
        case COORDINATOR_RESULT:
            take_result(w, &event);
            break;
        case COORDINATOR_GIVEN_UP:
            play_here(w, event.key.work.pairing);
            break;
        case COORDINATOR_REMARK:
            w->options->on_remark(w->options->owner, event.remark.text);
            break;
        case COORDINATOR_PLIES: /* there are no spectators */
            free(event.plies);
            break;
        case COORDINATOR_FAILURE:
        case COORDINATOR_CHANGED:
            break;
        }
    }
    if (taken == MOST_EVENTS && !w->is_shut) {
        uv_async_send(async);
    }
    play_next(w);
}

/* --- Opening and closing --- */

/* Of all that determines the games: results of other games are not taken for those of this run. */
static uint64_t stamp_of(const struct selfplay_options *options)
{
    const struct match_options *match = &options->match;
    const char *const words[] = {options->wish.version, match->rules.game->name,
                                 options->player.text};
    uint64_t stamp = hash_pair(match->seed, (uint64_t)match->opening_plies);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        stamp = hash_bytes(stamp, words[i], strlen(words[i]));
    }
    return stamp;
}

static enum err open_queue(struct selfplay_workers *w, struct note *why)
{
    const struct selfplay_options *options = w->options;
    const struct judge_rules *rules = &options->match.rules;
    char name[TOURNAMENT_SESSION_PATH_BYTES]; /* so that 'tournament worker-file' finds it */
    struct coordinator_options coordinator = {
        .blobs = w->queue.blobs,
        .cpu = options->cpu,
        .needed = cluster_host_make(options->wish.version, NULL, 0),
        .terms = {.limit_ns = rules->limit_ns,
                  .grace_ns = rules->grace_ns,
                  .hard_limit_ns = rules->hard_limit_ns,
                  .game_limit_ns = rules->game_limit_ns,
                  .startup_ns = rules->startup_ns,
                  .lease_ms = options->wish.lease_ms,
                  .is_selfplay = true,
                  .opening_plies = options->match.opening_plies},
        .stamp = stamp_of(options),
    };
    snprintf(coordinator.terms.game, sizeof coordinator.terms.game, "%s", rules->game->name);
    snprintf(coordinator.terms.date, sizeof coordinator.terms.date, "%s", options->match.date);
    tournament_session_name_database(options->path, NULL, name);
    enum err err = queue_check_build(why);
    err = err ? err : tournament_workers_locate(&w->queue, name, why);
    err = err ? err : tournament_workers_prepare(&w->queue, &options->wish, &coordinator, why);
    err = err ? err : tournament_workers_start(&w->queue, &coordinator, why);
    if (!err) {
        tournament_workers_announce(&w->queue, options->owner, options->on_warning);
    }
    return err;
}

static enum err make_room(struct selfplay_workers *w, struct note *why)
{
    const struct selfplay_options *options = w->options;
    w->total = options->match.from;
    w->range_count = (options->match.games + options->games_per_job - 1) / options->games_per_job;
    w->next_written = w->next_range = w->total / options->games_per_job;
    w->board_count = options->match.concurrency > 1 ? options->match.concurrency : 1;
    w->ranges = calloc((size_t)w->range_count, sizeof *w->ranges);
    w->boards = calloc((size_t)w->board_count, sizeof *w->boards);
    if (!w->ranges || !w->boards) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games", options->match.games);
    }
    for (int i = 0; i < w->next_written; i++) {
        w->ranges[i].state = RANGE_WRITTEN;
    }
    return ERR_NONE;
}

static void on_remark(void *owner, const struct game_event *event)
{
    const struct selfplay_workers *w = owner;
    w->options->on_remark(w->options->owner, event->remark);
}

static enum err open_runner(struct selfplay_workers *w, struct note *why)
{
    const struct match_runner_setup setup = {
        .cpu_level = w->options->cpu,
        .slots = w->board_count,
        .sink = {w, on_remark},
        .owner = w,
        .on_interrupt = on_interrupt,
    };
    enum err err = match_runner_open(&w->runner, &setup, why);
    if (err) {
        return err;
    }
    for (int i = 0; i < w->board_count; i++) {
        pairing_run_init(&w->boards[i].run, w->runner, i, &board_sink);
        w->boards[i].owner = w;
    }
    uv_async_init(match_runner_loop(w->runner), &w->remote, on_remote);
    w->remote.data = w;
    return ERR_NONE;
}

enum err selfplay_workers_play(const struct selfplay_options *options, FILE *file, int *played,
                               struct note *why)
{
    struct selfplay_workers w = {.options = options, .file = file};
    enum err err = make_room(&w, why);
    err = err ? err : open_queue(&w, why);
    err = err ? err : open_runner(&w, why);
    if (!err) {
        coordinator_attach(w.queue.coordinator, &w, on_coordinator_events);
        match_runner_finish(w.runner);
        tournament_workers_report(&w.queue, options->owner, options->on_warning);
        *why = w.why;
        err = w.err;
    }
    *played = w.total - options->match.from;
    tournament_workers_close(&w.queue, is_over(&w) && !err);
    for (int i = 0; w.ranges && i < w.range_count; i++) {
        free_games(&w, i);
    }
    for (int i = 0; w.boards && i < w.board_count; i++) {
        pairing_run_free(&w.boards[i].run);
    }
    free(w.ranges);
    free(w.boards);
    free(w.deliveries);
    free(w.given_up);
    return err;
}
