#include "app/check.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "game/game.h"
#include "sandbox/run_program.h"
#include "sandbox/sandbox_programs.h"

enum {
    BROKEN_QUESTION = 2,
    BROKEN_PLIES = 4,
    HIGHEST_PRICE = 140,
    LARGE_PRICE = 40, /* leaves a program enough to play for */
    PROGRESS_MS = 200,
};

struct check_run {
    const struct check_options *options;
    struct check_facts *facts;
    struct check_plan plans[CHECK_MAX_TRIALS];
    int trial; /* the one that runs */
    struct match_runner *runner;
    struct match_run match_run;
    struct check_watch run;
    uv_timer_t time_up;
    uv_timer_t progress;
    int64_t started_ns;
    int64_t rest_ends_ns; /* about when all is over; 0: not known */
    enum err err;
    struct note why;
};

/* --- The plan --- */

/* A seed whose lot gives player 0 that colour, for a program that bids as high as the opponent. */
static uint64_t seed_for(uint64_t seed, enum side colour)
{
    while (game_draw_lot(match_game_seed(seed, 0)) != colour) {
        seed++;
    }
    return seed;
}

/* The highest bid for the other colour leaves the program this one, whatever it bids. */
static struct check_plan force_colour(enum check_opponent opponent, enum side colour, uint64_t seed)
{
    return (struct check_plan){.opponent = opponent,
                               .games = 1,
                               .has_auction = true,
                               .bid = {(int)side_other(colour), HIGHEST_PRICE},
                               .seed = seed_for(seed, colour)};
}

int check_plan_trials(const struct game *game, enum player_kind kind, uint64_t seed,
                      struct check_plan out[CHECK_MAX_TRIALS])
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    int count = 0;
    if (game->auction) {
        for (enum check_opponent opponent = CHECK_RANDOM; opponent <= CHECK_LOW_LEVEL; opponent++) {
            plans[count++] = force_colour(opponent, SIDE_BLACK, seed);
            plans[count++] = force_colour(opponent, SIDE_WHITE, seed);
        }
        for (enum check_opponent opponent = CHECK_SAVER; opponent <= CHECK_SPENDER; opponent++) {
            plans[count++] = force_colour(opponent, SIDE_BLACK, seed);
            plans[count] = force_colour(opponent, SIDE_WHITE, seed);
            plans[count++].is_retry = true;
        }
    } else {
        plans[count++] = (struct check_plan){.opponent = CHECK_RANDOM, .games = 2, .seed = seed};
        plans[count++] = (struct check_plan){.opponent = CHECK_LOW_LEVEL, .games = 1, .seed = seed};
        plans[count++] = (struct check_plan){
            .opponent = CHECK_LOW_LEVEL, .games = 1, .is_white = true, .seed = seed};
    }
    if (kind == PLAYER_TCP) {
        plans[count++] = (struct check_plan){.opponent = CHECK_RANDOM,
                                             .games = 1,
                                             .seed = seed,
                                             .hang_up_at = BROKEN_QUESTION,
                                             .plies = BROKEN_PLIES};
    }
    for (int i = 0; i < count; i++) {
        plans[i].is_quick = plans[i].opponent == CHECK_RANDOM && !plans[i].hang_up_at;
    }
    if (out) {
        memcpy(out, plans, (size_t)count * sizeof *plans);
    }
    return count;
}

/* Where the budgets count, the program pays for the colour that it has wanted before. */
static void make_it_pay(const struct check_trial *first, struct check_plan *plan)
{
    const struct bid *bid = &first->games[0].bid;
    int64_t price = bid->price < LARGE_PRICE ? bid->price : LARGE_PRICE;
    if (plan->opponent == CHECK_SAVER && first->games[0].has_bid && price > 0) {
        plan->bid = (struct bid){bid->colour, price - 1};
    }
}

/* --- The interpreter --- */

/* A version is asked only of an interpreter that the user chose or that is installed: another
 * program may do anything with the argument. */
static enum err find_python(const struct check_options *options, struct note *out, struct note *why)
{
    struct player_command command;
    char path[PATH_MAX];
    enum err err = player_spec_command(options->spec, options->python, &command, why);
    if (err || !sandbox_programs_find_first(command.text, command.folder, path) ||
        strncmp(strrchr(path, '/') + 1, "python", strlen("python")) != 0) {
        return err;
    }
    bool is_chosen =
        options->python || strncmp(options->spec->command, "python", strlen("python")) == 0;
    struct run_program_result version = {0};
    char word[4 * PATH_MAX];
    char line[sizeof word + 16];
    snprintf(line, sizeof line, "%s --version", shell_word(path, word, sizeof word));
    const struct run_program_spec asking = {.command = line,
                                            .folder = command.folder,
                                            .sandbox = options->sandbox,
                                            .wall_ns = 10 * CLOCK_NS_PER_S};
    if (is_chosen && run_program(&asking, &version, NULL)) {
        version = (struct run_program_result){0};
    }
    struct note raw;
    note_set(&raw, "%.150s%s%.*s", path, version.output ? ", " : "",
             version.output ? (int)strcspn(version.output, "\n") : 0,
             version.output ? version.output : "");
    utf8_clean(raw.text, out->text, sizeof out->text);
    run_program_result_free(&version);
    return ERR_NONE;
}

/* --- One trial after the other --- */

static void leave(struct check_run *s)
{
    uv_close((uv_handle_t *)&s->time_up, NULL);
    uv_close((uv_handle_t *)&s->progress, NULL);
    match_runner_close(s->runner);
}

static void fail(struct check_run *s, enum err err, const struct note *why)
{
    s->err = err;
    s->why = *why;
    leave(s);
}

static int64_t left_ns(const struct check_run *s)
{
    int64_t left = s->options->total_ns - (clock_now_ns() - s->started_ns);
    return left > 0 ? left : 0;
}

static bool is_wanted(const struct check_run *s, int trial)
{
    return !s->options->is_quick || s->plans[trial].is_quick;
}

/* What is left of the time is shared equally by the trials that are left; this is one. */
static int64_t share_ns(const struct check_run *s)
{
    int trials = 0;
    for (int i = s->trial; i < s->facts->trial_count; i++) {
        trials += is_wanted(s, i);
    }
    assert(trials > 0);
    return left_ns(s) / trials;
}

static void on_time_up(uv_timer_t *timer)
{
    struct check_run *s = timer->data;
    if (s->match_run.match) {
        s->facts->trials[s->trial].end = CHECK_TIME_UP;
        match_stop(s->match_run.match);
    }
}

static void on_progress(uv_timer_t *timer)
{
    const struct check_run *s = timer->data;
    const struct check_trial *trial = &s->facts->trials[s->trial];
    const struct check_progress progress = {
        .trial = s->trial,
        .trials = s->facts->trial_count,
        .opponent = s->plans[s->trial].opponent,
        .plies = trial->game_count ? trial->games[trial->game_count - 1].plies : 0,
        .left_ns = s->rest_ends_ns > clock_now_ns() ? s->rest_ends_ns - clock_now_ns() : 0,
    };
    if (s->options->on_progress) {
        s->options->on_progress(s->options->owner, &progress);
    }
}

/* Whether an earlier game against this opponent lasted until the pass that it is for: the program's
 * own where the opponent saves, else the opponent's. */
static bool has_seen_pass(const struct check_facts *facts, int trials, enum check_opponent opponent)
{
    for (int i = 0; i < trials; i++) {
        const struct check_game *game = &facts->trials[i].games[0];
        enum side side = opponent == CHECK_SAVER ? game->colour : side_other(game->colour);
        if (facts->trials[i].plan.opponent == opponent && game->passes[side]) {
            return true;
        }
    }
    return false;
}

/* Whether a trial still makes sense after those before it. */
static bool is_worth_while(const struct check_run *s, int trial)
{
    const struct check_trial *first = &s->facts->trials[0];
    bool is_reconnect = s->plans[trial].hang_up_at;
    if (s->plans[trial].is_retry && has_seen_pass(s->facts, trial, s->plans[trial].opponent)) {
        return false;
    }
    return trial == 0 || (first->is_started && (!is_reconnect || check_trial_is_sound(first)));
}

static void on_game(void *owner, const struct check_trial *trial, const struct check_game *game)
{
    struct check_run *s = owner;
    if (trial->plan.hang_up_at) {
        return; /* it is not played to its end */
    }
    s->facts->game_count++;
    if (s->options->on_game) {
        s->options->on_game(s->options->owner, trial, game, s->facts->game_count);
    }
}

static void start_trial(struct check_run *s)
{
    struct check_facts *facts = s->facts;
    struct check_trial *trial = &facts->trials[s->trial];
    struct judge_rules rules = s->options->rules;
    struct note why;
    if (s->plans[s->trial].hang_up_at) { /* a program that thinks for long has to do it twice */
        rules.limit_ns *= 2;
    }
    make_it_pay(&facts->trials[0], &s->plans[s->trial]);
    enum err err = check_watch_prepare(&s->run, trial, &s->plans[s->trial], &rules,
                                       s->options->spec, &s->match_run, &why);
    s->run.owner = s;
    s->run.on_game = on_game;
    if (!err) {
        err = match_runner_start(s->runner, &s->match_run, &why);
    }
    if (err) {
        s->match_run.match = NULL;
        fail(s, err, &why);
        return;
    }
    uv_timer_start(&s->time_up, on_time_up, (uint64_t)(share_ns(s) / CLOCK_NS_PER_MS), 0);
}

/* After the first games, which took that long. */
static void announce_rest(struct check_run *s)
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

static void start_next(struct check_run *s)
{
    bool was_quick = s->plans[s->trial].is_quick;
    do {
        s->trial++;
    } while (s->trial < s->facts->trial_count &&
             (!is_wanted(s, s->trial) || !is_worth_while(s, s->trial)));
    if (s->trial < s->facts->trial_count && !s->facts->is_interrupted) {
        if (was_quick && !s->plans[s->trial].is_quick) {
            announce_rest(s);
        }
        start_trial(s);
    } else {
        leave(s);
    }
}

static void take_times(struct check_run *s)
{
    struct check_facts *facts = s->facts;
    const struct match_times *times = &match_score(s->match_run.match)->times[s->run.program];
    size_t bytes = (facts->answer_count + times->count) * sizeof *facts->answers_ns;
    int64_t *answers_ns = bytes ? realloc(facts->answers_ns, bytes) : NULL;
    if (!answers_ns) {
        return; /* a statistic over fewer moves */
    }
    facts->answers_ns = answers_ns;
    for (size_t i = 0; i < times->count; i++) {
        facts->answers_ns[facts->answer_count++] = (int64_t)times->us[i] * 1000;
    }
}

/* A game that a stop has ended has no event of its own. */
static void count_stopped_game(struct check_run *s)
{
    const struct check_trial *trial = &s->facts->trials[s->trial];
    const struct check_game *last = &trial->games[trial->game_count - (trial->game_count > 0)];
    if (last->plies && !last->is_finished) {
        on_game(s, trial, last);
    }
}

static void trial_done(struct match_run *match_run, enum err err, const struct note *why)
{
    struct check_run *s =
        (struct check_run *)((char *)match_run - offsetof(struct check_run, match_run));
    struct check_trial *trial = &s->facts->trials[s->trial];
    uv_timer_stop(&s->time_up);
    if (!s->plans[s->trial].hang_up_at) {
        take_times(s);
    }
    match_free(match_run->match);
    match_run->match = NULL;
    if (!err) {
        trial->end = CHECK_COMPLETE;
    } else if (s->facts->is_interrupted) {
        trial->end = CHECK_STOPPED;
    } else if (err != ERR_INTERRUPTED) {
        fail(s, err, why);
        return;
    }
    count_stopped_game(s);
    start_next(s);
}

static void on_interrupt(void *owner)
{
    struct check_run *s = owner;
    s->facts->is_interrupted = true;
    if (s->match_run.match) {
        match_stop(s->match_run.match);
    }
}

static void on_remark(void *owner, const struct game_event *event)
{
    struct check_run *s = owner;
    note_set(&s->facts->trials[s->trial].remark, "%s", event->remark);
}

static enum err run_trials(struct check_run *s, struct note *why)
{
    const struct match_runner_setup setup = {
        .cpu_level = s->options->cpu,
        .sandbox = s->options->sandbox,
        .python = s->options->python,
        .ponder = s->options->ponder,
        .slots = 1,
        .has_tcp = s->options->spec->kind == PLAYER_TCP,
        .sink = {s, on_remark},
        .owner = s,
        .on_interrupt = on_interrupt,
    };
    enum err err = match_runner_open(&s->runner, &setup, why);
    if (err) {
        return err;
    }
    uv_timer_init(match_runner_loop(s->runner), &s->time_up);
    uv_timer_init(match_runner_loop(s->runner), &s->progress);
    s->time_up.data = s->progress.data = s;
    uv_timer_start(&s->progress, on_progress, PROGRESS_MS, PROGRESS_MS);
    s->started_ns = clock_now_ns();
    s->match_run.on_done = trial_done;
    start_trial(s);
    match_runner_finish(s->runner);
    if (s->err) {
        *why = s->why;
    }
    return s->err;
}

enum err check_run(const struct check_options *options, struct check_facts *out, struct note *why)
{
    struct check_run *s = calloc(1, sizeof *s);
    if (!s) {
        note_set(why, "no memory for a check");
        return ERR_ENVIRONMENT;
    }
    *out = (struct check_facts){.game = options->rules.game,
                                .spec = options->spec,
                                .rules = &options->rules,
                                .is_quick = options->is_quick};
    s->options = options;
    s->facts = out;
    out->trial_count = check_plan_trials(out->game, out->spec->kind, options->seed, s->plans);
    enum err err = find_python(options, &out->python, why);
    if (!err) {
        err = run_trials(s, why);
    }
    free(s);
    return err;
}

void check_facts_free(struct check_facts *facts)
{
    free(facts->answers_ns);
    facts->answers_ns = NULL;
    facts->answer_count = 0;
}
