#include "app/check_source.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "play/pool.h"

enum { PROGRESS_MS = 200 };

struct check_source {
    const struct check_options *options;
    struct check_plan *plans;
    struct check_facts *facts;
    struct pool *pool;
    int trial; /* the one that runs, or ran last; -1: none has begun */
    bool is_running;
    bool is_over; /* no other follows */
    struct check_watch watch;
    struct pairing_task task; /* of the trial */
    size_t answer_capacity;
    int64_t started_ns;
    int64_t ends_ns;      /* the time of the trial is up */
    int64_t shown_ns;     /* on_progress was called */
    int64_t rest_ends_ns; /* about when all is over; 0: not known */
};

/* --- Time --- */

static int64_t left_ns(const struct check_source *s)
{
    int64_t left = s->options->total_ns - (clock_now_ns() - s->started_ns);
    return left > 0 ? left : 0;
}

static bool is_wanted(const struct check_source *s, int trial)
{
    return !s->options->is_quick || s->plans[trial].is_quick;
}

/* What is left of the time is shared equally by the trials that are left; this is one. */
static int64_t share_ns(const struct check_source *s)
{
    int trials = 0;
    for (int i = s->trial; i < s->facts->trial_count; i++) {
        trials += is_wanted(s, i);
    }
    assert(trials > 0);
    return left_ns(s) / trials;
}

/* After the first games, which took that long. */
static void announce_rest(struct check_source *s)
{
    int played = s->facts->game_count;
    int64_t used_ns = clock_now_ns() - s->started_ns;
    struct check_rest rest = {.most_ns = left_ns(s)};
    for (int i = s->trial; i < s->facts->trial_count; i++) {
        bool is_reconnect = s->plans[i].hang_up_at;
        rest.has_reconnect |= is_reconnect;
        rest.is_most |= s->plans[i].is_retry;
        rest.games += is_reconnect ? 0 : s->plans[i].games;
    }
    rest.typical_ns = played ? used_ns / played * rest.games : rest.most_ns;
    rest.typical_ns = rest.typical_ns > CLOCK_NS_PER_S ? rest.typical_ns : CLOCK_NS_PER_S;
    rest.typical_ns = rest.typical_ns < rest.most_ns ? rest.typical_ns : rest.most_ns;
    s->rest_ends_ns = clock_now_ns() + rest.typical_ns;
    if (s->options->on_rest) {
        s->options->on_rest(s->options->owner, &rest);
    }
}

static void show_progress(const struct check_source *s, int64_t now_ns)
{
    const struct check_trial *trial = &s->facts->trials[s->trial];
    const struct check_progress progress = {
        .trial = s->trial,
        .trials = s->facts->trial_count,
        .opponent = s->plans[s->trial].opponent,
        .plies = trial->game_count ? trial->games[trial->game_count - 1].plies : 0,
        .left_ns = s->rest_ends_ns > now_ns ? s->rest_ends_ns - now_ns : 0,
    };
    if (s->options->on_progress) {
        s->options->on_progress(s->options->owner, &progress);
    }
}

/* --- Which trial is next --- */

/* -1: none is left. */
static int find_next(const struct check_source *s)
{
    int trial = s->trial + 1;
    while (trial < s->facts->trial_count &&
           (!is_wanted(s, trial) || !check_plan_makes_sense(s->facts, s->plans, trial))) {
        trial++;
    }
    return trial < s->facts->trial_count ? trial : -1;
}

static bool next(void *owner, struct tournament_work *out)
{
    struct check_source *s = owner;
    struct check_facts *facts = s->facts;
    struct note why;
    bool was_quick = s->trial >= 0 && s->plans[s->trial].is_quick;
    int trial = find_next(s);
    s->is_over = trial < 0;
    if (s->is_over) {
        return false;
    }
    s->trial = trial;
    if (was_quick && !s->plans[trial].is_quick) {
        announce_rest(s);
    }
    check_plan_pay(&facts->trials[0], &s->plans[trial]);
    enum err err = check_watch_prepare(&s->watch, &facts->trials[trial], &s->plans[trial],
                                       &s->options->rules, s->options->spec, &s->task, &why);
    if (err) {
        pool_stop(s->pool, err, &why);
        return false;
    }
    s->is_running = true;
    s->ends_ns = clock_now_ns() + share_ns(s);
    *out = (struct tournament_work){.pairing = trial, .to = s->plans[trial].games};
    return true;
}

static void describe(void *owner, const struct tournament_work *work, struct pool_pairing *out)
{
    const struct check_source *s = owner;
    (void)work;
    out->task = s->task;
}

/* --- What happens in it --- */

static void end_trial(struct check_source *s, enum check_end end,
                      const struct tournament_work *work)
{
    s->facts->trials[s->trial].end = end;
    pool_end(s->pool, work);
}

/* A statistic: without memory it is one over fewer moves. */
static void keep_answer(struct check_source *s, const struct judge_ply *ply)
{
    struct check_facts *facts = s->facts;
    int64_t *longer = array_reserve(facts->answers_ns, &s->answer_capacity, facts->answer_count + 1,
                                    sizeof *longer);
    if (longer) {
        facts->answers_ns = longer;
        facts->answers_ns[facts->answer_count++] = ply->time_ns;
    }
}

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct check_source *s = owner;
    bool has_seen_enough = check_watch_take(&s->watch, event);
    if (event->kind == GAME_EVENT_PLY && event->ply->was_asked && !s->task.hang_up_at &&
        event->ply->side == s->facts->trials[s->trial].games[event->game].colour) {
        keep_answer(s, event->ply);
    }
    if (has_seen_enough) {
        end_trial(s, CHECK_ENOUGH, place->work);
    }
}

static void count_game(struct check_source *s, const struct check_game *game)
{
    if (s->task.hang_up_at) {
        return; /* it is not played to its end */
    }
    s->facts->game_count++;
    if (s->options->on_game) {
        s->options->on_game(s->options->owner, &s->facts->trials[s->trial], game,
                            s->facts->game_count);
    }
}

static void on_game(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game)
{
    struct check_source *s = owner;
    (void)work, (void)machine;
    count_game(s, check_watch_finish(&s->watch, take_game));
    finished_game_free(take_game);
}

/* A game that a stop has ended was not handed over. */
static void count_stopped_game(struct check_source *s)
{
    const struct check_trial *trial = &s->facts->trials[s->trial];
    const struct check_game *last = &trial->games[trial->game_count - (trial->game_count > 0)];
    if (last->plies && !last->is_finished) {
        count_game(s, last);
    }
}

static void on_done(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why)
{
    struct check_source *s = owner;
    struct check_trial *trial = &s->facts->trials[s->trial];
    (void)work, (void)why;
    s->is_running = false;
    if (!err) {
        trial->end = CHECK_COMPLETE;
    } else if (s->facts->is_interrupted) {
        trial->end = CHECK_STOPPED;
    }
    if (!err || err == ERR_INTERRUPTED) {
        count_stopped_game(s);
    }
}

static bool is_over(void *owner, bool is_stopping)
{
    const struct check_source *s = owner;
    return is_stopping || s->is_over;
}

static void on_stop(void *owner, enum err err, const struct note *why)
{
    const struct check_source *s = owner;
    (void)why;
    s->facts->is_interrupted = err == ERR_INTERRUPTED;
}

static void on_tick(void *owner)
{
    struct check_source *s = owner;
    int64_t now_ns = clock_now_ns();
    if (s->is_running && now_ns - s->shown_ns >= PROGRESS_MS * CLOCK_NS_PER_MS) {
        s->shown_ns = now_ns;
        show_progress(s, now_ns);
    }
    if (s->is_running && now_ns >= s->ends_ns) {
        s->ends_ns = INT64_MAX;
        end_trial(s, CHECK_TIME_UP, &(struct tournament_work){.pairing = s->trial});
    }
}

static void on_remark(void *owner, const char *sentence)
{
    const struct check_source *s = owner;
    note_set(&s->facts->trials[s->trial].remark, "%s", sentence);
}

static const struct pool_source source = {
    .next = next,
    .describe = describe,
    .on_event = on_event,
    .on_game = on_game,
    .on_done = on_done,
    .is_over = is_over,
    .on_stop = on_stop,
    .on_tick = on_tick,
    .on_remark = on_remark,
};

enum err check_source_play(const struct check_options *options,
                           struct check_plan plans[CHECK_MAX_TRIALS], struct check_facts *facts,
                           struct note *why)
{
    struct check_source s = {.options = options,
                             .plans = plans,
                             .facts = facts,
                             .trial = -1,
                             .started_ns = clock_now_ns()};
    const struct pool_options pool = {
        .source = &source,
        .owner = &s,
        .setup = {.cpu_level = options->cpu,
                  .sandbox = options->sandbox,
                  .has_tcp = options->spec->kind == PLAYER_TCP},
        .slots = 1,
    };
    s.shown_ns = s.started_ns;
    enum err err = pool_open(&s.pool, &pool, why);
    err = err ? err : pool_run(s.pool, why);
    pool_free(s.pool);
    return err == ERR_INTERRUPTED ? ERR_NONE : err;
}
