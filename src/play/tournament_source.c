#include "play/tournament_source.h"

#include <stdio.h>

#include "base/clock.h"
#include "play/pool.h"
#include "play/spectators.h"
#include "store/writer.h"
#include "tournament/qualification.h"

enum {
    MOST_GAMES = 16, /* that are taken from the writer in one turn of the loop */
    TICK_MS = 200,
};

struct tournament_source {
    const struct tournament_source_options *options;
    struct tournament *tournament;
    struct pool *pool;
    struct writer *writer;
    struct spectators spectators;
    int ticks;
    int waiting; /* games that the writer has and that are not committed */
    bool has_writer_failed;
    char date[CLOCK_DATE_BYTES];
};

/* --- Which pairing is next --- */

static bool is_done(const struct tournament_source *s)
{
    return s->options->is_qualification_only ? s->tournament->qualifying_games == 0
                                             : tournament_is_over(s->tournament);
}

static enum err plan(void *owner, struct note *why)
{
    struct tournament_source *s = owner;
    return s->options->is_qualification_only ? ERR_NONE : tournament_plan(s->tournament, why);
}

static void on_round(void *owner, int round, size_t first, size_t count)
{
    struct tournament_source *s = owner;
    writer_add_round(s->writer, round, (int)first, &s->tournament->pairings[first], count);
}

static bool next(void *owner, struct tournament_work *out)
{
    struct tournament_source *s = owner;
    return s->waiting < WRITER_MAX_WAITING && !is_done(s) && tournament_next(s->tournament, out);
}

static bool claim(void *owner, const struct tournament_work *work)
{
    struct tournament_source *s = owner;
    return tournament_take(s->tournament, work);
}

static void unclaim(void *owner, const struct tournament_work *work)
{
    struct tournament_source *s = owner;
    tournament_untake(s->tournament, work);
}

/* While the writer has games to commit it may still call. */
static bool is_over(void *owner, bool is_stopping)
{
    const struct tournament_source *s = owner;
    return (is_stopping || is_done(s)) && (s->waiting == 0 || s->has_writer_failed);
}

static void on_qualified(void *owner)
{
    const struct tournament_source *s = owner;
    bool is_qualified[ROSTER_MAX_TEAMS];
    struct note reason;
    note_set(&reason, "%d of %d teams", qualification_list(s->tournament, is_qualified),
             s->options->roster->team_count);
    writer_add_audit(s->writer, "qualified", -1, reason.text);
    writer_add_event(s->writer, "qualified", -1, reason.text);
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct tournament_source *s = owner;
    const struct tournament_source_options *options = s->options;
    const struct roster *roster = options->roster;
    out->task = (struct pairing_task){
        .rules = roster->rules,
        .seed = qualification_seed(roster, work->phase),
        .event = roster->name,
        .date = s->date,
        .sandbox = options->sandbox ? sandbox_level(options->sandbox) : NULL,
    };
    if (work->phase == PHASE_QUALIFICATION) {
        snprintf(out->round, sizeof out->round, "qualification");
    } else {
        snprintf(out->round, sizeof out->round, "%d", work->round + 1);
    }
    for (int i = 0; i < 2; i++) {
        const struct entrant *entrant = entrants_find(options->entrants, work->team[i]);
        out->task.specs[i] = entrant->can_play ? &entrant->spec : NULL;
        out->task.absence[i] = entrant->absence.text;
        out->task.names[i] = work->team[i] == TOURNAMENT_RANDOM ? entrant->spec.text
                                                                : roster->teams[work->team[i]].name;
        if (options->programs && entrant->can_play && player_spec_is_program(&entrant->spec)) {
            out->specs[i] = options->programs[work->team[i]].spec;
            out->programs[i] = options->programs[work->team[i]].hash;
        }
    }
    for (int i = work->from; i < work->to; i++) {
        out->attempts[i - work->from] =
            tournament_find_game(s->tournament, work->phase, work->first_game + i)->attempt;
    }
}

/* --- A game that is over: to the writer --- */

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct tournament_source *s = owner;
    struct tournament_game result =
        tournament_note_result(s->tournament, work, take_game, clock_unix_ms());
    spectators_end_game(&s->spectators, result.number);
    writer_add_game(s->writer, &result, machine, take_game);
    s->waiting++;
}

static void on_log(void *owner, const struct tournament_work *work, const char *machine, int player,
                   char *take_text)
{
    const struct tournament_source *s = owner;
    (void)machine;
    writer_add_log(s->writer, work, work->team[player], take_text);
}

static void on_violation(void *owner, const struct tournament_work *work, const char *machine,
                         int player, const struct violation *violation)
{
    const struct tournament_source *s = owner;
    (void)machine;
    writer_add_violation(s->writer, work, work->team[player], violation);
}

static void on_failure(void *owner, const char *machine, enum coordinator_failure failure)
{
    const struct tournament_source *s = owner;
    const struct store_machine_counts counts = {
        .refused = failure == COORDINATOR_REFUSED,
        .returned = failure == COORDINATOR_RETURNED,
        .lost = failure == COORDINATOR_LOST,
    };
    writer_add_machine(s->writer, machine, &counts);
}

static void on_remark(void *owner, const char *sentence)
{
    const struct tournament_source *s = owner;
    s->options->on_remark(s->options->owner, sentence);
}

/* --- What the writer did --- */

/* On the writer's thread. */
static void writer_progress(void *owner)
{
    const struct tournament_source *s = owner;
    pool_wake(s->pool);
}

static bool on_wake(void *owner)
{
    struct tournament_source *s = owner;
    struct tournament_game game;
    struct note why;
    int taken = 0;
    for (; taken < MOST_GAMES && writer_take_committed(s->writer, &game); taken++) {
        tournament_finish_game(s->tournament, &game);
        s->waiting--;
        pool_stored(s->pool, game.number, 1);
    }
    enum err err = writer_failure(s->writer, &why);
    if (err) {
        s->has_writer_failed = true;
        pool_stop(s->pool, err, &why);
    }
    return taken == MOST_GAMES;
}

/* --- Spectators --- */

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct tournament_source *s = owner;
    spectators_take(&s->spectators, place->slot, place->work, event);
}

static void on_again(void *owner, const struct pool_place *place, const struct note *why)
{
    struct tournament_source *s = owner;
    struct note sentence;
    note_set(&sentence, "game %d is played again: %.250s",
             place->work->first_game + place->index + 1, why->text);
    on_remark(s, sentence.text);
    spectators_begin_again(&s->spectators, place->work, place->index);
}

static void on_tick(void *owner)
{
    struct tournament_source *s = owner;
    spectators_show(&s->spectators);
    if (++s->ticks % (TICK_MS / POOL_TICK_MS) == 0) {
        s->options->on_tick(s->options->owner, s->tournament);
    }
}

static void on_plies(void *owner, const struct cluster_plies *plies)
{
    struct tournament_source *s = owner;
    spectators_take_plies(&s->spectators, plies);
}

static void on_plies_end(void *owner, const struct tournament_work *work)
{
    struct tournament_source *s = owner;
    spectators_end_work(&s->spectators, work);
}

/* --- Public --- */

static const struct pool_source source = {
    .plan = plan,
    .next = next,
    .describe = describe,
    .on_event = on_event,
    .on_again = on_again,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .is_over = is_over,
    .on_wake = on_wake,
    .on_tick = on_tick,
    .on_remark = on_remark,
    .claim = claim,
    .unclaim = unclaim,
    .on_plies = on_plies,
    .on_plies_end = on_plies_end,
    .on_failure = on_failure,
};

static enum err open_pool(struct tournament_source *s, struct note *why)
{
    const struct tournament_source_options *options = s->options;
    const struct pool_options pool = {
        .source = &source,
        .owner = s,
        .setup = {.cpu_level = options->cpu_level,
                  .sandbox = options->sandbox,
                  .has_tcp = options->entrants->has_tcp},
        .slots = options->concurrency,
        .coordinator = options->coordinator,
        .verify_percent = options->verify_percent,
    };
    return pool_open(&s->pool, &pool, why);
}

/* The writer ends before the pool that it wakes. */
static enum err play(struct tournament_source *s, struct note *why)
{
    struct note unwritten;
    enum err err = writer_start(&s->writer, s->options->store, s, writer_progress, why);
    if (err) {
        return err;
    }
    s->spectators.writer = s->writer;
    err = pool_run(s->pool, why);
    enum err write_err = writer_stop(s->writer, &unwritten);
    if (write_err) {
        *why = unwritten;
    }
    return write_err ? write_err : err;
}

enum err tournament_source_play(const struct tournament_source_options *options,
                                struct tournament *t, struct note *why)
{
    struct tournament_source s = {.options = options, .tournament = t};
    clock_write_today(s.date);
    t->sink = (struct tournament_sink){&s, on_round, on_qualified};
    enum err err =
        spectators_open(&s.spectators, &options->roster->rules.judge, options->concurrency, why);
    err = err ? err : open_pool(&s, why);
    err = err ? err : play(&s, why);
    pool_free(s.pool);
    spectators_free(&s.spectators);
    t->sink = (struct tournament_sink){0};
    return err;
}
