#include "play/selfplay_workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cluster/cluster_host.h"
#include "play/pool.h"
#include "play/tournament_session.h"
#include "play/tournament_workers.h"

/* Records that wait for earlier ones: no more ranges begin then. The first missing range always
 * does, so that it comes to an end. */
enum { MOST_HELD_BYTES = 256 << 20 };

enum range_state {
    RANGE_OPEN,
    RANGE_TAKEN,  /* handed out, or being played here */
    RANGE_PLAYED, /* its games wait to be written */
    RANGE_WRITTEN,
};

struct game_range {
    enum range_state state;
    struct finished_game *games; /* from the first one on, until it is written; owned */
};

struct selfplay_workers {
    const struct selfplay_options *options;
    FILE *file;
    struct tournament_workers queue;
    struct pool *pool;
    struct game_range *ranges;
    int range_count;
    int next_range;   /* none before it is open */
    int next_written; /* all before it are written */
    int total;        /* games in the file */
    size_t held_bytes;
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
        finished_game_free(&it->games[i]);
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

/* --- Writing --- */

static enum err append_range(struct selfplay_workers *w, int range, struct note *why)
{
    const struct finished_game *games = w->ranges[range].games;
    enum err err = ERR_NONE;
    for (int i = w->total - first_of(w, range); !err && i < count_of(w, range); i++) {
        err = record_append_text(games[i].record, w->file, w->options->path, why);
        w->total += !err;
    }
    return err;
}

/* The ranges that are next in the file. When they are on the disk, the server may forget them. */
static enum err write_ranges(void *owner, struct note *why)
{
    struct selfplay_workers *w = owner;
    const struct selfplay_options *options = w->options;
    int before = w->total;
    int first = w->next_written;
    enum err err = ERR_NONE;
    while (!err && w->next_written < w->range_count &&
           w->ranges[w->next_written].state == RANGE_PLAYED) {
        err = append_range(w, w->next_written, why);
        if (!err) {
            w->ranges[w->next_written].state = RANGE_WRITTEN;
            w->held_bytes -= bytes_of(w, w->next_written);
            free_games(w, w->next_written++);
        }
    }
    if (w->total > before && fdatasync(fileno(w->file))) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", options->path);
    } else {
        for (int i = first; i < w->next_written; i++) {
            pool_stored(w->pool, first_of(w, i), count_of(w, i));
        }
    }
    if (w->total > before && options->on_progress) {
        options->on_progress(options->owner, w->total, w->total - options->match.from);
    }
    return err;
}

/* --- The source --- */

static bool take_range(void *owner, struct tournament_work *out)
{
    struct selfplay_workers *w = owner;
    while (w->next_range < w->range_count && w->ranges[w->next_range].state != RANGE_OPEN) {
        w->next_range++;
    }
    bool is_full = w->held_bytes > MOST_HELD_BYTES && w->next_range > w->next_written;
    if (w->next_range == w->range_count || is_full) {
        return false;
    }
    int range = w->next_range++;
    w->ranges[range].state = RANGE_TAKEN;
    *out = (struct tournament_work){
        .pairing = range, .first_game = first_of(w, range), .from = 0, .to = count_of(w, range)};
    return true;
}

static bool claim(void *owner, const struct tournament_work *work)
{
    struct selfplay_workers *w = owner;
    int range = work->pairing;
    if (range >= w->range_count || w->ranges[range].state != RANGE_OPEN ||
        work->first_game != first_of(w, range) || work->from != 0 ||
        work->to != count_of(w, range)) {
        return false;
    }
    w->ranges[range].state = RANGE_TAKEN;
    return true;
}

static void unclaim(void *owner, const struct tournament_work *work)
{
    struct selfplay_workers *w = owner;
    w->ranges[work->pairing].state = RANGE_OPEN;
    w->next_range = work->pairing < w->next_range ? work->pairing : w->next_range;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct selfplay_workers *w = owner;
    const struct match_options *match = &w->options->match;
    (void)work;
    out->task = (struct pairing_task){
        .rules = match->rules,
        .seed = match->seed,
        .date = match->date,
        .specs = {&w->options->player, &w->options->player},
        .is_selfplay = true,
        .opening_plies = match->opening_plies,
    };
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct selfplay_workers *w = owner;
    struct game_range *range = &w->ranges[work->pairing];
    (void)machine;
    if (!range->games) {
        range->games = calloc((size_t)count_of(w, work->pairing), sizeof *range->games);
    }
    if (range->games) {
        range->games[take_game->index] = *take_game;
    } else {
        struct note why;
        note_set(&why, "no memory for the games of workers");
        finished_game_free(take_game);
        pool_stop(w->pool, ERR_ENVIRONMENT, &why);
    }
    *take_game = (struct finished_game){0};
}

static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct selfplay_workers *w = owner;
    (void)why;
    if (!err && w->ranges[work->pairing].games) {
        w->ranges[work->pairing].state = RANGE_PLAYED;
        w->held_bytes += bytes_of(w, work->pairing);
    }
}

static bool is_complete(const struct selfplay_workers *w)
{
    return w->total == w->options->match.games;
}

static bool is_over(void *owner, bool is_stopping) { return is_stopping || is_complete(owner); }

static void on_remark(void *owner, const char *sentence)
{
    const struct selfplay_workers *w = owner;
    w->options->on_remark(w->options->owner, sentence);
}

static const struct pool_source source = {
    .plan = write_ranges,
    .next = take_range,
    .describe = describe,
    .on_game = on_game,
    .on_done = on_done,
    .is_over = is_over,
    .on_remark = on_remark,
    .claim = claim,
    .unclaim = unclaim,
    .takes_late_results = true,
};

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
    w->ranges = calloc((size_t)w->range_count, sizeof *w->ranges);
    if (!w->ranges) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games", options->match.games);
    }
    for (int i = 0; i < w->next_written; i++) {
        w->ranges[i].state = RANGE_WRITTEN;
    }
    return ERR_NONE;
}

enum err selfplay_workers_play(const struct selfplay_options *options, FILE *file, int *played,
                               struct note *why)
{
    struct selfplay_workers w = {.options = options, .file = file};
    enum err err = make_room(&w, why);
    err = err ? err : open_queue(&w, why);
    if (!err) {
        const struct pool_options pool = {
            .source = &source,
            .owner = &w,
            .setup = {.cpu_level = options->cpu},
            .slots = options->match.concurrency,
            .coordinator = w.queue.coordinator,
        };
        err = pool_open(&w.pool, &pool, why);
    }
    if (!err) {
        err = pool_run(w.pool, why);
        tournament_workers_report(&w.queue, options->owner, options->on_warning);
    }
    pool_free(w.pool);
    *played = w.total - options->match.from;
    tournament_workers_close(&w.queue, is_complete(&w) && !err);
    for (int i = 0; w.ranges && i < w.range_count; i++) {
        free_games(&w, i);
    }
    free(w.ranges);
    return err;
}
