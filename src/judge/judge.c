/* Long because the start, the turns and the end of a game share one state. */
#include "judge/judge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"

enum {
    NO_PLAYER = -1,
    STARVED_SHARE = 2, /* of the time: one that could run for half of it was not starved */
};

static const int64_t forever_ns = INT64_C(1) << 60;

static const struct game *game_of(const struct judge *j) { return j->rules.game; }

int judge_player_of(const struct judge *j, enum side side) { return j->colour[0] == side ? 0 : 1; }

static struct player_view view_for(const struct judge *j, int player)
{
    return (struct player_view){
        .game = game_of(j),
        .start = &j->start,
        .moves = j->moves,
        .move_count = j->move_count,
        .now = &j->state,
        .side = j->colour[player],
        .limit_ns = j->rules.limit_ns,
        .startup_ns = j->rules.startup_ns,
        .seed = hash_word(j->rules.seed + (uint64_t)player),
    };
}

static void forget(const struct judge *j, int player)
{
    j->players[player]->class->forget(j->players[player]);
}

/* --- Events. The sink may abandon the game at each of them. --- */

static void announce(const struct judge *j, struct game_event event)
{
    event.judge = j;
    if (j->phase != JUDGE_DONE || event.kind == GAME_EVENT_OVER ||
        event.kind == GAME_EVENT_FAILED) {
        game_sink_send(&j->sink, &event);
    }
}

/* How long the asked player has been thinking. */
static int64_t thought_ns(const struct judge *j, int64_t at_ns)
{
    return at_ns > j->asked_ns ? at_ns - j->asked_ns : 0;
}

static void announce_fault(struct judge *j, int player, enum fault kind, int64_t at_ns,
                           const struct note *why, const struct fault_cause *cause)
{
    struct game_fault *fault = &j->last_fault;
    bool was_asked = j->asked == player;
    j->last_fault_ns = was_asked ? thought_ns(j, at_ns) : 0;
    *fault = (struct game_fault){
        .player = player,
        .ply = (int)j->move_count,
        .kind = kind,
        .time_ms = was_asked ? j->last_fault_ns / CLOCK_NS_PER_MS : -1,
        .why = *why,
    };
    game_of(j)->write_position(&j->state, fault->position);
    j->fault_count[player][kind]++;
    announce(j, (struct game_event){.kind = GAME_EVENT_FAULT, .fault = fault, .cause = cause});
}

/* A player may send any move. */
static bool is_on_board(const struct game *game, const struct move *move)
{
    if (move->kind != MOVE_PATH) {
        return move->kind == MOVE_PASS || move->kind == MOVE_SKIP;
    }
    for (int i = 0; i < move->count; i++) {
        if (i >= GAME_MAX_PATH || move->squares[i] >= game->rows * game->columns) {
            return false;
        }
    }
    return true;
}

/* What the player itself reported. An answer that could be read is also its event's move. */
static void note_fault(struct judge *j, int player, const struct player_event *event)
{
    const struct fault_cause cause = {
        .has_move = event->fault == FAULT_INVALID && event->kind == PLAYER_MOVE &&
                    is_on_board(game_of(j), &event->move),
        .move = event->move,
        .answer = event->answer,
    };
    announce_fault(j, player, event->fault, event->at_ns, &event->why, &cause);
}

static void finish(struct judge *j, struct result result, bool is_forfeit)
{
    if (j->phase == JUDGE_DONE) {
        return;
    }
    j->phase = JUDGE_DONE;
    j->verdict = (struct verdict){result, is_forfeit};
    if (j->asked != NO_PLAYER) {
        forget(j, j->asked);
        j->asked = NO_PLAYER;
    }
    for (int i = 0; i < 2; i++) {
        if (j->players[i]->class->end) {
            j->players[i]->class->end(j->players[i], result.outcome);
        }
    }
    announce(j, (struct game_event){.kind = GAME_EVENT_OVER});
}

struct result judge_forfeit_result(const struct game *game, const struct state *state,
                                   enum side loser, const char *reason)
{
    struct result result = game->result(state);
    enum side winner = side_other(loser);
    if (result.score[winner] <= result.score[loser]) {
        result.score[winner] = result.score[loser] + 1;
    }
    result.outcome = winner == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    result.reason = reason;
    return result;
}

static void forfeit(struct judge *j, int loser, const char *reason)
{
    finish(j, judge_forfeit_result(game_of(j), &j->state, j->colour[loser], reason), true);
}

/* --- The clock --- */

static void wait_until(struct judge *j, int64_t when_ns)
{
    j->deadline_ns = when_ns;
    j->host.wake_at(j->host.owner, when_ns);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static bool counts_when_late(const struct judge *j)
{
    return game_of(j)->penalties[FAULT_LATE] == PENALTY_NOTE;
}

/* Where a late move counts: how long until even that is over. */
static int64_t hard_allowance_ns(const struct judge *j, int player)
{
    int64_t left_in_game = j->rules.game_limit_ns - j->thinking_ns[player];
    return smaller(j->rules.hard_limit_ns, left_in_game) + j->rules.grace_ns;
}

/* How long the asked player may think before something happens to it. */
static int64_t allowance_ns(const struct judge *j)
{
    int64_t usual = j->rules.limit_ns + j->rules.grace_ns;
    if (j->rules.is_untimed[j->asked]) {
        return forever_ns;
    }
    if (!counts_when_late(j)) {
        return usual;
    }
    int64_t hard = hard_allowance_ns(j, j->asked);
    return j->is_late_noted ? hard : smaller(usual, hard);
}

/* From then on the asked player's time counts. */
static void start_clock(struct judge *j, int64_t at_ns)
{
    j->asked_ns = at_ns;
    wait_until(j, at_ns + allowance_ns(j));
}

/* Its turn is over. Returns how long it thought. */
static int64_t stop_clock(struct judge *j, int64_t at_ns)
{
    int64_t used_ns = thought_ns(j, at_ns);
    j->thinking_ns[j->asked] += used_ns;
    j->asked = NO_PLAYER;
    return used_ns;
}

/* --- Turns --- */

/* `after`: the position that the move leads to. */
static void play(struct judge *j, const struct judge_ply *ply, const struct state *after)
{
    assert(j->move_count < JUDGE_MAX_PLIES);
    j->state = *after;
    j->moves[j->move_count++] = ply->move;
    announce(j, (struct game_event){.kind = GAME_EVENT_PLY, .ply = ply});
    for (int i = 0; i < 2; i++) {
        if (j->players[i]->class->observe && !j->is_gone[i] && !j->has_ended[i]) {
            j->players[i]->class->observe(j->players[i], &ply->move, ply->side);
        }
    }
    struct result result = game_of(j)->result(&j->state);
    if (result.outcome != OUTCOME_ONGOING) {
        finish(j, result, false);
    }
}

/* What the judge plays for a side that did wrong. */
static void play_replacement(struct judge *j, enum side side, bool was_asked, int64_t time_ns,
                             enum fault fault)
{
    struct judge_ply ply = {
        .side = side,
        .move = game_of(j)->replacement(&j->state),
        .was_asked = was_asked,
        .time_ns = time_ns,
        .has_fault = true,
        .fault = fault,
    };
    struct state after = game_after(game_of(j), &j->state, &ply.move);
    play(j, &ply, &after);
}

/* What follows from a fault during play. */
static void penalise(struct judge *j, int player, enum fault kind, int64_t at_ns)
{
    bool was_asked = j->asked == player;
    int64_t used_ns = was_asked ? stop_clock(j, at_ns) : 0;
    if (was_asked && kind != FAULT_LATE && !j->is_late_noted) {
        j->late_in_a_row[player] = 0;
    }
    switch (game_of(j)->penalties[kind]) {
    case PENALTY_NOTE: /* after the second limit it also loses the game */
    case PENALTY_LOSS:
        forfeit(j, player, fault_name(kind));
        return;
    case PENALTY_REPLACE_FOREVER:
        j->is_gone[player] = true;
        break;
    case PENALTY_REPLACE:
        break;
    }
    if (was_asked) {
        play_replacement(j, j->colour[player], true, used_ns, kind);
    }
}

/* The game has no result. */
static void give_up(struct judge *j, const struct note *why)
{
    judge_abandon(j);
    announce(j, (struct game_event){.kind = GAME_EVENT_FAILED, .why = why});
}

/* How long a late player could not run because of something outside this game: what the processes
 * of its opponent have used may be the reason for as much. */
static int64_t starved_ns(const struct judge *j, int player, const struct player_delay *delay)
{
    const struct player *other = j->players[1 - player];
    int64_t used_ns = other->class->used_ns ? other->class->used_ns(other) : 0;
    return used_ns < 0 ? 0 : delay->waited_ns - used_ns;
}

/* A late answer to what it was asked at `since_ns`: what is known of the reason is added to the
 * sentence. */
static void note_delay(struct judge *j, int player, int64_t now_ns, int64_t since_ns,
                       const struct note *sentence)
{
    const struct player_class *class = j->players[player]->class;
    struct player_delay delay = {.is_idle = false};
    struct note why = *sentence;
    if (class->explain_delay) {
        delay = class->explain_delay(j->players[player]);
    }
    int64_t waited_ns = starved_ns(j, player, &delay);
    int64_t watched_ns = now_ns - since_ns; /* or longer: its clock began after the question */
    watched_ns = delay.watched_ns > watched_ns ? delay.watched_ns : watched_ns;
    bool was_starved = waited_ns > 0 && waited_ns >= watched_ns / STARVED_SHARE;
    if (was_starved) {
        struct note other = delay.is_explained ? delay.reason : (struct note){""};
        delay.is_idle = delay.is_explained = false;
        note_set(&delay.reason,
                 "for %.1f of %.1f s it could not run, because of something outside this game%s%s",
                 (double)waited_ns / 1e9, (double)watched_ns / 1e9, *other.text ? "; " : "",
                 other.text);
    }
    if (*delay.reason.text) {
        note_set(&why, "%s; %s", sentence->text, delay.reason.text);
    }
    const struct fault_cause cause = {
        .is_idle = delay.is_idle, .is_explained = delay.is_explained, .is_starved = was_starved};
    announce_fault(j, player, FAULT_LATE, now_ns, &why, &cause);
    if (was_starved && j->rules.excuses_starved && j->phase != JUDGE_DONE) {
        note_prefix(&why, "%s", j->players[player]->name);
        give_up(j, &why);
    }
}

static bool is_past_late_limit(const struct judge *j, int player)
{
    return j->rules.late_limit && j->late_in_a_row[player] >= j->rules.late_limit;
}

/* What follows from being late, for the sentence about it. */
static void describe_lateness(const struct judge *j, int player, bool counts, char *out,
                              size_t room)
{
    *out = '\0';
    if (is_past_late_limit(j, player)) {
        snprintf(out, room, "; late moves in a row: %d, which is the limit",
                 j->late_in_a_row[player]);
    } else if (counts) {
        snprintf(out, room, "; it still counts when it comes");
    }
}

/* Writes down that the asked player is late. Returns whether its move still counts. */
static bool note_late(struct judge *j, int64_t now_ns)
{
    int player = j->asked;
    int64_t usual_ns = j->rules.limit_ns + j->rules.grace_ns;
    int64_t used_ns = thought_ns(j, now_ns);
    bool counts = counts_when_late(j);
    struct note why;
    if (used_ns >= usual_ns && !j->is_late_noted) {
        char consequence[64];
        j->is_late_noted = true;
        j->late_in_a_row[player]++;
        describe_lateness(j, player, counts, consequence, sizeof consequence);
        note_set(&why, "no move within %.3f s%s", (double)usual_ns / 1e9, consequence);
        note_delay(j, player, now_ns, j->asked_ns, &why);
    }
    if (!counts || j->phase == JUDGE_DONE || is_past_late_limit(j, player)) {
        return false;
    }
    if (used_ns < hard_allowance_ns(j, player)) {
        return true;
    }
    note_set(&why, "no move within the hard limits: %.3f s a turn, %.3f s a game",
             (double)j->rules.hard_limit_ns / 1e9, (double)j->rules.game_limit_ns / 1e9);
    note_delay(j, player, now_ns, j->asked_ns, &why);
    return false;
}

/* The asked player has used up its time. */
static void call_time(struct judge *j, int64_t now_ns)
{
    int player = j->asked;
    if (note_late(j, now_ns)) {
        start_clock(j, j->asked_ns); /* up to the next limit */
    } else if (j->phase != JUDGE_DONE) {
        forget(j, player);
        if (is_past_late_limit(j, player)) {
            (void)stop_clock(j, now_ns);
            forfeit(j, player, "late-limit");
        } else {
            penalise(j, player, FAULT_LATE, now_ns);
        }
    }
}

static void ask(struct judge *j, int player)
{
    struct player_view view = view_for(j, player);
    j->asked = player;
    j->is_late_noted = false;
    start_clock(j, j->players[player]->class->ask_move(j->players[player], &view));
}

/* The side to move passes, is played for, or is asked. */
static void take_turn(struct judge *j)
{
    enum side side = game_of(j)->to_move(&j->state);
    int player = judge_player_of(j, side);
    struct judge_ply pass = {.side = side, .move = move_pass()};
    struct state passed = j->state;
    if (!game_of(j)->apply(&passed, &pass.move, NULL)) {
        play(j, &pass, &passed);
    } else if (j->is_gone[player]) {
        play_replacement(j, side, false, 0, FAULT_CRASHED);
    } else if (j->has_ended[player]) {
        j->has_ended[player] = false;
        note_fault(j, player, &j->end[player]);
        penalise(j, player, FAULT_CRASHED, j->end[player].at_ns);
    } else {
        ask(j, player);
    }
}

/* --- Before the first move --- */

static void begin_play(struct judge *j)
{
    j->phase = JUDGE_PLAYING;
    j->state = j->start;
    announce(j, (struct game_event){.kind = GAME_EVENT_START});
}

static void settle_auction(struct judge *j)
{
    struct auction_outcome outcome = game_of(j)->auction(j->bids, -1);
    if (outcome.needs_lot) {
        j->lot = (int)game_draw_lot(j->rules.seed);
        outcome = game_of(j)->auction(j->bids, j->lot);
    }
    memcpy(j->colour, outcome.colour, sizeof j->colour);
    j->start = game_of(j)->start_with(outcome.budget);
    for (int i = 0; i < 2; i++) {
        if (j->players[i]->class->learn_bids) {
            j->players[i]->class->learn_bids(j->players[i], &j->bids[i], &j->bids[1 - i],
                                             j->colour[i], j->lot >= 0);
        }
    }
    begin_play(j);
}

static void begin_bidding(struct judge *j)
{
    int64_t now_ns = j->host.now(j->host.owner);
    j->phase = JUDGE_BIDDING;
    wait_until(j, now_ns + j->rules.limit_ns + j->rules.grace_ns);
    for (int i = 0; i < 2; i++) {
        struct player_view view = view_for(j, i);
        j->players[i]->class->ask_bid(j->players[i], &view);
    }
}

static void forfeit_both(struct judge *j, const char *reason)
{
    finish(j, (struct result){OUTCOME_BOTH_LOST, {0, 0}, reason}, true);
}

/* Continues when each player is ready or has failed. The first to fail has not lost yet: the other
 * still has its own time, unless that has no end. */
static void check_in(struct judge *j)
{
    if (j->phase == JUDGE_DONE) {
        return;
    }
    bool is_starting = j->phase == JUDGE_STARTING;
    const bool *is_there = is_starting ? j->is_ready : j->has_bid;
    for (int i = 0; i < 2; i++) {
        bool is_awaited = !j->rules.is_untimed[i] || !j->lost_by[1 - i];
        if (!is_there[i] && !j->lost_by[i] && is_awaited) {
            return;
        }
    }
    if (j->lost_by[0] && j->lost_by[1]) {
        forfeit_both(j, is_starting ? "both-absent" : "no-bid");
    } else if (j->lost_by[0] || j->lost_by[1]) {
        int loser = j->lost_by[0] ? 0 : 1;
        forfeit(j, loser, j->lost_by[loser]);
    } else if (!is_starting) {
        settle_auction(j);
    } else if (j->rules.has_auction) {
        begin_bidding(j);
    } else {
        begin_play(j);
    }
}

/* What follows from a fault before the first move. */
static void fail_to_begin(struct judge *j, int player, enum fault kind)
{
    bool is_attack = kind == FAULT_MALFORMED || kind == FAULT_HOSTILE;
    if (!is_attack && !j->is_ready[player]) {
        j->lost_by[player] = "no-start";
    } else if (!is_attack && j->rules.has_auction && !j->has_bid[player]) {
        j->lost_by[player] = "no-bid";
    } else if (game_of(j)->penalties[kind] == PENALTY_LOSS) {
        j->lost_by[player] = fault_name(kind);
    } else {
        j->is_gone[player] = kind == FAULT_CRASHED;
    }
    check_in(j);
}

/* Whether the start or the bid of this player is awaited, and for a limited time. */
static bool is_expected(const struct judge *j, int player)
{
    bool is_there = j->phase == JUDGE_STARTING ? j->is_ready[player] : j->has_bid[player];
    return (j->phase == JUDGE_STARTING || j->phase == JUDGE_BIDDING) && !is_there &&
           !j->lost_by[player] && !j->rules.is_untimed[player];
}

static void miss_check_in(struct judge *j, int player, int64_t now_ns)
{
    bool is_starting = j->phase == JUDGE_STARTING;
    int64_t allowed_ns = is_starting ? j->rules.startup_ns : j->rules.limit_ns + j->rules.grace_ns;
    struct note why;
    note_set(&why, is_starting ? "it did not start within %.3f s" : "no bid within %.3f s",
             (double)allowed_ns / 1e9);
    j->lost_by[player] = is_starting ? "no-start" : "no-bid";
    note_delay(j, player, now_ns, j->deadline_ns - allowed_ns, &why);
    if (!is_starting) {
        forget(j, player);
    }
}

/* The time to start or to bid is over. */
static void close_check_in(struct judge *j, int64_t now_ns)
{
    for (int i = 0; i < 2; i++) {
        if (is_expected(j, i)) {
            miss_check_in(j, i, now_ns);
        }
    }
    check_in(j);
}

/* --- Events of players --- */

static void on_ready(struct judge *j, int player, const struct player_event *event)
{
    if (j->phase == JUDGE_STARTING) {
        j->is_ready[player] = true;
        check_in(j);
    } else if (j->phase == JUDGE_PLAYING && j->asked == player && event->at_ns < j->asked_ns) {
        start_clock(j, event->at_ns);
    }
}

static void on_restart(struct judge *j, int player, const struct player_event *event)
{
    if (j->phase == JUDGE_STARTING) {
        j->is_ready[player] = false;
    } else if (j->phase == JUDGE_PLAYING && j->asked == player) {
        start_clock(j, event->at_ns + j->rules.startup_ns);
    }
}

static void on_fault(struct judge *j, int player, const struct player_event *event)
{
    bool is_playing = j->phase == JUDGE_PLAYING;
    bool is_late_answer = is_playing && event->fault == FAULT_INVALID && j->asked != player;
    if (j->is_gone[player] || j->lost_by[player] || is_late_answer) {
        return;
    }
    if (is_playing && event->fault == FAULT_CRASHED && j->asked != player) {
        j->has_ended[player] = true;
        j->end[player] = *event;
        return;
    }
    note_fault(j, player, event);
    if (j->phase == JUDGE_DONE) {
        return;
    }
    if (is_playing) {
        penalise(j, player, event->fault, event->at_ns);
    } else {
        fail_to_begin(j, player, event->fault);
    }
}

static void refuse(struct judge *j, int player, const struct player_event *event,
                   const struct note *why)
{
    struct player_event fault = *event;
    char text[GAME_MOVE_BYTES] = "";
    fault.fault = FAULT_INVALID;
    fault.why = *why;
    if (event->kind == PLAYER_MOVE && !is_on_board(game_of(j), &event->move)) {
        note_set(&fault.answer, "squares off the board");
    } else if (event->kind == PLAYER_MOVE) {
        game_write_move(game_of(j), &event->move, text);
        note_set(&fault.answer, "%s", *text ? text : "no square");
    } else {
        note_set(&fault.answer, "colour %d, price %lld", event->bid.colour,
                 (long long)event->bid.price);
    }
    on_fault(j, player, &fault);
}

static void on_bid(struct judge *j, int player, const struct player_event *event)
{
    struct note why;
    if (j->phase != JUDGE_BIDDING || j->has_bid[player] || j->lost_by[player]) {
        return;
    }
    if (event->bid.colour != SIDE_BLACK && event->bid.colour != SIDE_WHITE) {
        note_set(&why, "the colour of a bid is 0 for Black or 1 for White, not %d",
                 event->bid.colour);
        refuse(j, player, event, &why);
        return;
    }
    j->bids[player] = event->bid;
    j->has_bid[player] = true;
    check_in(j);
}

static void on_move(struct judge *j, int player, const struct player_event *event)
{
    struct state after = j->state;
    struct note why;
    if (j->phase != JUDGE_PLAYING || j->asked != player) {
        return;
    }
    if (event->move.kind == MOVE_SKIP) {
        note_set(&why, "a skip is not a move: only the judge skips a turn");
        refuse(j, player, event, &why);
        return;
    }
    if (game_of(j)->apply(&after, &event->move, &why)) {
        refuse(j, player, event, &why);
        return;
    }
    struct judge_ply ply = {
        .side = j->colour[player],
        .move = event->move,
        .was_asked = true,
        .time_ns = stop_clock(j, event->at_ns),
        .thought = event->thought,
        .has_fault = j->is_late_noted,
        .fault = FAULT_LATE,
    };
    if (!j->is_late_noted) {
        j->late_in_a_row[player] = 0;
    }
    play(j, &ply, &after);
}

/* Ends the game at once, also while the other one starts or bids, unless that one has failed. */
static void on_resignation(struct judge *j, int player)
{
    j->asked = j->asked == player ? NO_PLAYER : j->asked;
    if (j->phase != JUDGE_PLAYING && j->lost_by[1 - player]) {
        j->lost_by[player] = "resigned";
        check_in(j);
    } else {
        forfeit(j, player, "resigned");
    }
}

static void handle(struct judge *j, int player, const struct player_event *event)
{
    switch (event->kind) {
    case PLAYER_READY:
        on_ready(j, player, event);
        break;
    case PLAYER_RESTARTS:
        on_restart(j, player, event);
        break;
    case PLAYER_BID:
        on_bid(j, player, event);
        break;
    case PLAYER_MOVE:
        on_move(j, player, event);
        break;
    case PLAYER_FAULT:
        on_fault(j, player, event);
        break;
    case PLAYER_RESIGNS:
        on_resignation(j, player);
        break;
    case PLAYER_FAILED:
        give_up(j, &event->why);
        break;
    case PLAYER_CLOSED:
        break;
    }
}

static bool is_asked(const struct judge *j, int player)
{
    return j->phase == JUDGE_PLAYING && j->asked == player;
}

/* What the host reads after the deadline and before it calls time was there in time, unless it is
 * known to have come later. */
static void handle_first_mail(struct judge *j)
{
    struct judge_mail first = j->mail[0];
    struct player_event *event = &first.event;
    j->mail_count--;
    memmove(j->mail, j->mail + 1, j->mail_count * sizeof *j->mail);
    while (is_asked(j, first.player) && event->came_ns > j->deadline_ns) {
        call_time(j, event->came_ns);
    }
    if (is_asked(j, first.player) && event->at_ns > j->deadline_ns) {
        event->at_ns = j->deadline_ns;
    }
    if (is_expected(j, first.player) && event->came_ns > j->deadline_ns) {
        miss_check_in(j, first.player, event->came_ns); /* the other's may not be read yet */
        check_in(j);
    }
    handle(j, first.player, event);
}

/* Continues until it must wait for an answer or the game is over. */
static void work(struct judge *j)
{
    j->is_busy = true;
    while (j->phase != JUDGE_DONE) {
        if (j->mail_count) {
            handle_first_mail(j);
        } else if (j->phase == JUDGE_PLAYING && j->asked == NO_PLAYER) {
            take_turn(j);
        } else {
            break;
        }
    }
    j->is_busy = false;
}

static void receive(void *owner, struct player *player, const struct player_event *event)
{
    struct judge *j = owner;
    if (j->phase == JUDGE_DONE || j->mail_count == JUDGE_MAX_MAIL) {
        return;
    }
    j->mail[j->mail_count++] = (struct judge_mail){player == j->players[0] ? 0 : 1, *event};
    if (!j->is_busy) {
        work(j);
    }
}

void judge_wake(struct judge *j)
{
    if (j->phase == JUDGE_IDLE || j->phase == JUDGE_DONE) {
        return;
    }
    int64_t now_ns = j->host.now(j->host.owner);
    if (now_ns < j->deadline_ns) {
        wait_until(j, j->deadline_ns);
        return;
    }
    j->is_busy = true;
    if (j->phase == JUDGE_PLAYING) {
        call_time(j, now_ns);
    } else {
        close_check_in(j, now_ns);
    }
    work(j);
}

struct judge_rules judge_rules_usual(const struct game *game)
{
    static const int64_t second_ns = 1000000000;
    struct judge_rules rules = {
        .game = game,
        .start = game->start(),
        .limit_ns = (int64_t)(game->time_limit_s * 1e9),
        .grace_ns = second_ns / 4,
        .hard_limit_ns = (int64_t)(game->hard_limit_s * 1e9),
        .game_limit_ns = 3600 * second_ns,
        .startup_ns = 10 * second_ns,
    };
    return rules;
}

enum err judge_start(struct judge *j, const struct judge_rules *rules,
                     const struct judge_host *host, const struct game_sink *sink,
                     struct player *first, struct player *second, struct note *why)
{
    struct move *moves = malloc(JUDGE_MAX_PLIES * sizeof *moves);
    if (!moves) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for another game");
    }
    *j = (struct judge){
        .rules = *rules,
        .host = *host,
        .sink = *sink,
        .players = {first, second},
        .phase = JUDGE_STARTING,
        .colour = {SIDE_BLACK, SIDE_WHITE},
        .start = rules->start,
        .state = rules->start,
        .moves = moves,
        .lot = -1,
        .asked = NO_PLAYER,
        .is_busy = true, /* nothing is handled before both have begun */
    };
    wait_until(j, j->host.now(j->host.owner) + rules->startup_ns);
    for (int i = 0; i < 2; i++) {
        struct player_view view = view_for(j, i);
        j->players[i]->sink = (struct player_sink){j, receive};
        j->players[i]->class->begin(j->players[i], &view);
    }
    work(j);
    return ERR_NONE;
}

void judge_abandon(struct judge *j)
{
    if (j->phase == JUDGE_PLAYING && j->asked != NO_PLAYER) {
        forget(j, j->asked);
    }
    j->phase = JUDGE_DONE;
    j->asked = NO_PLAYER;
}

void judge_free(struct judge *j)
{
    free(j->moves);
    j->moves = NULL;
}
