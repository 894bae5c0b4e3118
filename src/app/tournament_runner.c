#include "app/tournament_runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "app/match_log.h"
#include "app/match_runner.h"
#include "judge/annotation.h"
#include "store/writer.h"

enum {
    TICK_MS = 200,
    SHOW_MS = 15,      /* a spectator does not notice; a game without thinking is over before */
    MOST_FAILURES = 3, /* of one game, in a row, before the run ends */
    RETRY_MS = 500,    /* after the first failure, then twice as long each time */
};

struct tournament_runner;

/* One game at a time of one pairing. */
struct runner_board {
    struct match_run match_run; /* first: on_done gets it back */
    struct tournament_runner *runner;
    bool is_busy;
    struct tournament_work work;
    char round[16];
    int64_t started_ms;                   /* of the game */
    int game;                             /* its number */
    char start[GAME_POSITION_BYTES + 32]; /* for spectators, until the event is written */
    struct judge_ply *plies;              /* JUDGE_MAX_PLIES of them */
    size_t ply_count;
    size_t shown_plies; /* handed to the writer */
    struct writer_fault *faults;
    size_t fault_count;
    size_t fault_capacity;
    int failures;    /* of this machine in this game, in a row */
    bool is_waiting; /* to play it again; busy, but without a match */
    uv_timer_t retry;
};

struct tournament_runner {
    const struct tournament_runner_options *options;
    struct tournament *tournament;
    struct match_runner *runner;
    struct writer *writer;
    struct runner_board *boards;
    uv_async_t progress;
    uv_timer_t tick;
    uv_timer_t show;
    int waiting; /* games that the writer has and that are not committed */
    bool has_writer_failed;
    bool is_stopping;
    bool is_shut;
    enum err err;
    struct note why;
    char date[CLOCK_DATE_BYTES];
};

/* --- Stopping --- */

static void stop(struct tournament_runner *r, enum err err, const struct note *why)
{
    if (!r->err) {
        r->err = err;
        r->why = *why;
    }
    if (r->is_stopping) {
        return;
    }
    r->is_stopping = true;
    for (int i = 0; i < r->options->concurrency; i++) {
        struct runner_board *board = &r->boards[i];
        if (board->is_waiting) {
            board->is_waiting = board->is_busy = false;
            uv_timer_stop(&board->retry);
        } else if (board->is_busy) {
            match_stop(board->match_run.match);
        }
    }
}

static bool is_idle(const struct tournament_runner *r)
{
    for (int i = 0; i < r->options->concurrency; i++) {
        if (r->boards[i].is_busy) {
            return false;
        }
    }
    return true;
}

/* While the writer has games to commit it may still call: after a failure it ends before the handle
 * it would call. */
static void shut_if_done(struct tournament_runner *r)
{
    bool is_written = r->waiting == 0 || r->has_writer_failed;
    bool is_over = r->is_stopping || tournament_is_over(r->tournament);
    if (r->is_shut || !is_over || !is_written || !is_idle(r)) {
        return;
    }
    r->is_shut = true;
    if (r->has_writer_failed) {
        r->err = writer_stop(r->writer, &r->why);
        r->writer = NULL;
    }
    uv_close((uv_handle_t *)&r->progress, NULL);
    uv_close((uv_handle_t *)&r->tick, NULL);
    uv_close((uv_handle_t *)&r->show, NULL);
    for (int i = 0; i < r->options->concurrency; i++) {
        uv_close((uv_handle_t *)&r->boards[i].retry, NULL);
    }
    match_runner_close(r->runner);
}

static void on_interrupt(void *owner)
{
    struct tournament_runner *r = owner;
    struct note why;
    note_set(&why, "stopped");
    stop(r, ERR_INTERRUPTED, &why);
    shut_if_done(r);
}

/* --- A game as it is played --- */

static void begin_game(struct runner_board *board, int number)
{
    board->game = number;
    board->started_ms = clock_unix_ms();
    board->start[0] = '\0';
    board->ply_count = 0;
    board->shown_plies = 0;
    board->fault_count = 0;
}

/* The numbers of Black's and White's team, and where they begin. */
static void note_start(struct runner_board *board, const struct judge *judge)
{
    const int *team = board->runner->tournament->games[board->game].team;
    char position[GAME_POSITION_BYTES];
    judge->rules.game->write_position(&judge->start, position);
    snprintf(board->start, sizeof board->start, "%d %d %s",
             team[judge_player_of(judge, SIDE_BLACK)], team[judge_player_of(judge, SIDE_WHITE)],
             position);
}

static void keep_fault(struct runner_board *board, const struct game_event *event)
{
    const struct judge_fault *fault = event->fault;
    struct writer_fault *faults = array_reserve(board->faults, &board->fault_capacity,
                                                board->fault_count + 1, sizeof *faults);
    if (!faults) {
        struct note why;
        note_set(&why, "no memory for what went wrong in a game");
        stop(board->runner, ERR_ENVIRONMENT, &why);
        return;
    }
    board->faults = faults;
    struct writer_fault *kept = &board->faults[board->fault_count++];
    *kept = (struct writer_fault){
        .team = board->work.team[event->player],
        .ply = (int)fault->ply,
        .kind = fault->kind,
        .why = fault->why,
        .time_ms = fault->was_asked ? fault->time_ns / CLOCK_NS_PER_MS : -1,
    };
    event->judge->rules.game->write_position(&fault->position, kept->position);
}

/* --- A game that is over --- */

/* The match counts players as the pairing lists its teams; a game lists its first player first. */
static struct tournament_game result_of(const struct runner_board *board,
                                        const struct match_game *game)
{
    const struct result *result = &game->verdict.result;
    struct tournament_game out = board->runner->tournament->games[board->game];
    for (int place = 0; place < 2; place++) {
        int player = out.team[place] == board->work.team[0] ? 0 : 1;
        out.colour[place] = game->colour[player];
        memcpy(out.faults[place], game->faults[player], sizeof out.faults[place]);
        out.thinking_ms[place] = game->thinking_ns[player] / CLOCK_NS_PER_MS;
        out.slowest_ms[place] = game->slowest_ns[player] / CLOCK_NS_PER_MS;
    }
    out.outcome = result->outcome;
    out.score[0] = result->score[0];
    out.score[1] = result->score[1];
    out.is_forfeit = game->verdict.is_forfeit;
    out.plies = (int)game->plies;
    out.started_ms = board->started_ms;
    out.ended_ms = clock_unix_ms();
    snprintf(out.reason, sizeof out.reason, "%s", result->reason);
    return out;
}

static void keep_game(struct runner_board *board, const struct match_game *game)
{
    struct tournament_runner *r = board->runner;
    struct tournament_game result = result_of(board, game);
    char *record = record_to_string(&game->record);
    if (!record) {
        struct note why;
        note_set(&why, "no memory for the record of a game");
        stop(r, ERR_ENVIRONMENT, &why);
        return;
    }
    writer_add_game(r->writer, &result, record, board->faults, board->fault_count);
    board->faults = NULL;
    board->fault_capacity = 0;
    board->failures = 0;
    r->waiting++;
    begin_game(board, board->game + 1);
}

/* How often its program was frozen, then what it wrote to standard error, and to standard output if
 * the judge does not read it; NULL: nothing. */
static char *streams_of(const struct player *closed)
{
    const struct player_class *class = closed->class;
    struct note freezes = {""};
    int count = class->conduct ? class->conduct(closed).freezes : 0;
    bool was_frozen = match_log_describe_freezes(count, &freezes);
    char *errors = player_read_stream(closed, class->log);
    char *output = player_read_stream(closed, class->output);
    char *text = NULL;
    if (!output && !was_frozen) {
        return errors;
    }
    if (asprintf(&text, "%s%s%s%s%s%s", was_frozen ? "plum: " : "", freezes.text,
                 was_frozen ? "\n" : "", errors ? errors : "", output ? "\nstandard output:\n" : "",
                 output ? output : "") < 0) {
        text = NULL;
    }
    free(errors);
    free(output);
    return text;
}

static void keep_streams(const struct runner_board *board, int player, const struct player *closed)
{
    char *text = streams_of(closed);
    if (text && !board->runner->is_stopping) {
        writer_add_log(board->runner->writer, board->work.pairing, board->work.team[player],
                       board->work.first_game + board->work.from, text);
    } else {
        free(text);
    }
}

static void keep_violations(const struct runner_board *board, int player,
                            const struct player *closed)
{
    if (!closed->class->conduct || board->runner->is_stopping) {
        return;
    }
    struct player_conduct conduct = closed->class->conduct(closed);
    for (int i = 0; i < conduct.violations.count; i++) {
        writer_add_violation(board->runner->writer, board->work.pairing, board->work.team[player],
                             board->work.first_game + board->work.from,
                             &conduct.violations.rows[i]);
    }
}

static void on_game_event(void *owner, const struct game_event *event)
{
    struct runner_board *board = owner;
    switch (event->kind) {
    case GAME_EVENT_START:
        note_start(board, event->judge);
        break;
    case GAME_EVENT_PLY:
        board->plies[board->ply_count++] = *event->ply;
        break;
    case GAME_EVENT_FAULT:
        keep_fault(board, event);
        break;
    case GAME_EVENT_OVER:
        keep_game(board, event->finished);
        break;
    case GAME_EVENT_PLAYER_CLOSED:
        keep_streams(board, event->player, event->closed);
        keep_violations(board, event->player, event->closed);
        break;
    default:
        break;
    }
}

/* --- Handing out work --- */

static void fill_tables(struct tournament_runner *r);

static void start_work(struct tournament_runner *r, struct runner_board *board,
                       const struct tournament_work *work);

static void on_retry(uv_timer_t *timer)
{
    struct runner_board *board = timer->data;
    struct tournament_work rest = board->work;
    rest.from = board->game - rest.first_game;
    board->is_waiting = false;
    start_work(board->runner, board, &rest);
    shut_if_done(board->runner);
}

/* This machine has failed: no team may be charged for it. What it lacks is mostly there again when
 * other games or programs have ended. */
static void play_again_later(struct runner_board *board, const struct note *why)
{
    struct tournament_runner *r = board->runner;
    struct note sentence;
    note_set(&sentence, "game %d is played again: %.250s", board->game + 1, why->text);
    r->options->on_remark(r->options->owner, sentence.text);
    writer_begin_again(r->writer, board->game);
    board->is_waiting = true;
    uv_timer_start(&board->retry, on_retry, (uint64_t)RETRY_MS << board->failures++, 0);
}

static void match_run_done(struct match_run *match_run, enum err err, const struct note *why)
{
    struct runner_board *board = (struct runner_board *)match_run;
    struct tournament_runner *r = board->runner;
    struct note reason = *why; /* which is the match's */
    match_free(match_run->match);
    match_run->match = NULL;
    if (err == ERR_ENVIRONMENT && !r->is_stopping && board->failures < MOST_FAILURES) {
        play_again_later(board, &reason);
        return;
    }
    board->is_busy = false;
    if (err && err != ERR_INTERRUPTED) {
        stop(r, err, &reason);
    }
    fill_tables(r);
    shut_if_done(r);
}

static void start_work(struct tournament_runner *r, struct runner_board *board,
                       const struct tournament_work *work)
{
    const struct roster *roster = r->options->roster;
    struct match_run *match_run = &board->match_run;
    struct note why;
    if (r->options->random < 0) {
        snprintf(board->round, sizeof board->round, "%d", work->round + 1);
    } else {
        snprintf(board->round, sizeof board->round, "qualification");
    }
    match_run->options = (struct match_options){
        .rules = roster->rules,
        .games = work->to,
        .from = work->from,
        .first_game = work->first_game,
        .swap = true,
        .seed = roster->seed,
        .concurrency = 1,
        .event = roster->name,
        .round = board->round,
        .date = r->date,
        .sandbox = r->options->sandbox ? sandbox_level(r->options->sandbox) : NULL,
        .keeps_records = true,
    };
    for (int i = 0; i < 2; i++) {
        const struct entrant *entrant = &r->options->entrants->list[work->team[i]];
        match_run->specs[i] = entrant->can_play ? &entrant->spec : NULL;
        match_run->absence[i] = entrant->absence.text;
        match_run->names[i] = roster->teams[work->team[i]].name;
    }
    board->work = *work;
    board->is_busy = true;
    begin_game(board, work->first_game + work->from);
    enum err err = match_runner_start(r->runner, match_run, &why);
    if (err) {
        board->is_busy = false;
        stop(r, err, &why);
    }
}

static void fill_tables(struct tournament_runner *r)
{
    struct tournament_work work;
    for (int i = 0; i < r->options->concurrency; i++) {
        if (!r->is_stopping && !r->boards[i].is_busy && r->waiting < WRITER_MAX_WAITING &&
            tournament_next(r->tournament, &work)) {
            start_work(r, &r->boards[i], &work);
        }
    }
}

static void on_round(void *owner, int round, size_t first, size_t count)
{
    struct tournament_runner *r = owner;
    writer_add_round(r->writer, round, (int)first, &r->tournament->pairings[first], count);
}

static void go_on(struct tournament_runner *r)
{
    struct note why;
    enum err err = r->is_stopping ? ERR_NONE : tournament_plan(r->tournament, &why);
    if (err) {
        stop(r, err, &why);
    }
    fill_tables(r);
    shut_if_done(r);
}

/* --- What the writer did --- */

/* On the writer's thread. */
static void writer_progress(void *owner)
{
    struct tournament_runner *r = owner;
    uv_async_send(&r->progress);
}

static void on_progress(uv_async_t *async)
{
    struct tournament_runner *r = async->data;
    struct tournament_game game;
    struct note why;
    while (writer_take_committed(r->writer, &game)) {
        tournament_finish_game(r->tournament, &game);
        r->waiting--;
    }
    enum err err = writer_failure(r->writer, &why);
    if (err) {
        r->has_writer_failed = true;
        stop(r, err, &why);
    }
    go_on(r);
}

/* --- Spectators --- */

/* As a line of a record. */
static void show_ply(struct tournament_runner *r, const struct runner_board *board, size_t index)
{
    const struct judge_ply *ply = &board->plies[index];
    struct annotation facts = {
        .has_time = ply->was_asked,
        .time_ns = ply->time_ns,
        .has_fault = ply->has_fault,
        .fault = ply->fault,
    };
    char move[GAME_MOVE_BYTES];
    char comment[ANNOTATION_BYTES];
    char text[GAME_MOVE_BYTES + ANNOTATION_BYTES + 32];
    game_write_move(r->options->roster->game, &ply->move, move);
    annotation_write(&facts, comment);
    snprintf(text, sizeof text, "%zu. %c %s%s%s%s", index + 1, ply->side == SIDE_BLACK ? 'b' : 'w',
             move, *comment ? " {" : "", comment, *comment ? "}" : "");
    writer_add_ply(r->writer, board->game, text);
}

static void on_show(uv_timer_t *timer)
{
    struct tournament_runner *r = timer->data;
    for (int i = 0; i < r->options->concurrency; i++) {
        struct runner_board *board = &r->boards[i];
        if (board->is_busy && board->start[0]) {
            writer_add_event(r->writer, "start", board->game, board->start);
            board->start[0] = '\0';
        }
        while (board->is_busy && board->shown_plies < board->ply_count) {
            show_ply(r, board, board->shown_plies++);
        }
    }
}

static void on_tick(uv_timer_t *timer)
{
    struct tournament_runner *r = timer->data;
    r->options->on_tick(r->options->owner, r->tournament);
}

/* --- Public --- */

static enum err make_tables(struct tournament_runner *r, struct note *why)
{
    r->boards = calloc((size_t)r->options->concurrency, sizeof *r->boards);
    bool has_room = r->boards;
    for (int i = 0; has_room && i < r->options->concurrency; i++) {
        struct runner_board *board = &r->boards[i];
        board->runner = r;
        board->plies = malloc(JUDGE_MAX_PLIES * sizeof *board->plies);
        board->match_run.first_slot = i;
        board->match_run.on_done = match_run_done;
        board->match_run.sink = (struct game_sink){board, on_game_event};
        has_room = board->plies;
    }
    if (!has_room) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once",
                         r->options->concurrency);
    }
    return ERR_NONE;
}

static void free_tables(struct tournament_runner *r)
{
    for (int i = 0; r->boards && i < r->options->concurrency; i++) {
        free(r->boards[i].plies);
        free(r->boards[i].faults);
    }
    free(r->boards);
}

static void on_remark(void *owner, const struct game_event *event)
{
    const struct tournament_runner *r = owner;
    r->options->on_remark(r->options->owner, event->remark);
}

static enum err open_runner(struct tournament_runner *r, struct note *why)
{
    const struct tournament_runner_options *options = r->options;
    const struct match_runner_setup setup = {
        .cpu_level = options->cpu_level,
        .sandbox = options->sandbox,
        .python = options->roster->python,
        .violations_lose = options->roster->violations_lose,
        .ponder = options->roster->ponder,
        .slots = options->concurrency,
        .has_tcp = options->entrants->has_tcp,
        .sink = {r, on_remark},
        .owner = r,
        .on_interrupt = on_interrupt,
    };
    enum err err = match_runner_open(&r->runner, &setup, why);
    if (err) {
        return err;
    }
    uv_async_init(match_runner_loop(r->runner), &r->progress, on_progress);
    for (int i = 0; i < options->concurrency; i++) {
        uv_timer_init(match_runner_loop(r->runner), &r->boards[i].retry);
        r->boards[i].retry.data = &r->boards[i];
    }
    uv_timer_init(match_runner_loop(r->runner), &r->tick);
    uv_timer_init(match_runner_loop(r->runner), &r->show);
    r->progress.data = r;
    r->tick.data = r;
    r->show.data = r;
    uv_timer_start(&r->tick, on_tick, TICK_MS, TICK_MS);
    uv_timer_start(&r->show, on_show, SHOW_MS, SHOW_MS);
    return ERR_NONE;
}

static enum err play(struct tournament_runner *r, struct note *why)
{
    enum err err = open_runner(r, why);
    if (err) {
        return err;
    }
    err = writer_start(&r->writer, r->options->store, r->options->random, r, writer_progress, why);
    if (err) {
        stop(r, err, why);
        shut_if_done(r);
        match_runner_finish(r->runner);
        return err;
    }
    go_on(r);
    match_runner_finish(r->runner);
    struct note unwritten;
    err = r->writer ? writer_stop(r->writer, &unwritten) : ERR_NONE;
    *why = err ? unwritten : r->why;
    return err ? err : r->err;
}

enum err tournament_runner_play(const struct tournament_runner_options *options,
                                struct tournament *t, struct note *why)
{
    struct tournament_runner r = {.options = options, .tournament = t};
    clock_write_today(r.date);
    t->sink = (struct tournament_sink){&r, on_round};
    enum err err = make_tables(&r, why);
    err = err ? err : play(&r, why);
    free_tables(&r);
    t->sink = (struct tournament_sink){0};
    return err;
}
