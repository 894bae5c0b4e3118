#include "play/selfplay.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "cluster/cluster_host.h"
#include "play/pool.h"
#include "play/selfplay_file.h"
#include "play/tournament_session.h"

/* A pairing is a range of games, whatever the file contains already: with workers games 1 to 50, 51
 * to 100 and so on, so that a result of an interrupted run fits into this one. */
struct selfplay_run {
    const struct selfplay_options *options;
    FILE *file;
    int range_games;
    int range_count;
    bool *is_begun; /* by range: it is in the file, handed out, or being played here */
    int next_range; /* all before it were begun */
    int total;      /* games in the file */
    int synced;     /* likewise; a crash does not lose these */
    struct tournament_workers queue;
    struct pool *pool;
};

static bool has_workers(const struct selfplay_options *options)
{
    return options->wish.address || options->wish.url;
}

/* --- The source --- */

static struct tournament_work work_of(const struct selfplay_run *run, int range)
{
    int first = range * run->range_games;
    int left = run->options->match.games - first;
    return (struct tournament_work){.pairing = range,
                                    .first_game = first,
                                    .to = left < run->range_games ? left : run->range_games};
}

static bool next(void *owner, struct tournament_work *out)
{
    struct selfplay_run *run = owner;
    while (run->next_range < run->range_count && run->is_begun[run->next_range]) {
        run->next_range++;
    }
    if (run->next_range == run->range_count) {
        return false;
    }
    run->is_begun[run->next_range] = true;
    *out = work_of(run, run->next_range++);
    return true;
}

static bool claim(void *owner, const struct tournament_work *work)
{
    struct selfplay_run *run = owner;
    if (work->pairing >= run->range_count || run->is_begun[work->pairing]) {
        return false;
    }
    const struct tournament_work own = work_of(run, work->pairing);
    run->is_begun[work->pairing] =
        work->first_game == own.first_game && work->from == own.from && work->to == own.to;
    return run->is_begun[work->pairing];
}

static void unclaim(void *owner, const struct tournament_work *work)
{
    struct selfplay_run *run = owner;
    run->is_begun[work->pairing] = false;
    run->next_range = work->pairing < run->next_range ? work->pairing : run->next_range;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct selfplay_run *run = owner;
    const struct match_options *match = &run->options->match;
    (void)work;
    out->task = (struct pairing_task){
        .rules = match->rules,
        .seed = match->seed,
        .date = match->date,
        .specs = {&run->options->player, &run->options->player},
    };
}

/* The next one in the file. */
static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct selfplay_run *run = owner;
    const struct selfplay_options *options = run->options;
    struct note why;
    (void)work, (void)machine;
    enum err err = record_append_text(take_game->record, run->file, options->path, &why);
    finished_game_free(take_game);
    if (err) {
        pool_stop(run->pool, err, &why);
        return;
    }
    run->total++;
    if (options->on_progress) {
        options->on_progress(options->owner, run->total, run->total - options->match.from);
    }
}

/* The server may forget a worker's games when they are on the disk. */
static enum err sync_file(void *owner, struct note *why)
{
    struct selfplay_run *run = owner;
    if (!has_workers(run->options) || run->synced == run->total) {
        return ERR_NONE;
    }
    if (fdatasync(fileno(run->file))) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", run->options->path);
    }
    pool_stored(run->pool, run->synced, run->total - run->synced);
    run->synced = run->total;
    return ERR_NONE;
}

static bool is_over(void *owner, bool is_stopping)
{
    const struct selfplay_run *run = owner;
    return is_stopping || run->total == run->options->match.games;
}

static void on_remark(void *owner, const char *sentence)
{
    const struct selfplay_run *run = owner;
    run->options->on_remark(run->options->owner, sentence);
}

static const struct pool_source source = {
    .plan = sync_file,
    .next = next,
    .describe = describe,
    .on_game = on_game,
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
    const char *const words[] = {options->wish.version, match->rules.judge.game->name,
                                 options->player.text};
    uint64_t stamp = hash_pair(match->seed, (uint64_t)match->rules.opening_plies);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        stamp = hash_bytes(stamp, words[i], strlen(words[i]));
    }
    return stamp;
}

static enum err open_queue(struct selfplay_run *run, struct note *why)
{
    const struct selfplay_options *options = run->options;
    const struct judge_rules *rules = &options->match.rules.judge;
    char name[TOURNAMENT_SESSION_PATH_BYTES]; /* so that 'tournament worker-file' finds it */
    struct coordinator_options coordinator = {
        .blobs = run->queue.blobs,
        .cpu = options->cpu,
        .needed = cluster_host_make(options->wish.version, NULL, 0),
        .terms = {.rules = options->match.rules, .lease_ms = options->wish.lease_ms},
        .stamp = stamp_of(options),
    };
    snprintf(coordinator.terms.game, sizeof coordinator.terms.game, "%s", rules->game->name);
    snprintf(coordinator.terms.date, sizeof coordinator.terms.date, "%s", options->match.date);
    tournament_session_name_database(options->path, NULL, name);
    enum err err = queue_check_build(why);
    err = err ? err : tournament_workers_locate(&run->queue, name, why);
    err = err ? err : tournament_workers_prepare(&run->queue, &options->wish, &coordinator, why);
    err = err ? err : tournament_workers_start(&run->queue, &coordinator, why);
    if (!err) {
        tournament_workers_announce(&run->queue, options->owner, options->on_warning);
    }
    return err;
}

/* The games must not depend on the load of the machine: a late player is waited for. */
static void set_limits(struct judge_rules *rules)
{
    const int64_t patience_ns = 3600 * CLOCK_NS_PER_S;
    rules->limit_ns = (int64_t)(rules->game->time_limit_s * 1e9);
    rules->grace_ns = patience_ns;
    rules->startup_ns = patience_ns;
    rules->hard_limit_ns = patience_ns;
    rules->game_limit_ns = 24 * patience_ns;
}

/* Games that are played here alone begin one by one. */
static enum err make_ranges(struct selfplay_run *run, struct note *why)
{
    const struct selfplay_options *options = run->options;
    run->range_games = has_workers(options) ? options->games_per_job : 1;
    run->range_count = (options->match.games + run->range_games - 1) / run->range_games;
    run->total = run->synced = options->match.from;
    run->next_range = run->total / run->range_games;
    run->is_begun = calloc((size_t)run->range_count, sizeof *run->is_begun);
    if (!run->is_begun) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games", options->match.games);
    }
    for (int i = 0; i < run->next_range; i++) {
        run->is_begun[i] = true;
    }
    return ERR_NONE;
}

static enum err play(struct selfplay_run *run, struct note *why)
{
    const struct selfplay_options *options = run->options;
    enum err err = make_ranges(run, why);
    err = err || !has_workers(options) ? err : open_queue(run, why);
    if (!err) {
        const struct pool_options pool = {
            .source = &source,
            .owner = run,
            .setup = {.cpu_level = options->cpu},
            .slots = options->concurrency,
            .coordinator = run->queue.coordinator,
            .is_ordered = true,
            .first_game = options->match.from,
        };
        err = pool_open(&run->pool, &pool, why);
    }
    if (!err) {
        err = pool_run(run->pool, why);
        tournament_workers_report(&run->queue, options->owner, options->on_warning);
    }
    pool_free(run->pool);
    tournament_workers_close(&run->queue, is_over(run, false) && !err);
    free(run->is_begun);
    return err;
}

enum err selfplay_run(struct selfplay_options *options, int *played, struct note *why)
{
    struct selfplay_run run = {.options = options};
    char date[CLOCK_DATE_BYTES];
    clock_write_today(date);
    options->match.date = date;
    options->match.rules.is_selfplay = true;
    set_limits(&options->match.rules.judge);
    *played = 0;
    enum err err = selfplay_file_open(options, &run.file, &options->match.from, why);
    if (err) {
        return err;
    }
    if (options->match.from < options->match.games) {
        err = play(&run, why);
        *played = run.total - options->match.from;
    }
    if (fclose(run.file) && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %m", options->path);
    }
    return err;
}
