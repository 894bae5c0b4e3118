#include "play/tournament_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "play/match_runner.h"
#include "play/pairing_run.h"
#include "play/remote_boards.h"
#include "base/array.h"
#include "base/hash.h"
#include "cluster/coordinator.h"
#include "cluster/result_check.h"
#include "judge/annotation.h"
#include "judge/record.h"
#include "judge/record_turns.h"
#include "store/writer.h"

enum {
    TICK_MS = 200,
    VERIFY = 1,       /* for hashes of their own */
    MOST_EVENTS = 16, /* of the coordinator or the writer in one turn of the loop */
    SHOW_MS = 15,     /* a spectator does not notice; a game without thinking is over before */
};

struct tournament_runner;

/* One game at a time of one pairing. */
struct runner_board {
    struct pairing_run run; /* first: its sink gets it back */
    struct tournament_runner *runner;
    char round[16];
    char start[GAME_POSITION_BYTES + 32]; /* for spectators, until the event is written */
    struct judge_ply *plies;              /* of its game: JUDGE_MAX_PLIES of them */
    size_t ply_count;
    size_t shown_plies; /* handed to the writer */
};

/* A result of a worker whose games the writer has. */
struct runner_delivery {
    uint64_t id;
    struct tournament_work work;
    int left; /* games that are not committed */
};

struct tournament_runner {
    const struct tournament_runner_options *options;
    struct tournament *tournament;
    struct match_runner *runner;
    struct writer *writer;
    struct runner_board *boards;
    int board_count; /* at least one, also if all is played elsewhere */
    uv_async_t progress;
    uv_timer_t tick;
    uv_timer_t show;
    int waiting;       /* games that the writer has and that are not committed */
    uv_async_t remote; /* if there are workers, as is all that follows */
    bool is_remote_ready;
    struct runner_delivery *deliveries;
    size_t delivery_count;
    size_t delivery_capacity;
    struct tournament_work *given_up; /* works that no worker can play */
    size_t given_up_count;
    size_t given_up_capacity;
    struct remote_boards shown; /* games of workers */
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
    for (int i = 0; i < r->board_count; i++) {
        pairing_run_stop(&r->boards[i].run);
    }
}

static bool is_idle(const struct tournament_runner *r)
{
    for (int i = 0; i < r->board_count; i++) {
        if (r->boards[i].run.is_busy) {
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
    if (r->options->coordinator) {
        coordinator_detach(r->options->coordinator);
        uv_close((uv_handle_t *)&r->remote, NULL);
    }
    for (int i = 0; i < r->board_count; i++) {
        pairing_run_close(&r->boards[i].run);
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

/* The number of the game that it plays. */
static int game_of(const struct runner_board *board)
{
    return board->run.task.work.first_game + board->run.index;
}

static void begin_game(struct runner_board *board)
{
    board->start[0] = '\0';
    board->ply_count = 0;
    board->shown_plies = 0;
}

/* The numbers of Black's and White's team, and where they begin. */
static void note_start(struct runner_board *board, const struct judge *judge)
{
    const int *team = board->runner->tournament->games[game_of(board)].team;
    char position[GAME_POSITION_BYTES];
    judge->rules.game->write_position(&judge->start, position);
    snprintf(board->start, sizeof board->start, "%d %d %s",
             team[judge_player_of(judge, SIDE_BLACK)], team[judge_player_of(judge, SIDE_WHITE)],
             position);
}

static void on_game_event(struct pairing_run *run, const struct game_event *event)
{
    struct runner_board *board = (struct runner_board *)run;
    if (event->kind == GAME_EVENT_START) {
        note_start(board, event->judge);
    } else {
        board->plies[board->ply_count++] = *event->ply;
    }
}

/* --- A game that is over --- */

/* A pairing counts players as it lists its teams; a game lists its first player first. */
static struct tournament_game result_of(const struct tournament_runner *r,
                                        const struct tournament_work *work,
                                        const struct pairing_game *game)
{
    struct tournament_game out = r->tournament->games[work->first_game + game->index];
    struct record_turns turns[2];
    record_count_turns(game->record, r->options->roster->game, turns);
    for (int place = 0; place < 2; place++) {
        int player = out.team[place] == work->team[0] ? 0 : 1;
        out.colour[place] = game->colour[player];
        memcpy(out.faults[place], game->faults[player], sizeof out.faults[place]);
        out.judged[place] = turns[game->colour[player]].judged;
        out.turns[place] = out.judged[place] ? turns[game->colour[player]].turns : 0;
        out.thinking_ms[place] = game->thinking_ms[player];
        out.slowest_ms[place] = game->slowest_ms[player];
    }
    out.outcome = game->outcome;
    out.score[0] = game->score[0];
    out.score[1] = game->score[1];
    out.is_forfeit = game->is_forfeit;
    out.plies = game->plies;
    out.ended_ms = clock_unix_ms();
    out.started_ms = out.ended_ms - game->duration_ms;
    memcpy(out.reason, game->reason, sizeof out.reason);
    return out;
}

static struct writer_fault *faults_of(const struct tournament_work *work,
                                      const struct pairing_game *game)
{
    struct writer_fault *out = calloc(game->fault_count + 1, sizeof *out);
    for (size_t i = 0; out && i < game->fault_count; i++) {
        const struct pairing_fault *fault = &game->fault_list[i];
        out[i] = (struct writer_fault){
            .team = work->team[fault->player],
            .ply = fault->ply,
            .kind = fault->kind,
            .why = fault->why,
            .time_ms = fault->time_ms,
        };
        memcpy(out[i].position, fault->position, sizeof out[i].position);
    }
    return out;
}

static void note_again(struct tournament_runner *r, int number, const struct pairing_again *again)
{
    struct note reason = again->why;
    if (again->count > 1) {
        note_prefix(&reason, "%d times, the last time", again->count);
    }
    if (again->count > 0) {
        writer_add_audit(r->writer, "played again", number, reason.text);
    }
}

/* Hands it to the writer. */
static void keep_game(struct tournament_runner *r, const struct tournament_work *work,
                      const char *machine, struct pairing_game *take_game)
{
    struct tournament_game result = result_of(r, work, take_game);
    struct writer_fault *faults = faults_of(work, take_game);
    note_again(r, result.number, &take_game->again);
    if (faults) {
        writer_add_game(r->writer, &result, machine, take_game->record, faults,
                        take_game->fault_count);
        take_game->record = NULL;
        r->waiting++;
    } else {
        struct note why;
        note_set(&why, "no memory for what went wrong in a game");
        stop(r, ERR_ENVIRONMENT, &why);
    }
    pairing_game_free(take_game);
}

static void on_game(struct pairing_run *run, struct pairing_game *take_game)
{
    struct runner_board *board = (struct runner_board *)run;
    begin_game(board);
    keep_game(board->runner, &run->task.work, "", take_game);
}

static void on_log(struct pairing_run *run, int player, char *take_text)
{
    const struct runner_board *board = (struct runner_board *)run;
    const struct tournament_work *work = &run->task.work;
    writer_add_log(board->runner->writer, work->pairing, work->team[player],
                   work->first_game + work->from, take_text);
}

static void on_violation(struct pairing_run *run, int player, const struct violation *violation)
{
    const struct runner_board *board = (struct runner_board *)run;
    const struct tournament_work *work = &run->task.work;
    writer_add_violation(board->runner->writer, work->pairing, work->team[player],
                         work->first_game + work->from, violation);
}

static void on_again(struct pairing_run *run, const struct note *why)
{
    struct runner_board *board = (struct runner_board *)run;
    const struct tournament_runner *r = board->runner;
    struct note sentence;
    note_set(&sentence, "game %d is played again: %.250s", game_of(board) + 1, why->text);
    r->options->on_remark(r->options->owner, sentence.text);
    writer_begin_again(r->writer, game_of(board));
    begin_game(board);
}

/* --- Handing out work --- */

static void fill_boards(struct tournament_runner *r);

static void on_done(struct pairing_run *run, enum err err, const struct note *why)
{
    struct tournament_runner *r = ((struct runner_board *)run)->runner;
    if (err && err != ERR_INTERRUPTED) {
        stop(r, err, why);
    }
    fill_boards(r);
    shut_if_done(r);
}

static const struct pairing_run_sink board_sink = {
    .on_event = on_game_event,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .on_again = on_again,
    .on_done = on_done,
};

static void write_round(const struct tournament_runner *r, int round, char out[16])
{
    if (r->options->random < 0) {
        snprintf(out, 16, "%d", round + 1);
    } else {
        snprintf(out, 16, "qualification");
    }
}

static void start_work(struct tournament_runner *r, struct runner_board *board,
                       const struct tournament_work *work)
{
    const struct roster *roster = r->options->roster;
    struct note why;
    struct pairing_task task = {
        .work = *work,
        .rules = roster->rules,
        .seed = roster->seed,
        .event = roster->name,
        .round = board->round,
        .date = r->date,
        .sandbox = r->options->sandbox ? sandbox_level(r->options->sandbox) : NULL,
    };
    write_round(r, work->round, board->round);
    for (int i = 0; i < 2; i++) {
        const struct entrant *entrant = &r->options->entrants->list[work->team[i]];
        task.specs[i] = entrant->can_play ? &entrant->spec : NULL;
        task.absence[i] = entrant->absence.text;
        task.names[i] = roster->teams[work->team[i]].name;
    }
    begin_game(board);
    enum err err = pairing_run_start(&board->run, &task, &why);
    if (err) {
        stop(r, err, &why);
    }
}

/* --- Workers --- */

static struct cluster_key key_of(const struct tournament_runner *r,
                                 const struct tournament_work *work)
{
    struct cluster_key key = {.is_qualification = r->options->random >= 0, .work = *work};
    for (int i = work->from; i < work->to; i++) {
        key.attempts[i - work->from] = r->tournament->games[work->first_game + i].attempt;
    }
    return key;
}

static struct cluster_player player_of(const struct tournament_runner *r, int team)
{
    const struct entrant *entrant = &r->options->entrants->list[team];
    struct cluster_player out = {.can_play = entrant->can_play, .absence = entrant->absence};
    snprintf(out.name, sizeof out.name, "%s", r->options->roster->teams[team].name);
    if (entrant->can_play && player_spec_is_program(&entrant->spec)) {
        const struct remote_program *program = &r->options->programs[team];
        memcpy(out.spec, program->spec, sizeof out.spec);
        memcpy(out.program, program->hash, sizeof out.program);
    } else if (entrant->can_play) {
        memcpy(out.spec, entrant->spec.text, sizeof out.spec);
    }
    return out;
}

static struct cluster_job job_of(const struct tournament_runner *r,
                                 const struct tournament_work *work)
{
    struct cluster_job job = {
        .key = key_of(r, work),
        .seed = r->options->roster->seed,
        .players = {player_of(r, work->team[0]), player_of(r, work->team[1])},
    };
    write_round(r, work->round, job.round);
    return job;
}

/* Whether two machines play it: a share of the pairings that does not depend on chance. */
static bool is_verified(const struct tournament_runner *r, const struct tournament_work *work)
{
    uint64_t draw = hash_pair(hash_pair(r->options->roster->seed, VERIFY), (uint64_t)work->pairing);
    bool is_repeatable = true;
    for (int i = 0; i < 2; i++) {
        const struct entrant *entrant = &r->options->entrants->list[work->team[i]];
        is_repeatable &= entrant->can_play && player_spec_is_deterministic(&entrant->spec);
    }
    return is_repeatable && draw % 100 < (uint64_t)r->options->verify_percent;
}

static void hand_out(struct tournament_runner *r)
{
    struct coordinator *coordinator = r->options->coordinator;
    struct tournament_work work;
    struct note why;
    int room = coordinator && r->is_remote_ready ? coordinator_room(coordinator) : 0;
    while (room-- > 0 && !r->is_stopping && r->waiting < WRITER_MAX_WAITING &&
           tournament_next(r->tournament, &work)) {
        const struct cluster_job job = job_of(r, &work);
        enum err err = coordinator_hand_out(coordinator, &job, is_verified(r, &work), &why);
        if (err) {
            stop(r, err, &why);
        }
    }
}

static void note_failure(struct tournament_runner *r, const char *machine,
                         enum coordinator_failure failure)
{
    const struct store_machine_counts counts = {
        .refused = failure == COORDINATOR_REFUSED,
        .returned = failure == COORDINATOR_RETURNED,
        .lost = failure == COORDINATOR_LOST,
    };
    writer_add_machine(r->writer, machine, &counts);
}

/* A result that waited for the start of this process: whether its games are still to be played. It
 * is checked here, before the first game. */
static bool is_wanted(struct tournament_runner *r, struct cluster_result *result)
{
    const struct tournament_work *work = &result->key.work;
    struct cluster_job *job = malloc(sizeof *job);
    struct note why = {"no memory"};
    bool is_taken = !r->is_remote_ready && job && tournament_take(r->tournament, work);
    enum err err = ERR_NONE;
    bool is_same = false;
    if (is_taken) {
        *job = job_of(r, work);
        coordinator_complete(r->options->coordinator, job);
        is_same = cluster_key_equal(&job->key, &result->key);
        err = is_same ? result_check(r->options->cpu_level, job, result, &why) : ERR_NONE;
    }
    free(job);
    if (is_taken && err) {
        struct note sentence;
        note_set(&sentence, "a result of worker %s is refused: %.300s", result->machine, why.text);
        r->options->on_remark(r->options->owner, sentence.text);
        coordinator_refuse(r->options->coordinator, result->machine);
    }
    if (is_taken && (err || !is_same)) {
        tournament_untake(r->tournament, work);
    }
    return is_same && !err;
}

/* Hands its games to the writer; the server may forget it when they are committed. */
static void keep_result(struct tournament_runner *r, struct coordinator_event *event)
{
    struct cluster_result *result = &event->result;
    const struct tournament_work work = result->key.work;
    struct runner_delivery *larger =
        array_reserve(r->deliveries, &r->delivery_capacity, r->delivery_count + 1, sizeof *larger);
    if (!larger) {
        struct note why;
        note_set(&why, "no memory for the result of a worker");
        stop(r, ERR_ENVIRONMENT, &why);
        return;
    }
    remote_boards_end(&r->shown, &work, r->writer);
    r->deliveries = larger;
    r->deliveries[r->delivery_count++] =
        (struct runner_delivery){event->delivery, work, work.to - work.from};
    for (int i = 0; i < work.to - work.from; i++) {
        keep_game(r, &work, result->machine, &result->games[i]);
    }
    for (size_t i = 0; i < result->log_count; i++) {
        writer_add_log(r->writer, work.pairing, work.team[result->logs[i].player],
                       work.first_game + work.from, result->logs[i].text);
        result->logs[i].text = NULL;
    }
    for (size_t i = 0; i < result->violation_count; i++) {
        struct violation violation = result->violations[i].violation;
        violation.first_ms = clock_unix_ms() - violation.first_ms; /* it is a duration */
        writer_add_violation(r->writer, work.pairing, work.team[result->violations[i].player],
                             work.first_game + work.from, &violation);
    }
}

static void take_result(struct tournament_runner *r, struct coordinator_event *event)
{
    if (r->is_stopping) {
        /* It stays on the server. */
    } else if (event->is_expected || is_wanted(r, &event->result)) {
        keep_result(r, event);
    } else {
        coordinator_settle(r->options->coordinator, event->delivery, true);
    }
    cluster_result_free(&event->result);
}

static void play_here(struct tournament_runner *r, const struct tournament_work *work)
{
    struct tournament_work *larger =
        array_reserve(r->given_up, &r->given_up_capacity, r->given_up_count + 1, sizeof *larger);
    if (larger) {
        r->given_up = larger;
        r->given_up[r->given_up_count++] = *work;
    } else {
        struct note why;
        note_set(&why, "no memory for a pairing");
        stop(r, ERR_ENVIRONMENT, &why);
    }
}

/* The writer has committed a game: the server may forget a result of which it was the last. */
static void settle_game(struct tournament_runner *r, int number)
{
    for (size_t i = 0; i < r->delivery_count; i++) {
        struct runner_delivery *delivery = &r->deliveries[i];
        const struct tournament_work *work = &delivery->work;
        if (number >= work->first_game + work->from && number < work->first_game + work->to) {
            if (--delivery->left == 0) {
                coordinator_settle(r->options->coordinator, delivery->id, false);
                *delivery = r->deliveries[--r->delivery_count];
            }
            return;
        }
    }
}

/* --- All work --- */

static void fill_boards(struct tournament_runner *r)
{
    struct tournament_work work;
    bool may_begin = !r->options->coordinator || r->is_remote_ready;
    for (int i = 0; i < r->board_count; i++) {
        if (r->is_stopping || r->boards[i].run.is_busy || r->waiting >= WRITER_MAX_WAITING) {
            continue;
        }
        if (r->given_up_count) {
            work = r->given_up[--r->given_up_count];
            start_work(r, &r->boards[i], &work);
        } else if (may_begin && i < r->options->concurrency &&
                   tournament_next(r->tournament, &work)) {
            start_work(r, &r->boards[i], &work);
        }
    }
    hand_out(r);
}

static void on_round(void *owner, int round, size_t first, size_t count)
{
    struct tournament_runner *r = owner;
    writer_add_round(r->writer, round, (int)first, &r->tournament->pairings[first], count);
}

static void play_next(struct tournament_runner *r)
{
    struct note why;
    enum err err = r->is_stopping ? ERR_NONE : tournament_plan(r->tournament, &why);
    if (err) {
        stop(r, err, &why);
    }
    fill_boards(r);
    shut_if_done(r);
}

/* --- What the workers did --- */

/* On any thread. */
static void on_coordinator_events(void *owner)
{
    struct tournament_runner *r = owner;
    uv_async_send(&r->remote);
}

static void on_remote(uv_async_t *async)
{
    struct tournament_runner *r = async->data;
    struct coordinator_event event;
    int taken = 0;
    while (taken < MOST_EVENTS && !r->is_shut &&
           coordinator_next(r->options->coordinator, &event)) {
        taken++;
        switch (event.kind) {
        case COORDINATOR_READY:
            r->is_remote_ready = true;
            break;
        case COORDINATOR_RESULT:
            take_result(r, &event);
            break;
        case COORDINATOR_GIVEN_UP:
            remote_boards_end(&r->shown, &event.key.work, r->writer);
            play_here(r, &event.key.work);
            break;
        case COORDINATOR_REMARK:
            r->options->on_remark(r->options->owner, event.remark.text);
            break;
        case COORDINATOR_PLIES:
            remote_boards_take(&r->shown, &r->options->roster->rules, event.plies, r->writer);
            free(event.plies);
            break;
        case COORDINATOR_FAILURE:
            note_failure(r, event.machine, event.failure);
            break;
        case COORDINATOR_CHANGED:
            break;
        }
    }
    if (taken == MOST_EVENTS && !r->is_shut) {
        uv_async_send(async);
    }
    play_next(r);
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
    int taken = 0;
    for (; taken < MOST_EVENTS && writer_take_committed(r->writer, &game); taken++) {
        tournament_finish_game(r->tournament, &game);
        r->waiting--;
        settle_game(r, game.number);
    }
    if (taken == MOST_EVENTS && !r->is_shut) {
        uv_async_send(async);
    }
    enum err err = writer_failure(r->writer, &why);
    if (err) {
        r->has_writer_failed = true;
        stop(r, err, &why);
    }
    play_next(r);
}

/* --- Spectators --- */

static void show_ply(struct tournament_runner *r, const struct runner_board *board, size_t index)
{
    const struct judge_ply *ply = &board->plies[index];
    const struct annotation facts = {
        .has_time = ply->was_asked,
        .time_ns = ply->time_ns,
        .has_fault = ply->has_fault,
        .fault = ply->fault,
    };
    char text[GAME_MOVE_BYTES + ANNOTATION_BYTES + 32];
    record_ply_line(r->options->roster->game, &ply->move, ply->side, (int)index + 1, &facts, text,
                    sizeof text);
    writer_add_ply(r->writer, game_of(board), text);
}

static void on_show(uv_timer_t *timer)
{
    struct tournament_runner *r = timer->data;
    for (int i = 0; i < r->board_count; i++) {
        struct runner_board *board = &r->boards[i];
        if (board->run.is_busy && board->start[0]) {
            writer_add_event(r->writer, "start", game_of(board), board->start);
            board->start[0] = '\0';
        }
        while (board->run.is_busy && board->shown_plies < board->ply_count) {
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

static enum err make_boards(struct tournament_runner *r, struct note *why)
{
    r->board_count = r->options->concurrency > 1 ? r->options->concurrency : 1;
    r->boards = calloc((size_t)r->board_count, sizeof *r->boards);
    bool has_room = r->boards;
    for (int i = 0; has_room && i < r->board_count; i++) {
        struct runner_board *board = &r->boards[i];
        board->runner = r;
        board->plies = malloc(JUDGE_MAX_PLIES * sizeof *board->plies);
        has_room = board->plies;
    }
    if (!has_room) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once", r->board_count);
    }
    return ERR_NONE;
}

static void free_boards(struct tournament_runner *r)
{
    for (int i = 0; r->boards && i < r->board_count; i++) {
        free(r->boards[i].plies);
        pairing_run_free(&r->boards[i].run);
    }
    free(r->boards);
    free(r->deliveries);
    free(r->given_up);
    remote_boards_free(&r->shown);
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
        .slots = r->board_count,
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
    for (int i = 0; i < r->board_count; i++) {
        pairing_run_init(&r->boards[i].run, r->runner, i, &board_sink);
    }
    uv_timer_init(match_runner_loop(r->runner), &r->tick);
    uv_timer_init(match_runner_loop(r->runner), &r->show);
    r->progress.data = r;
    r->tick.data = r;
    r->show.data = r;
    uv_timer_start(&r->tick, on_tick, TICK_MS, TICK_MS);
    uv_timer_start(&r->show, on_show, SHOW_MS, SHOW_MS);
    if (options->coordinator) {
        uv_async_init(match_runner_loop(r->runner), &r->remote, on_remote);
        r->remote.data = r;
    }
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
    if (r->options->coordinator) {
        coordinator_attach(r->options->coordinator, r, on_coordinator_events);
    }
    play_next(r);
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
    enum err err = make_boards(&r, why);
    err = err ? err : play(&r, why);
    free_boards(&r);
    t->sink = (struct tournament_sink){0};
    return err;
}
