/* judge: one game between two players, from their start to the verdict.
 *
 * The judge is a state machine. It reads no clock, never waits, and touches no file or socket. The
 * host passes in the players, the time (simulated in tests) and a way to be woken. All events go
 * to a sink.
 *
 * When time is up, the host reads the answers that have already arrived and only then wakes the
 * judge. An answer that may have arrived before the time was up is in time, so a stall of this
 * program never costs a player its move. One that is known to have arrived later is late, whenever
 * it is read. The time of an answer ends when its last byte arrives.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "judge/game_event.h"
#include "player/player.h"

enum {
    JUDGE_MAX_PLIES = 1100, /* budgets of 999 last for (999 + 36) / 2 moves of each side */
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
    int late_limit;     /* late moves in a row that lose the game; 0: none do */
    bool is_untimed[2]; /* by player: a person, who bids and moves without a limit */
    /* A player that is late because it was starved, see struct fault_cause, does not answer for
     * it: the game ends with GAME_EVENT_FAILED. */
    bool excuses_starved;
};

/* The limits of the game's course, from its start. There is no auction yet. */
struct judge_rules judge_rules_usual(const struct game *game);

struct judge_host {
    void *owner;
    int64_t (*now)(void *owner); /* monotonic nanoseconds */
    /* Call judge_wake at this time or later, never at once; replaces the last request. */
    void (*wake_at)(void *owner, int64_t when_ns);
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
    struct game_sink sink;
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
    bool is_gone[2];            /* crashed, and the judge continues to play for it */
    int asked;                  /* player whose move is awaited, or -1 */
    int64_t asked_ns;
    int64_t deadline_ns;    /* of what is awaited */
    int64_t thinking_ns[2]; /* whole game, by player */
    bool is_late_noted;     /* in this turn */
    int late_in_a_row[2];   /* turns, by player; passes do not count */
    bool is_busy;
    int fault_count[2][FAULT_KINDS];        /* by player */
    struct game_fault last_fault;           /* if there was one */
    int64_t last_fault_ns;                  /* its time_ms, exactly */
    struct verdict verdict;                 /* JUDGE_DONE */
    struct judge_mail mail[JUDGE_MAX_MAIL]; /* what came while the judge was busy */
    size_t mail_count;
};

/* `first` is player 0: Black unless an auction decides. The judge sets the players' sinks.
 * The judge and the players stay where they are until judge_free. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err judge_start(struct judge *judge, const struct judge_rules *rules,
                              const struct judge_host *host, const struct game_sink *sink,
                              struct player *first, struct player *second, struct note *why);

/* The time asked for by wake_at has come; too early does no harm. */
void judge_wake(struct judge *judge);

/* Ends the game without a result; no event follows. May be called from the sink. */
void judge_abandon(struct judge *judge);

void judge_free(struct judge *judge);

/* The result of a game that a side loses otherwise than on the board: the score of the board,
 * raised for the winner where needed. */
struct result judge_forfeit_result(const struct game *game, const struct state *state,
                                   enum side loser, const char *reason);

/* The player (0 or 1) that has this colour. */
int judge_player_of(const struct judge *judge, enum side side);

#endif
