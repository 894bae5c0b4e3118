#include "tournament/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "judge/recorder.h"

enum match_slot_phase {
    SLOT_FREE,
    SLOT_PLAYING, /* `judge` and `result` are those of the game */
    SLOT_CLOSING, /* until the players have left */
};

struct match_slot {
    struct match *match;
    int number;
    enum match_slot_phase phase;
    int unit;
    int game; /* index */
    struct player *players[2];
    int closed_players;
    struct judge judge;
    struct finished_game *result;
    struct record record;
    size_t fault_capacity; /* of the result's list */
    int64_t started_ns;
    int64_t thinking_ns[2]; /* by player of the match: in all, and the longest turn */
    int64_t slowest_ns[2];
};

struct match {
    struct match_options options;
    struct match_host host;
    struct game_sink sink;
    struct match_score score;
    struct match_slot *slots;
    struct finished_game **finished; /* by index, until they are handed out */
    int next_unit;
    int next_handed_out;
    int pair_points; /* of player 0 in the unit being handed out, in half points; or BOTH_LOST */
    bool is_stopping;
    bool is_done;
    enum err err;
    struct note why;
};

static int games_per_unit(const struct match *m) { return m->options.swap ? 2 : 1; }

static int unit_count(const struct match *m)
{
    return (m->options.games + games_per_unit(m) - 1) / games_per_unit(m);
}

/* --- Openings --- */

struct state match_opening(const struct match_options *options, int unit)
{
    const struct game *game = options->rules.game;
    if (options->openings) {
        return options->openings[(size_t)unit % options->opening_count];
    }
    struct rng rng = rng_make(hash_pair(options->seed, (uint64_t)unit));
    static const int tries = 1000;
    for (int i = 0; i < tries; i++) {
        struct state state = game->start();
        struct move moves[GAME_MAX_MOVES];
        for (int ply = 0; ply < options->opening_plies; ply++) {
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

/* --- Handing out results in order --- */

static void add_time(struct match_times *times, int64_t ns)
{
    uint32_t *list = array_reserve(times->us, &times->capacity, times->count + 1, sizeof *list);
    if (!list) {
        return; /* a statistic over fewer moves */
    }
    times->us = list;
    int64_t us = ns / 1000;
    times->us[times->count++] = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

enum { BOTH_LOST = -1 };

/* Player 0's half points: 0, 1 or 2; or BOTH_LOST. */
static int half_points(const struct game_summary *game)
{
    switch (game->outcome) {
    case OUTCOME_BLACK:
        return game->colour[0] == SIDE_BLACK ? 2 : 0;
    case OUTCOME_WHITE:
        return game->colour[0] == SIDE_WHITE ? 2 : 0;
    case OUTCOME_BOTH_LOST:
        return BOTH_LOST;
    default:
        return 1;
    }
}

static void count_game(struct match *m, const struct finished_game *game)
{
    int points = half_points(&game->summary);
    m->score.games++;
    m->score.plies += game->summary.plies;
    m->score.wins[0] += points == 2;
    m->score.wins[1] += points == 0;
    m->score.draws += points == 1;
    m->score.both_lost += points == BOTH_LOST;
    for (int i = 0; i < 2; i++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            m->score.faults[i][kind] += game->summary.faults[i][kind];
        }
    }
    if (m->options.swap && game->index % 2 == 0) {
        m->pair_points = points;
    } else if (points != BOTH_LOST && !m->options.swap) {
        m->score.units.units[2 * points]++;
    } else if (points != BOTH_LOST && m->pair_points != BOTH_LOST) {
        m->score.units.units[m->pair_points + points]++;
    }
    if (m->options.has_sprt) {
        m->score.sprt = sprt_test(&m->score.units, m->options.elo0, m->options.elo1, NULL);
    }
}

static void free_game(struct finished_game *game)
{
    if (game) {
        finished_game_free(game);
        free(game);
    }
}

/* --- One slot --- */

static void soon(struct match_slot *slot)
{
    struct match *m = slot->match;
    m->host.wake_at(m->host.owner, slot->number, m->host.now(m->host.owner));
}

/* No more games: those that run are abandoned, their slots tidied up when they are woken. */
static void stop(struct match *m)
{
    m->is_stopping = true;
    for (int i = 0; i < m->options.concurrency; i++) {
        if (m->slots[i].phase == SLOT_PLAYING) {
            judge_abandon(&m->slots[i].judge);
            soon(&m->slots[i]);
        }
    }
}

static void fail(struct match *m, enum err err, const struct note *why)
{
    if (!m->err) {
        m->err = err;
        m->why = *why;
    }
    stop(m);
}

static void hand_out(struct match *m)
{
    while (m->next_handed_out < m->options.games && m->finished[m->next_handed_out] &&
           m->score.sprt == SPRT_OPEN && !m->err) {
        struct finished_game *game = m->finished[m->next_handed_out];
        m->finished[m->next_handed_out++] = NULL;
        count_game(m, game);
        game_sink_send(&m->sink, &(struct game_event){.kind = GAME_EVENT_OVER,
                                                      .match = m,
                                                      .game = game->index,
                                                      .finished = game});
        free_game(game);
    }
    if (m->score.sprt != SPRT_OPEN) {
        stop(m);
    }
}

/* The match's number of the judge's player: their places alternate. */
static int player_number(const struct match_slot *slot, int judge_player)
{
    bool exchanged = slot->match->options.swap && slot->game % 2 == 1;
    return exchanged ? 1 - judge_player : judge_player;
}

static void finish_record(struct match_slot *slot)
{
    struct match *m = slot->match;
    const char *prefix = m->options.round;
    char round[64];
    struct note why = {""};
    struct recorder_labels labels = {.event = m->options.event,
                                     .round = round,
                                     .date = m->options.date,
                                     .sandbox = m->options.sandbox,
                                     .machine = m->options.machine};
    snprintf(round, sizeof round, "%.40s%s%d", prefix ? prefix : "", prefix ? "." : "",
             m->options.first_game + slot->game + 1);
    enum err err = recorder_finish(&slot->record, &slot->judge, &labels, &why);
    slot->result->record = err ? NULL : record_to_string(&slot->record);
    if (!err && !slot->result->record) {
        err = note_fail(&why, ERR_ENVIRONMENT, "no memory for the record of a game");
    }
    if (err) {
        fail(m, err, &why);
    }
}

static int64_t judge_now(void *owner)
{
    struct match_slot *slot = owner;
    return slot->match->host.now(slot->match->host.owner);
}

static void complete_game(struct match_slot *slot)
{
    struct game_summary *summary = &slot->result->summary;
    const struct judge *judge = &slot->judge;
    const struct result *result = &judge->verdict.result;
    summary->outcome = result->outcome;
    memcpy(summary->score, result->score, sizeof summary->score);
    snprintf(summary->reason, sizeof summary->reason, "%s", result->reason);
    summary->is_forfeit = judge->verdict.is_forfeit;
    summary->plies = (int)judge->move_count;
    for (int i = 0; i < 2; i++) {
        int player = player_number(slot, i);
        summary->colour[player] = judge->colour[i];
        memcpy(summary->faults[player], judge->fault_count[i], sizeof judge->fault_count[i]);
        summary->thinking_ms[i] = slot->thinking_ns[i] / CLOCK_NS_PER_MS;
        summary->slowest_ms[i] = slot->slowest_ns[i] / CLOCK_NS_PER_MS;
    }
    slot->result->duration_ms = (judge_now(slot) - slot->started_ns) / CLOCK_NS_PER_MS;
    if (slot->match->options.keeps_records) {
        finish_record(slot);
    }
}

static void keep_ply(struct match_slot *slot, const struct judge *judge,
                     const struct judge_ply *ply)
{
    struct match *m = slot->match;
    struct note why;
    if (ply->was_asked) {
        int player = player_number(slot, judge_player_of(judge, ply->side));
        int64_t *slowest_ns = &slot->slowest_ns[player];
        *slowest_ns = ply->time_ns > *slowest_ns ? ply->time_ns : *slowest_ns;
        slot->thinking_ns[player] += ply->time_ns;
        add_time(&m->score.times[player], ply->time_ns);
    }
    enum err err =
        m->options.keeps_records ? recorder_add_ply(&slot->record, judge, ply, &why) : ERR_NONE;
    if (err) {
        fail(m, err, &why);
    }
}

static void keep_fault(struct match_slot *slot, const struct game_fault *fault)
{
    struct finished_game *result = slot->result;
    struct game_fault *list = array_reserve(result->fault_list, &slot->fault_capacity,
                                            result->fault_count + 1, sizeof *list);
    if (list) {
        result->fault_list = list;
        list[result->fault_count++] = *fault;
    } else {
        struct note why = {"no memory for what went wrong in a game"};
        fail(slot->match, ERR_ENVIRONMENT, &why);
    }
}

static void on_judge_event(void *owner, const struct game_event *from_judge)
{
    struct match_slot *slot = owner;
    struct game_event event = *from_judge;
    struct game_fault fault;
    event.match = slot->match;
    event.game = slot->game;
    switch (event.kind) {
    case GAME_EVENT_PLY:
        keep_ply(slot, event.judge, event.ply);
        break;
    case GAME_EVENT_FAULT:
        fault = *event.fault;
        fault.player = player_number(slot, fault.player);
        event.fault = &fault;
        if (slot->match->options.keeps_records) {
            keep_fault(slot, &fault);
        }
        break;
    case GAME_EVENT_OVER: /* sent to the sink when it is this game's turn */
        soon(slot);
        return;
    case GAME_EVENT_FAILED:
        fail(slot->match, ERR_ENVIRONMENT, event.why);
        return;
    default:
        break;
    }
    game_sink_send(&slot->match->sink, &event);
}

static void judge_wake_at(void *owner, int64_t when_ns)
{
    struct match_slot *slot = owner;
    slot->match->host.wake_at(slot->match->host.owner, slot->number, when_ns);
}

static void on_closing_event(void *owner, struct player *player, const struct player_event *event)
{
    struct match_slot *slot = owner;
    (void)player;
    if (event->kind == PLAYER_CLOSED && ++slot->closed_players == 2) {
        soon(slot);
    }
}

static void close_players(struct match_slot *slot)
{
    slot->phase = SLOT_CLOSING;
    slot->closed_players = !slot->players[0] + !slot->players[1];
    if (slot->closed_players == 2) {
        soon(slot);
    }
    for (int i = 0; i < 2; i++) {
        struct player *player = slot->players[i];
        if (player) {
            player->sink = (struct player_sink){slot, on_closing_event};
            player->class->close(player);
        }
    }
}

static void free_players(struct match_slot *slot)
{
    struct match *m = slot->match;
    for (int i = 0; i < 2; i++) {
        struct player *player = slot->players[i];
        if (player) {
            game_sink_send(&m->sink, &(struct game_event){.kind = GAME_EVENT_PLAYER_CLOSED,
                                                          .match = m,
                                                          .player = i,
                                                          .closed = player});
            player->class->free(player);
        }
        slot->players[i] = NULL;
    }
    slot->phase = SLOT_FREE;
}

uint64_t match_game_seed(uint64_t seed, int game) { return hash_pair(seed, (uint64_t)game + 1); }

static void start_game(struct match_slot *slot)
{
    struct match *m = slot->match;
    struct judge_rules rules = m->options.rules;
    struct judge_host host = {slot, judge_now, judge_wake_at};
    struct game_sink sink = {slot, on_judge_event};
    struct note why;
    rules.start =
        match_opening(&m->options, m->options.first_game / games_per_unit(m) + slot->unit);
    rules.seed = match_game_seed(m->options.seed, m->options.first_game + slot->game);
    slot->fault_capacity = 0;
    memset(slot->thinking_ns, 0, sizeof slot->thinking_ns);
    memset(slot->slowest_ns, 0, sizeof slot->slowest_ns);
    slot->result = calloc(1, sizeof *slot->result);
    if (!slot->result) {
        note_set(&why, "no memory for another game");
        fail(m, ERR_ENVIRONMENT, &why);
        close_players(slot);
        return;
    }
    slot->result->index = slot->game;
    slot->started_ns = judge_now(slot);
    slot->phase = SLOT_PLAYING;
    enum err err =
        judge_start(&slot->judge, &rules, &host, &sink, slot->players[player_number(slot, 0)],
                    slot->players[player_number(slot, 1)], &why);
    if (err) {
        fail(m, err, &why);
    }
}

/* The game is over for the slot, whatever became of it. */
static void drop_game(struct match_slot *slot)
{
    judge_free(&slot->judge);
    record_free(&slot->record);
    free_game(slot->result);
    slot->result = NULL;
}

static void start_unit(struct match_slot *slot)
{
    struct match *m = slot->match;
    struct note why;
    if (m->is_stopping || m->next_unit == unit_count(m)) {
        return;
    }
    slot->unit = m->next_unit++;
    slot->game = slot->unit * games_per_unit(m);
    if (slot->game < m->options.from) {
        slot->game = m->options.from;
    }
    for (int i = 0; i < 2; i++) {
        slot->players[i] = m->host.make_player(m->host.owner, i, slot->number, &why);
        if (!slot->players[i]) {
            fail(m, ERR_ENVIRONMENT, &why);
            close_players(slot);
            return;
        }
    }
    start_game(slot);
}

static void finish_game(struct match_slot *slot)
{
    struct match *m = slot->match;
    complete_game(slot);
    m->finished[slot->game] = slot->result;
    slot->result = NULL;
    drop_game(slot);
    hand_out(m);
    bool is_last = slot->game + 1 == m->options.games || (slot->game + 1) % games_per_unit(m) == 0;
    if (is_last || m->is_stopping) {
        close_players(slot);
    } else {
        slot->game++;
        start_game(slot);
    }
}

/* --- The whole match --- */

static bool is_idle(const struct match *m)
{
    for (int i = 0; i < m->options.concurrency; i++) {
        if (m->slots[i].phase != SLOT_FREE) {
            return false;
        }
    }
    return true;
}

void match_wake(struct match *m, int slot_number)
{
    struct match_slot *slot = &m->slots[slot_number];
    if (slot->phase == SLOT_PLAYING && slot->judge.phase != JUDGE_DONE) {
        judge_wake(&slot->judge);
    } else if (slot->phase == SLOT_PLAYING && m->is_stopping) {
        drop_game(slot);
        close_players(slot);
    } else if (slot->phase == SLOT_PLAYING) {
        finish_game(slot);
    } else if (slot->phase == SLOT_CLOSING && slot->closed_players == 2) {
        free_players(slot);
    }
    if (slot->phase == SLOT_FREE) {
        start_unit(slot);
    }
    if (is_idle(m) && !m->is_done) {
        m->is_done = true;
        m->host.on_done(m->host.owner, m->err, &m->why);
    }
}

enum err match_start(struct match **out, const struct match_options *options,
                     const struct match_host *host, const struct game_sink *sink, struct note *why)
{
    struct match *m = calloc(1, sizeof *m);
    if (m) {
        m->slots = calloc((size_t)options->concurrency, sizeof *m->slots);
        m->finished = calloc((size_t)options->games, sizeof *m->finished);
    }
    if (!m || !m->slots || !m->finished) {
        match_free(m);
        return note_fail(why, ERR_ENVIRONMENT, "no memory for a match of %d games", options->games);
    }
    m->options = *options;
    m->host = *host;
    m->sink = *sink;
    m->next_unit = options->from / games_per_unit(m);
    m->next_handed_out = options->from;
    for (int i = 0; i < options->concurrency; i++) {
        m->slots[i].match = m;
        m->slots[i].number = i;
        soon(&m->slots[i]);
    }
    *out = m;
    return ERR_NONE;
}

void match_stop(struct match *m)
{
    struct note why;
    note_set(&why, "interrupted after %d of %d games", m->score.games, m->options.games);
    fail(m, ERR_INTERRUPTED, &why);
}

const struct match_score *match_score(const struct match *m) { return &m->score; }

void match_free(struct match *m)
{
    if (!m) {
        return;
    }
    for (int i = 0; m->finished && i < m->options.games; i++) {
        free_game(m->finished[i]);
    }
    free(m->finished);
    free(m->slots);
    free(m->score.times[0].us);
    free(m->score.times[1].us);
    free(m);
}

static int compare_us(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double match_time_ms(struct match_times *times, double share)
{
    if (times->count == 0) {
        return 0;
    }
    qsort(times->us, times->count, sizeof *times->us, compare_us);
    return times->us[(size_t)((double)(times->count - 1) * share)] / 1e3;
}

int64_t match_score_faults(const struct match_score *score)
{
    int64_t sum = 0;
    for (int player = 0; player < 2; player++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            sum += score->faults[player][kind];
        }
    }
    return sum;
}
