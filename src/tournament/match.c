#include "tournament/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "judge/record.h"
#include "judge/recorder.h"

enum match_phase {
    MATCH_FREE,    /* without players */
    MATCH_PLAYING, /* `judge` and what follows are those of the game */
    MATCH_CLOSING, /* until the players have left */
};

struct match {
    struct match_options options;
    struct match_host host;
    struct game_sink sink;
    enum match_phase phase;
    int game; /* index of the next one, or of the one that is played */
    int played;
    struct player *players[2];
    int closed_players;
    struct judge judge;
    struct finished_game result;
    struct record record;
    size_t fault_capacity; /* of the result's list */
    int64_t started_ns;
    int64_t thinking_ns[2]; /* by player of the match: in all, and the longest turn */
    int64_t slowest_ns[2];
    bool is_stopping;
    bool is_done;
    enum err err;
    struct note why;
};

static int games_per_unit(const struct match_options *options)
{
    return options->rules.is_selfplay ? 1 : 2;
}

/* --- Openings --- */

struct state match_opening(const struct match_options *options, int unit)
{
    const struct game *game = options->rules.judge.game;
    if (options->openings) {
        return options->openings[(size_t)unit % options->opening_count];
    }
    struct rng rng = rng_make(hash_pair(options->seed, (uint64_t)unit));
    static const int tries = 1000;
    for (int i = 0; i < tries; i++) {
        struct state state = game->start();
        struct move moves[GAME_MAX_MOVES];
        for (int ply = 0; ply < options->rules.opening_plies; ply++) {
            size_t count = game->moves(&state, moves);
            if (count == 0 || game->apply(&state, &moves[rng_below(&rng, count)], NULL)) {
                break;
            }
        }
        if (!game_is_over(game, &state)) {
            return state;
        }
    }
    return game->start();
}

/* --- The game --- */

static void soon(struct match *m) { m->host.wake_at(m->host.owner, m->host.now(m->host.owner)); }

/* No more games: one that runs is abandoned, and tidied up when the match is woken. */
static void fail(struct match *m, enum err err, const struct note *why)
{
    if (!m->err) {
        m->err = err;
        m->why = *why;
    }
    m->is_stopping = true;
    if (m->phase == MATCH_PLAYING) {
        judge_abandon(&m->judge);
        soon(m);
    }
}

/* The match's number of the judge's player: their places alternate. */
static int player_number(const struct match *m, int judge_player)
{
    bool exchanged = !m->options.rules.is_selfplay && m->game % 2 == 1;
    return exchanged ? 1 - judge_player : judge_player;
}

static void finish_record(struct match *m)
{
    const char *prefix = m->options.round;
    char round[64];
    struct note why = {""};
    struct recorder_labels labels = {.event = m->options.event,
                                     .round = round,
                                     .date = m->options.date,
                                     .sandbox = m->options.sandbox,
                                     .machine = m->options.machine};
    snprintf(round, sizeof round, "%.40s%s%d", prefix ? prefix : "", prefix ? "." : "",
             m->options.first_game + m->game + 1);
    enum err err = recorder_finish(&m->record, &m->judge, &labels, &why);
    m->result.record = err ? NULL : record_to_string(&m->record);
    if (!err && !m->result.record) {
        err = note_fail(&why, ERR_ENVIRONMENT, "no memory for the record of a game");
    }
    if (err) {
        fail(m, err, &why);
    }
}

static int64_t judge_now(void *owner)
{
    struct match *m = owner;
    return m->host.now(m->host.owner);
}

static void complete_game(struct match *m)
{
    struct game_summary *summary = &m->result.summary;
    const struct judge *judge = &m->judge;
    const struct result *result = &judge->verdict.result;
    summary->outcome = result->outcome;
    memcpy(summary->score, result->score, sizeof summary->score);
    snprintf(summary->reason, sizeof summary->reason, "%s", result->reason);
    summary->is_forfeit = judge->verdict.is_forfeit;
    summary->plies = (int)judge->move_count;
    for (int i = 0; i < 2; i++) {
        int player = player_number(m, i);
        summary->colour[player] = judge->colour[i];
        memcpy(summary->faults[player], judge->fault_count[i], sizeof judge->fault_count[i]);
        summary->thinking_ms[i] = m->thinking_ns[i] / CLOCK_NS_PER_MS;
        summary->slowest_ms[i] = m->slowest_ns[i] / CLOCK_NS_PER_MS;
    }
    m->result.duration_ms = (judge_now(m) - m->started_ns) / CLOCK_NS_PER_MS;
    if (m->options.keeps_records) {
        finish_record(m);
    }
}

static void keep_ply(struct match *m, const struct judge *judge, const struct judge_ply *ply,
                     int player)
{
    struct note why;
    if (ply->was_asked) {
        int64_t *slowest_ns = &m->slowest_ns[player];
        *slowest_ns = ply->time_ns > *slowest_ns ? ply->time_ns : *slowest_ns;
        m->thinking_ns[player] += ply->time_ns;
    }
    enum err err =
        m->options.keeps_records ? recorder_add_ply(&m->record, judge, ply, &why) : ERR_NONE;
    if (err) {
        fail(m, err, &why);
    }
}

static void keep_fault(struct match *m, const struct game_fault *fault)
{
    struct finished_game *result = &m->result;
    struct game_fault *list = array_reserve(result->fault_list, &m->fault_capacity,
                                            result->fault_count + 1, sizeof *list);
    if (list) {
        result->fault_list = list;
        list[result->fault_count++] = *fault;
    } else {
        struct note why = {"no memory for what went wrong in a game"};
        fail(m, ERR_ENVIRONMENT, &why);
    }
}

static void on_judge_event(void *owner, const struct game_event *from_judge)
{
    struct match *m = owner;
    struct game_event event = *from_judge;
    struct game_fault fault;
    event.match = m;
    event.game = m->game;
    switch (event.kind) {
    case GAME_EVENT_PLY:
        event.player = player_number(m, judge_player_of(event.judge, event.ply->side));
        keep_ply(m, event.judge, event.ply, event.player);
        break;
    case GAME_EVENT_FAULT:
        fault = *event.fault;
        fault.player = player_number(m, fault.player);
        event.fault = &fault;
        if (m->options.keeps_records) {
            keep_fault(m, &fault);
        }
        break;
    case GAME_EVENT_OVER: /* sent to the sink when the judge has returned */
        soon(m);
        return;
    case GAME_EVENT_FAILED:
        fail(m, ERR_ENVIRONMENT, event.why);
        return;
    default:
        break;
    }
    game_sink_send(&m->sink, &event);
}

static void judge_wake_at(void *owner, int64_t when_ns)
{
    struct match *m = owner;
    m->host.wake_at(m->host.owner, when_ns);
}

/* The game is over, whatever became of it. */
static void drop_game(struct match *m)
{
    judge_free(&m->judge);
    finished_game_free(&m->result);
    record_clear(&m->record);
}

/* --- Its players --- */

static void on_closing_event(void *owner, struct player *player, const struct player_event *event)
{
    struct match *m = owner;
    (void)player;
    if (event->kind == PLAYER_CLOSED && ++m->closed_players == 2) {
        soon(m);
    }
}

static void close_players(struct match *m)
{
    m->phase = MATCH_CLOSING;
    m->closed_players = !m->players[0] + !m->players[1];
    if (m->closed_players == 2) {
        soon(m);
    }
    for (int i = 0; i < 2; i++) {
        struct player *player = m->players[i];
        if (player) {
            player->sink = (struct player_sink){m, on_closing_event};
            player->class->close(player);
        }
    }
}

static void free_players(struct match *m)
{
    for (int i = 0; i < 2; i++) {
        struct player *player = m->players[i];
        if (player) {
            game_sink_send(&m->sink, &(struct game_event){.kind = GAME_EVENT_PLAYER_CLOSED,
                                                          .match = m,
                                                          .player = i,
                                                          .closed = player});
            player->class->free(player);
        }
        m->players[i] = NULL;
    }
    m->phase = MATCH_FREE;
}

/* --- One game after the other --- */

uint64_t match_game_seed(uint64_t seed, int game) { return hash_pair(seed, (uint64_t)game + 1); }

static void start_game(struct match *m)
{
    struct judge_rules rules = m->options.rules.judge;
    struct judge_host host = {m, judge_now, judge_wake_at};
    struct game_sink sink = {m, on_judge_event};
    struct note why;
    int number = m->options.first_game + m->game;
    int per_unit = games_per_unit(&m->options);
    rules.start = match_opening(&m->options, m->options.first_game / per_unit + m->game / per_unit);
    rules.seed = match_game_seed(m->options.seed, number);
    m->result = (struct finished_game){.index = m->game};
    m->fault_capacity = 0;
    m->started_ns = judge_now(m);
    memset(m->thinking_ns, 0, sizeof m->thinking_ns);
    memset(m->slowest_ns, 0, sizeof m->slowest_ns);
    m->phase = MATCH_PLAYING;
    enum err err = judge_start(&m->judge, &rules, &host, &sink, m->players[player_number(m, 0)],
                               m->players[player_number(m, 1)], &why);
    if (err) {
        fail(m, err, &why);
    }
}

static void start_unit(struct match *m)
{
    struct note why;
    if (m->is_stopping || m->game == m->options.games) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        m->players[i] = m->host.make_player(m->host.owner, i, &why);
        if (!m->players[i]) {
            fail(m, ERR_ENVIRONMENT, &why);
            close_players(m);
            return;
        }
    }
    start_game(m);
}

static void hand_out(struct match *m)
{
    complete_game(m);
    if (m->err) {
        return;
    }
    m->played++;
    game_sink_send(&m->sink, &(struct game_event){.kind = GAME_EVENT_OVER,
                                                  .match = m,
                                                  .game = m->game,
                                                  .finished = &m->result});
}

static void finish_game(struct match *m)
{
    hand_out(m);
    drop_game(m);
    m->game++;
    bool is_last = m->game == m->options.games || m->game % games_per_unit(&m->options) == 0;
    if (is_last || m->is_stopping) {
        close_players(m);
    } else {
        start_game(m);
    }
}

void match_wake(struct match *m)
{
    if (m->phase == MATCH_PLAYING && m->judge.phase != JUDGE_DONE) {
        judge_wake(&m->judge);
    } else if (m->phase == MATCH_PLAYING && m->is_stopping) {
        drop_game(m);
        close_players(m);
    } else if (m->phase == MATCH_PLAYING) {
        finish_game(m);
    } else if (m->phase == MATCH_CLOSING && m->closed_players == 2) {
        free_players(m);
    }
    if (m->phase == MATCH_FREE) {
        start_unit(m);
    }
    if (m->phase == MATCH_FREE && !m->is_done) {
        m->is_done = true;
        m->host.on_done(m->host.owner, m->err, &m->why);
    }
}

/* --- The whole match --- */

enum err match_start(struct match **out, const struct match_options *options,
                     const struct match_host *host, const struct game_sink *sink, struct note *why)
{
    struct match *m = calloc(1, sizeof *m);
    if (!m) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for a match of %d games", options->games);
    }
    m->options = *options;
    m->host = *host;
    m->sink = *sink;
    m->game = options->from;
    soon(m);
    *out = m;
    return ERR_NONE;
}

void match_stop(struct match *m)
{
    struct note why;
    note_set(&why, "interrupted after %d of %d games", m->played, m->options.games);
    fail(m, ERR_INTERRUPTED, &why);
}

void match_free(struct match *m)
{
    if (m) {
        record_free(&m->record);
        free(m);
    }
}
