/* judge: one game between two players, from their start to the verdict.
 *
 * A state machine that reads no clock, waits for nothing and touches no file or socket: the host
 * passes in players, the time (made up, in tests) and a way to be woken, and a sink for all events.
 *
 * When time is up the host wakes the judge, but only after it has looked once more for answers that
 * were already there. What the judge receives before that is in time, so that a stall of our own
 * never costs a player its move; an answer takes as long as its last byte took to arrive.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "player/player.h"

enum {
    JUDGE_MAX_PLIES = 1100, /* MeiChu with budgets of 999: (999 + 36) / 2 moves of each side */
    JUDGE_MAX_MAIL = 16,
};

struct judge_rules {
    const struct game *game;
    struct state start; /* the game is not over yet */
    bool has_auction;
    uint64_t seed; /* the lot between equal bids, the players' own seeds */
    int64_t limit_ns;
    int64_t grace_ns;
    int64_t hard_limit_ns; /* per move, where a late move still counts */
    int64_t game_limit_ns; /* one side's thinking in a game, likewise */
    int64_t startup_ns;
};

enum judge_event_kind {
    JUDGE_STARTED, /* colours and start position are known, the first move is due */
    JUDGE_PLY,
    JUDGE_FAULT,
    JUDGE_OVER,
    JUDGE_FAILED, /* this machine cannot go on with the game, which has no result: the last event */
};

/* One thing a player did wrong, with all its author needs to understand it. */
struct judge_fault {
    enum fault kind;
    int player; /* 0 or 1, as given to judge_start */
    size_t ply; /* plies played before */
    struct state position;
    bool was_asked;    /* it was this player's turn */
    int64_t time_ns;   /* if so, its thinking time until then */
    bool is_idle;      /* late, although its program uses next to no processor time */
    bool is_explained; /* late, and `why` says what to change */
    bool has_move;     /* invalid: its answer could be read, as `move` */
    struct move move;
    struct note answer; /* invalid: what it answered, as text; "" if there is nothing to show */
    struct note why;
};

struct judge_ply {
    enum side side;
    struct move move;
    bool was_asked;
    int64_t time_ns; /* raw thinking time; meaningful if it was asked */
    struct thought thought;
    bool has_fault;
    enum fault fault;
};

/* Reasons: those of game->result, or a fault's name, "no-start", "no-bid", "resigned". A draw by
 * no-start or no-bid: both players failed before the first move. */
struct verdict {
    struct result result;
    bool is_forfeit; /* decided by a fault, not by the board */
};

struct judge;

struct judge_event {
    enum judge_event_kind kind;
    const struct judge_ply *ply;     /* JUDGE_PLY */
    const struct judge_fault *fault; /* JUDGE_FAULT */
    const struct note *why;          /* JUDGE_FAILED */
};

struct judge_host {
    void *owner;
    int64_t (*now)(void *owner); /* monotonic nanoseconds */
    /* Call judge_wake at this time or later, never at once; replaces the last request. */
    void (*wake_at)(void *owner, int64_t when_ns);
    void (*on_event)(void *owner, const struct judge *judge, const struct judge_event *event);
};

enum judge_phase { JUDGE_IDLE, JUDGE_STARTING, JUDGE_BIDDING, JUDGE_PLAYING, JUDGE_DONE };

struct judge_mail {
    int player;
    struct player_event event;
};

/* Read it, but change it only through the functions below. */
struct judge {
    struct judge_rules rules;
    struct judge_host host;
    struct player *players[2];
    enum judge_phase phase;
    enum side colour[2]; /* by player */
    struct state start;  /* after the auction */
    struct state state;
    struct move *moves; /* JUDGE_MAX_PLIES of them */
    size_t move_count;
    struct bid bids[2];
    bool has_bid[2];
    int lot; /* as game->auction takes it */
    bool is_ready[2];
    const char *lost_by[2];     /* before the first move: why it has lost already, or NULL */
    bool has_ended[2];          /* between its turns, which is a fault only at its next one … */
    struct player_event end[2]; /* … namely this */
    bool is_gone[2];            /* crashed where the judge plays on for it */
    int asked;                  /* player whose move is awaited, or -1 */
    int64_t asked_ns;
    int64_t deadline_ns;    /* of what is awaited */
    int64_t thinking_ns[2]; /* whole game, by player */
    bool is_late_noted;     /* in this turn */
    bool is_busy;
    int fault_count[2][FAULT_KINDS];        /* by player */
    struct verdict verdict;                 /* JUDGE_DONE */
    struct judge_mail mail[JUDGE_MAX_MAIL]; /* what came while the judge was busy */
    size_t mail_count;
};

/* `first` is player 0: Black unless an auction decides. The players' sinks are set.
 * The judge and the players stay where they are until judge_free. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err judge_start(struct judge *judge, const struct judge_rules *rules,
                              const struct judge_host *host, struct player *first,
                              struct player *second, struct note *why);

/* The time asked for by wake_at has come; too early does no harm. */
void judge_wake(struct judge *judge);

/* Ends the game without a result; no event follows. May be called while an event is told. */
void judge_abandon(struct judge *judge);

void judge_free(struct judge *judge);

/* The player (0 or 1) that has this colour. */
int judge_player_of(const struct judge *judge, enum side side);

#endif
