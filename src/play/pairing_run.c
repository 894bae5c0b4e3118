#include "play/pairing_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/match_log.h"
#include "base/array.h"
#include "base/clock.h"

enum {
    MOST_FAILURES = 3,  /* of one game, in a row, before the work is abandoned */
    MOST_OVERLOADS = 2, /* in a work; from then on a late program is late, for whatever reason */
    RETRY_MS = 500,     /* after the first failure, then twice as long each time */
};

static void begin_game(struct pairing_run *run, int index)
{
    run->index = index;
    run->is_starved = false;
}

/* Hands it on with what only the run knows of it. */
static void keep_game(struct pairing_run *run, struct finished_game *game)
{
    struct finished_game taken = *game;
    *game = (struct finished_game){0};
    taken.again = run->again;
    run->failures = 0;
    run->again.count = 0;
    begin_game(run, run->index + 1);
    run->sink->on_game(run, &taken);
}

/* --- Programs --- */

/* How often its program was frozen, then what it wrote to standard output, if the judge does not
 * read that, and to standard error; NULL: nothing. */
static char *streams_of(const struct player *closed)
{
    const struct player_class *class = closed->class;
    struct note freezes;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    char *errors = player_read_stream(closed, class->log);
    char *output = player_read_stream(closed, class->output);
    if (match_log_describe_freezes(class->conduct ? class->conduct(closed).freezes : 0, &freezes)) {
        fprintf(out, "plum: %s\n", freezes.text);
    }
    match_log_write_streams(out, output, errors);
    fclose(out);
    free(errors);
    free(output);
    if (!size) {
        free(text);
        text = NULL;
    }
    return text;
}

static void keep_program(struct pairing_run *run, int player, const struct player *closed)
{
    if (run->is_stopping) {
        return;
    }
    char *text = streams_of(closed);
    if (text) {
        run->sink->on_log(run, player, text);
    }
    if (closed->class->conduct) {
        struct player_conduct conduct = closed->class->conduct(closed);
        for (int i = 0; i < conduct.violations.count; i++) {
            run->sink->on_violation(run, player, &conduct.violations.rows[i]);
        }
    }
}

static void on_game_event(void *owner, const struct game_event *event)
{
    struct pairing_run *run = owner;
    if (event->kind == GAME_EVENT_OVER) {
        keep_game(run, event->finished);
        return;
    }
    if (event->kind == GAME_EVENT_FAULT) {
        run->is_starved |= event->cause->is_starved;
    } else if (event->kind == GAME_EVENT_PLAYER_CLOSED) {
        keep_program(run, event->player, event->closed);
        run->match_run.players[event->player] = NULL;
    }
    run->sink->on_event(run, event);
}

/* --- The match --- */

static enum err start_match(struct pairing_run *run, struct note *why)
{
    const struct pairing_task *task = &run->task;
    run->match_run.options = (struct match_options){
        .rules = task->rules,
        .games = task->work.to,
        .from = run->index,
        .first_game = task->work.first_game,
        .seed = task->seed,
        .openings = task->openings,
        .opening_count = task->opening_count,
        .event = task->event,
        .round = task->round,
        .date = task->date,
        .sandbox = task->sandbox,
        .machine = task->machine,
        .keeps_records = !task->is_unrecorded,
    };
    run->match_run.options.rules.judge.excuses_starved =
        !task->is_final && run->overloads < MOST_OVERLOADS;
    run->match_run.hang_up_at = task->hang_up_at;
    for (int i = 0; i < 2; i++) {
        run->match_run.specs[i] = task->specs[i];
        run->match_run.absence[i] = task->absence[i];
        run->match_run.names[i] = task->names[i];
    }
    begin_game(run, run->index);
    return match_runner_start(run->runner, &run->match_run, why);
}

static void on_retry(uv_timer_t *timer)
{
    struct pairing_run *run = timer->data;
    struct note why;
    run->is_waiting = false;
    enum err err = start_match(run, &why);
    if (err) {
        run->is_busy = false;
        run->sink->on_done(run, err, &why);
    }
}

/* This machine has failed: no team may be charged for it. What it lacks is mostly there again when
 * other games or programs have ended. */
static void play_again_later(struct pairing_run *run, int before, const struct note *why)
{
    run->is_waiting = true;
    run->again = (struct game_again){run->again.count + 1, *why};
    uv_timer_start(&run->retry, on_retry, (uint64_t)RETRY_MS << before, 0);
    run->sink->on_again(run, why);
}

/* Whether the game that has ended without a result is played again. */
static bool plays_again(struct pairing_run *run, const struct note *why)
{
    if (run->is_stopping || run->task.is_final) {
        return false;
    }
    if (run->is_starved && run->overloads < MOST_OVERLOADS) {
        play_again_later(run, run->overloads++, why);
        return true;
    }
    if (run->failures < MOST_FAILURES) {
        play_again_later(run, run->failures++, why);
        return true;
    }
    return false;
}

static void match_run_done(struct match_run *match_run, enum err err, const struct note *why)
{
    struct pairing_run *run = (struct pairing_run *)match_run;
    struct note reason = *why; /* which is the match's */
    match_free(match_run->match);
    match_run->match = NULL;
    if (err == ERR_ENVIRONMENT && plays_again(run, &reason)) {
        return;
    }
    run->is_busy = false;
    run->sink->on_done(run, err, &reason);
}

static struct player *make_player(struct match_run *match_run, int player, struct note *why)
{
    struct pairing_run *run = (struct pairing_run *)match_run;
    return run->sink->make_player(run, player, why);
}

/* --- Public --- */

void pairing_run_init(struct pairing_run *run, struct match_runner *runner, int slot,
                      const struct pairing_run_sink *sink)
{
    *run = (struct pairing_run){.runner = runner, .sink = sink};
    run->match_run.first_slot = slot;
    run->match_run.make_player = make_player;
    run->match_run.on_done = match_run_done;
    run->match_run.sink = (struct game_sink){run, on_game_event};
    uv_timer_init(match_runner_loop(runner), &run->retry);
    run->retry.data = run;
}

void pairing_run_close(struct pairing_run *run) { uv_close((uv_handle_t *)&run->retry, NULL); }

enum err pairing_run_start(struct pairing_run *run, const struct pairing_task *task,
                           struct note *why)
{
    run->task = *task;
    run->index = task->work.from;
    run->failures = run->overloads = 0;
    run->again.count = 0;
    run->is_stopping = false;
    run->is_busy = true;
    enum err err = start_match(run, why);
    if (err) {
        run->is_busy = false;
    }
    return err;
}

void pairing_run_stop(struct pairing_run *run)
{
    bool is_stopped = run->is_stopping; /* already: its match is ending */
    run->is_stopping = true;
    if (run->is_waiting) {
        run->is_waiting = run->is_busy = false;
        uv_timer_stop(&run->retry);
    } else if (run->is_busy && !is_stopped) {
        match_stop(run->match_run.match);
    }
}
