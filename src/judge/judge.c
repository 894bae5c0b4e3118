#include "judge/judge.h"

#include <assert.h>
#include <stdlib.h>

#include "game/auction.h"

struct judge_mail {
    int player;
    struct player_event event;
};

enum { NOBODY = -1 };

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
    };
}

static void announce(const struct judge *j, enum judge_event_kind kind, const struct judge_ply *ply,
                     const struct judge_fault *fault)
{
    struct judge_event event = {kind, ply, fault};
    j->host.on_event(j->host.owner, j, &event);
}

static void note_fault(struct judge *j, int player, enum fault kind, const struct note *why)
{
    j->fault_count[player][kind]++;
    struct judge_fault fault = {kind, player, j->move_count, j->state, *why};
    announce(j, JUDGE_FAULT, NULL, &fault);
}

static void finish(struct judge *j, struct result result, bool is_forfeit)
{
    j->phase = JUDGE_DONE;
    j->asked = NOBODY;
    j->verdict = (struct verdict){result, is_forfeit};
    for (int i = 0; i < 2; i++) {
        if (j->players[i]->class->end) {
            j->players[i]->class->end(j->players[i], result.outcome);
        }
    }
    announce(j, JUDGE_OVER, NULL, NULL);
}

/* The score on the board stands, raised for the winner where needed. */
static void forfeit(struct judge *j, int loser, const char *reason)
{
    struct result result = game_of(j)->result(&j->state);
    enum side lost = j->colour[loser];
    enum side won = side_other(lost);
    if (result.score[won] <= result.score[lost]) {
        result.score[won] = result.score[lost] + 1;
    }
    result.outcome = won == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    result.reason = reason;
    finish(j, result, true);
}

/* Both lost before the first move. */
static void forfeit_both(struct judge *j, const char *reason)
{
    struct result result = game_of(j)->result(&j->state);
    result.outcome = OUTCOME_DRAW;
    result.score[0] = result.score[1] = 0;
    result.reason = reason;
    finish(j, result, true);
}

static void forfeit_those_without(struct judge *j, const bool has[2], const char *reason)
{
    if (!has[0] && !has[1]) {
        forfeit_both(j, reason);
    } else {
        forfeit(j, has[0] ? 1 : 0, reason);
    }
}

/* --- Turns --- */

static void play(struct judge *j, const struct judge_ply *ply)
{
    struct note why;
    enum err err = game_of(j)->apply(&j->state, &ply->move, &why);
    assert(!err && j->move_count < JUDGE_MAX_PLIES);
    (void)err;
    j->moves[j->move_count++] = ply->move;
    announce(j, JUDGE_PLY, ply, NULL);
    for (int i = 0; i < 2; i++) {
        if (j->players[i]->class->observe && !j->is_gone[i]) {
            j->players[i]->class->observe(j->players[i], &ply->move, ply->side);
        }
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
    j->asked = NOBODY;
    play(j, &ply);
}

static bool must_pass(const struct judge *j)
{
    struct state after = j->state;
    struct move pass = move_pass();
    return game_of(j)->apply(&after, &pass, NULL) == ERR_NONE;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static bool counts_when_late(const struct judge *j)
{
    return game_of(j)->penalties[FAULT_LATE] == PENALTY_NOTE;
}

/* When something must happen although the asked player is silent. */
static int64_t turn_deadline(const struct judge *j)
{
    int64_t limit = j->asked_ns + j->rules.limit_ns + j->rules.grace_ns;
    if (!counts_when_late(j) || !j->is_late_noted) {
        return limit;
    }
    return j->asked_ns +
           earlier(j->rules.hard_limit_ns, j->rules.game_limit_ns - j->thinking_ns[j->asked]);
}

static void ask(struct judge *j, int player)
{
    struct player_view view = view_for(j, player);
    j->asked = player;
    j->is_late_noted = false;
    j->asked_ns = j->host.now(j->host.owner);
    j->asked_ns = j->players[player]->class->ask_move(j->players[player], &view);
    j->host.wake_at(j->host.owner, turn_deadline(j));
}

/* Goes on until a player has to be asked or the game is over. */
static void advance(struct judge *j)
{
    while (j->phase == JUDGE_PLAYING && j->asked == NOBODY) {
        struct result result = game_of(j)->result(&j->state);
        enum side side = game_of(j)->to_move(&j->state);
        int player = judge_player_of(j, side);
        if (result.outcome != OUTCOME_ONGOING) {
            finish(j, result, false);
        } else if (must_pass(j)) {
            play(j, &(struct judge_ply){.side = side, .move = move_pass()});
        } else if (j->is_gone[player]) {
            play_replacement(j, side, false, 0, FAULT_CRASHED);
        } else {
            ask(j, player);
        }
    }
}

/* --- Before the first move --- */

static void begin_play(struct judge *j)
{
    j->phase = JUDGE_PLAYING;
    j->state = j->start;
    announce(j, JUDGE_STARTED, NULL, NULL);
}

static void settle_auction(struct judge *j)
{
    struct auction_outcome outcome = game_of(j)->auction(j->bids, -1);
    if (outcome.needs_lot) {
        j->lot = (int)auction_lot(j->rules.seed);
        outcome = game_of(j)->auction(j->bids, j->lot);
    }
    for (int i = 0; i < 2; i++) {
        j->colour[i] = outcome.colour[i];
    }
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
    j->phase = JUDGE_BIDDING;
    j->asked_ns = j->host.now(j->host.owner);
    j->host.wake_at(j->host.owner, j->asked_ns + j->rules.limit_ns + j->rules.grace_ns);
    for (int i = 0; i < 2; i++) {
        struct player_view view = view_for(j, i);
        j->players[i]->class->ask_bid(j->players[i], &view);
    }
}

/* --- What players tell --- */

static void on_ready(struct judge *j, int player)
{
    if (j->phase != JUDGE_STARTING) {
        return;
    }
    j->is_ready[player] = true;
    if (!j->is_ready[0] || !j->is_ready[1]) {
        return;
    }
    if (j->rules.has_auction) {
        begin_bidding(j);
    } else {
        begin_play(j);
    }
}

static void on_bid(struct judge *j, int player, const struct player_event *event)
{
    if (j->phase != JUDGE_BIDDING || j->has_bid[player]) {
        return;
    }
    j->bids[player] = event->bid;
    j->has_bid[player] = true;
    if (j->has_bid[0] && j->has_bid[1]) {
        settle_auction(j);
    }
}

static void on_fault(struct judge *j, int player, const struct player_event *event)
{
    enum fault kind = event->fault;
    if (j->is_gone[player]) {
        return;
    }
    note_fault(j, player, kind, &event->why);
    if (j->phase != JUDGE_PLAYING) {
        forfeit(j, player, j->phase == JUDGE_STARTING ? "no-start" : "no-bid");
        return;
    }
    int64_t used = event->at_ns - j->asked_ns;
    switch (game_of(j)->penalties[kind]) {
    case PENALTY_LOSS:
        forfeit(j, player, fault_name(kind));
        break;
    case PENALTY_REPLACE_FOREVER:
        j->is_gone[player] = true;
        if (j->asked == player) {
            play_replacement(j, j->colour[player], true, used, kind);
        }
        break;
    case PENALTY_REPLACE:
        if (j->asked == player) {
            play_replacement(j, j->colour[player], true, used, kind);
        }
        break;
    case PENALTY_NOTE:
        break;
    }
}

/* A move that came although its time was over, in a game where it still counts. */
static void note_late(struct judge *j, int player)
{
    struct note why;
    if (j->is_late_noted) {
        return;
    }
    j->is_late_noted = true;
    note_set(&why, "no move within %.3f s; the move still counts when it comes",
             (double)(j->rules.limit_ns + j->rules.grace_ns) / 1e9);
    note_fault(j, player, FAULT_LATE, &why);
}

static void on_move(struct judge *j, int player, const struct player_event *event)
{
    if (j->phase != JUDGE_PLAYING || j->asked != player) {
        return;
    }
    int64_t used = event->at_ns - j->asked_ns;
    used = used < 0 ? 0 : used;
    if (counts_when_late(j) && used > j->rules.limit_ns + j->rules.grace_ns) {
        note_late(j, player);
    }
    struct state after = j->state;
    struct note why;
    if (game_of(j)->apply(&after, &event->move, &why)) {
        struct player_event fault = {
            .kind = PLAYER_FAULT, .at_ns = event->at_ns, .fault = FAULT_INVALID, .why = why};
        on_fault(j, player, &fault);
        return;
    }
    j->thinking_ns[player] += used;
    j->asked = NOBODY;
    struct judge_ply ply = {
        .side = j->colour[player],
        .move = event->move,
        .was_asked = true,
        .time_ns = used,
        .thought = event->thought,
        .has_fault = j->is_late_noted,
        .fault = FAULT_LATE,
    };
    play(j, &ply);
}

static void handle(struct judge *j, int player, const struct player_event *event)
{
    switch (event->kind) {
    case PLAYER_READY:
        on_ready(j, player);
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
        forfeit(j, player, "resigned");
        break;
    case PLAYER_CLOSED:
        break;
    }
}

/* Handles the mail, and what it leads to, until nothing is left to do. */
static void run(struct judge *j)
{
    if (j->is_running_events) {
        return;
    }
    j->is_running_events = true;
    advance(j);
    while (j->mail_count && j->phase != JUDGE_DONE) {
        struct judge_mail mail = j->mail[0];
        j->mail_count--;
        for (size_t i = 0; i < j->mail_count; i++) {
            j->mail[i] = j->mail[i + 1];
        }
        handle(j, mail.player, &mail.event);
        advance(j);
    }
    j->is_running_events = false;
}

static void receive(void *owner, struct player *player, const struct player_event *event)
{
    struct judge *j = owner;
    if (j->phase == JUDGE_DONE || j->mail_count == JUDGE_MAX_MAIL) {
        return;
    }
    j->mail[j->mail_count++] = (struct judge_mail){player == j->players[0] ? 0 : 1, *event};
    run(j);
}

/* --- The clock --- */

static void on_turn_deadline(struct judge *j, int64_t now)
{
    int player = j->asked;
    struct player *p = j->players[player];
    if (counts_when_late(j) && !j->is_late_noted) {
        note_late(j, player);
        j->host.wake_at(j->host.owner, turn_deadline(j));
        return;
    }
    struct note why;
    p->class->forget(p);
    if (counts_when_late(j)) {
        note_set(&why, "no move within the hard limit of %.3f s a turn and %.0f s a game",
                 (double)j->rules.hard_limit_ns / 1e9, (double)j->rules.game_limit_ns / 1e9);
        note_fault(j, player, FAULT_LATE, &why);
        forfeit(j, player, fault_name(FAULT_LATE));
        return;
    }
    note_set(&why, "no move within %.3f s", (double)(j->rules.limit_ns + j->rules.grace_ns) / 1e9);
    note_fault(j, player, FAULT_LATE, &why);
    play_replacement(j, j->colour[player], true, now - j->asked_ns, FAULT_LATE);
}

void judge_wake(struct judge *j)
{
    int64_t now = j->host.now(j->host.owner);
    switch (j->phase) {
    case JUDGE_STARTING:
        forfeit_those_without(j, j->is_ready, "no-start");
        break;
    case JUDGE_BIDDING:
        forfeit_those_without(j, j->has_bid, "no-bid");
        break;
    case JUDGE_PLAYING:
        if (j->asked == NOBODY) {
            break;
        }
        if (now < turn_deadline(j)) {
            j->host.wake_at(j->host.owner, turn_deadline(j));
            break;
        }
        on_turn_deadline(j, now);
        run(j);
        break;
    case JUDGE_IDLE:
    case JUDGE_DONE:
        break;
    }
}

enum err judge_start(struct judge *j, const struct judge_rules *rules,
                     const struct judge_host *host, struct player *first, struct player *second,
                     struct note *why)
{
    struct move *moves = malloc(JUDGE_MAX_PLIES * sizeof *moves);
    struct judge_mail *mail = malloc(JUDGE_MAX_MAIL * sizeof *mail);
    if (!moves || !mail) {
        free(moves);
        free(mail);
        note_set(why, "no memory for another game");
        return ERR_ENVIRONMENT;
    }
    *j = (struct judge){
        .rules = *rules,
        .host = *host,
        .players = {first, second},
        .phase = JUDGE_STARTING,
        .colour = {SIDE_BLACK, SIDE_WHITE},
        .start = rules->start,
        .state = rules->start,
        .moves = moves,
        .lot = -1,
        .asked = NOBODY,
        .mail = mail,
    };
    j->is_running_events = true; /* nothing is handled before both have begun */
    j->host.wake_at(j->host.owner, j->host.now(j->host.owner) + rules->startup_ns);
    for (int i = 0; i < 2; i++) {
        struct player_view view = view_for(j, i);
        j->players[i]->sink = (struct player_sink){j, receive};
        j->players[i]->class->begin(j->players[i], &view, rules->has_auction,
                                    hash_word(rules->seed + (uint64_t)i));
    }
    j->is_running_events = false;
    run(j);
    return ERR_NONE;
}

void judge_abandon(struct judge *j)
{
    if (j->asked != NOBODY) {
        j->players[j->asked]->class->forget(j->players[j->asked]);
    }
    j->phase = JUDGE_DONE;
    j->asked = NOBODY;
}

void judge_free(struct judge *j)
{
    free(j->moves);
    free(j->mail);
    j->moves = NULL;
    j->mail = NULL;
}
