#include "play/match_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "cluster/cluster_host.h"
#include "play/pool.h"
#include "play/speed.h"

struct match_source {
    const struct match_source_options *options;
    struct match_score *score;
    struct pool *pool;
    int next_game;
    struct tournament_workers queue;
    struct remote_program programs[2];
    char names[2][ROSTER_NAME_BYTES]; /* in the records, if there are workers */
};

static bool has_workers(const struct match_source_options *options)
{
    return options->wish.address || options->wish.url;
}

static bool has_tcp(const struct match_source_options *options)
{
    return options->specs[0]->kind == PLAYER_TCP || options->specs[1]->kind == PLAYER_TCP;
}

/* --- Which games are next --- */

static bool next(void *owner, struct tournament_work *out)
{
    struct match_source *s = owner;
    const struct match_options *match = &s->options->match;
    int left = match->games - s->next_game;
    int count = !match->rules.is_selfplay && left > 1 ? 2 : 1;
    if (left == 0) {
        return false;
    }
    *out =
        (struct tournament_work){.pairing = s->next_game, .first_game = s->next_game, .to = count};
    s->next_game += count;
    return true;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct match_source *s = owner;
    const struct match_options *match = &s->options->match;
    (void)work;
    out->task = (struct pairing_task){
        .rules = match->rules,
        .seed = match->seed,
        .date = match->date,
        .sandbox = match->sandbox,
        .specs = {s->options->specs[0], s->options->specs[1]},
        .openings = match->openings,
        .opening_count = match->opening_count,
        .is_final = true,
        .is_unrecorded = !match->keeps_records,
    };
    out->has_one_opening = true;
    for (int i = 0; has_workers(s->options) && i < 2; i++) {
        out->task.names[i] = s->names[i];
        if (s->programs[i].hash[0]) {
            out->specs[i] = s->programs[i].spec;
            out->programs[i] = s->programs[i].hash;
        }
    }
}

static bool is_over(void *owner, bool is_stopping)
{
    const struct match_source *s = owner;
    return is_stopping || s->score->games == s->options->match.games;
}

/* --- What happens --- */

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct match_source *s = owner;
    const struct match_source_options *options = s->options;
    const struct judge *judge = event->judge;
    int game = place->work->first_game + event->game;
    switch (event->kind) {
    case GAME_EVENT_PLY:
        if (event->ply->was_asked) {
            match_score_add_time(s->score, event->player, event->ply->time_ns);
        }
        if (options->on_ply) {
            options->on_ply(options->owner, game, event);
        }
        break;
    case GAME_EVENT_FAULT:
        match_log_fault(options->log, game, judge->colour[judge->last_fault.player], event->fault);
        break;
    case GAME_EVENT_PLAYER_CLOSED:
        match_log_streams(options->log, event->player, event->closed);
        break;
    default:
        break;
    }
}

/* A game of a worker, of which there were no events. */
static void keep_facts(struct match_source *s, int number, struct finished_game *game)
{
    match_score_add_times(s->score, game);
    for (size_t i = 0; i < game->fault_count; i++) {
        const struct game_fault *fault = &game->fault_list[i];
        match_log_fault(s->options->log, number, game->summary.colour[fault->player], fault);
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct match_source *s = owner;
    struct note why = {""};
    int number = work->first_game + take_game->index;
    if (*machine) {
        keep_facts(s, number, take_game);
    }
    match_score_add(s->score, &take_game->summary);
    enum err err = s->options->on_game(s->options->owner, number, take_game, &why);
    finished_game_free(take_game);
    pool_stored(s->pool, number, 1);
    if (err || s->score->sprt != SPRT_OPEN) {
        pool_stop(s->pool, err, &why);
    }
}

/* Those of a program here come with GAME_EVENT_PLAYER_CLOSED. */
static void on_log(void *owner, const struct tournament_work *work, const char *machine, int player,
                   char *take_text)
{
    struct match_source *s = owner;
    (void)work;
    if (*machine) {
        match_log_text(s->options->log, player, take_text);
    }
    free(take_text);
}

static void on_violation(void *owner, const struct tournament_work *work, const char *machine,
                         int player, const struct violation *violation)
{
    struct match_source *s = owner;
    (void)work;
    if (*machine) {
        match_log_violation(s->options->log, player, violation);
    }
}

/* No result can wait for a match that begins. */
static bool claim(void *owner, const struct tournament_work *work)
{
    (void)owner, (void)work;
    return false;
}

static void on_remark(void *owner, const char *sentence)
{
    const struct match_source *s = owner;
    s->options->on_remark(s->options->owner, sentence);
}

static const struct pool_source source = {
    .next = next,
    .describe = describe,
    .on_event = on_event,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .is_over = is_over,
    .on_remark = on_remark,
    .claim = claim,
};

/* --- Workers --- */

static enum err pack_programs(struct match_source *s, struct note *why)
{
    const struct match_source_options *options = s->options;
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < 2; i++) {
        utf8_clean(options->specs[i]->text, s->names[i], sizeof s->names[i]);
        if (player_spec_is_program(options->specs[i])) {
            err = tournament_workers_pack(&s->queue, options->specs[i], options->match.rules.python,
                                          options->sandbox, &s->programs[i], why);
        }
    }
    return err;
}

/* Where its games begin is said by each job, and one without exchange has one game. */
static struct cluster_terms terms_of(const struct match_source_options *options)
{
    struct cluster_terms terms = {
        .rules = options->match.rules,
        .has_programs = options->sandbox,
        .has_tcp = has_tcp(options),
        .lease_ms = options->wish.lease_ms,
    };
    terms.rules.is_selfplay = false;
    terms.rules.opening_plies = 0;
    terms.rules.memory_bytes = options->memory_bytes;
    snprintf(terms.game, sizeof terms.game, "%s", terms.rules.judge.game->name);
    snprintf(terms.date, sizeof terms.date, "%s", options->match.date);
    return terms;
}

static enum err open_queue(struct match_source *s, struct note *why)
{
    const struct match_source_options *options = s->options;
    const struct sandbox *sandbox = options->sandbox;
    const char *python = options->match.rules.python;
    struct coordinator_options coordinator = {
        .blobs = s->queue.blobs,
        .cpu = options->cpu_level,
        .needed = cluster_host_make(options->wish.version, sandbox ? python : NULL,
                                    sandbox ? sandbox->features : 0),
        .terms = terms_of(options),
        .stamp = hash_pair((uint64_t)clock_unix_ms(), options->match.seed),
        .slowest_percent = options->wish.slowest_percent,
    };
    enum err err = queue_check_build(why);
    err = err ? err : tournament_workers_locate(&s->queue, MATCH_SOURCE_QUEUE, why);
    if (!err && coordinator.slowest_percent) {
        err = speed_measure(options->match.rules.judge.game, &coordinator.speed, why);
    }
    err = err ? err : tournament_workers_prepare(&s->queue, &options->wish, &coordinator, why);
    err = err ? err : pack_programs(s, why);
    err = err ? err : tournament_workers_start(&s->queue, &coordinator, why);
    if (!err) {
        tournament_workers_announce(&s->queue, options->owner, options->on_warning);
    }
    return err;
}

/* --- Public --- */

enum err match_source_play(const struct match_source_options *options, struct match_score *score,
                           struct note *why)
{
    struct match_source s = {.options = options, .score = score};
    score->has_pairs = !options->match.rules.is_selfplay;
    enum err err = has_workers(options) ? open_queue(&s, why) : ERR_NONE;
    const struct pool_options pool = {
        .source = &source,
        .owner = &s,
        .setup = {.cpu_level = options->cpu_level,
                  .sandbox = options->sandbox,
                  .screen = options->screen,
                  .restart = options->restart,
                  .has_tcp = has_tcp(options)},
        .slots = options->concurrency,
        .coordinator = s.queue.coordinator,
        .is_ordered = true,
    };
    err = err ? err : pool_open(&s.pool, &pool, why);
    if (!err) {
        err = pool_run(s.pool, why);
        tournament_workers_report(&s.queue, options->owner, options->on_warning);
    }
    pool_free(s.pool);
    tournament_workers_close(&s.queue, true); /* a match cannot be continued */
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted after %d of %d games", score->games, options->match.games);
    }
    return err;
}
