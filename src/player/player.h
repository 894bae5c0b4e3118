/* player: a participant as the judge sees it: asked now, answering later.
 *
 * A player is any struct that begins with `struct player`. Calls go down through its class, events
 * come back through its sink, possibly before the call that caused them has returned. One player
 * may play several games; it starts (or restarts) its program when a game begins. The judge asks
 * one question at a time. When it stops waiting it calls `forget`, and late answers are dropped.
 *
 * Long because it has the contract of each function of a player.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "sandbox/violation.h"

struct player;

enum player_event_kind {
    PLAYER_READY,    /* the program runs and can be asked; once after each `begin` and RESTARTS */
    PLAYER_RESTARTS, /* it left before its first move and is started anew: if it is asked, its clock
                       starts with READY or after the allowance to start */
    PLAYER_BID,      /* answers ask_bid */
    PLAYER_MOVE,     /* answers ask_move */
    PLAYER_FAULT,    /* see `fault` and `why`; an unreadable answer is FAULT_INVALID, and
                        FAULT_LATE is decided by the judge */
    PLAYER_FAILED,   /* `why`: this machine has failed, not the player: the game has no result */
    PLAYER_RESIGNS,  /* a person gave up */
    PLAYER_CLOSED,   /* after `close`: nothing of it is left running, the last event */
};

/* What a player lets us know about its thinking. Zero: unknown. */
struct thought {
    bool is_known;
    int depth;
    int score_hundredths; /* in its own eyes */
    uint64_t nodes;
};

struct player_event {
    enum player_event_kind kind;
    int64_t at_ns;   /* when the last byte of it arrived, or was read; monotonic */
    int64_t came_ns; /* it is known not to have arrived before; 0: nothing is known */
    struct bid bid;
    struct move move;
    struct thought thought;
    enum fault fault;
    struct note answer; /* FAULT_INVALID: what it answered, as text; "" if nothing can be shown */
    struct note why;
};

struct player_sink {
    void *owner;
    void (*on_event)(void *owner, struct player *player, const struct player_event *event);
};

/* The game so far. Valid during the call only. */
struct player_view {
    const struct game *game;
    const struct state *start;
    const struct move *moves; /* from the start */
    size_t move_count;
    const struct state *now;
    enum side side; /* this player's */
    int64_t limit_ns;
    int64_t startup_ns;
    uint64_t seed; /* of this game, for this player */
};

/* How a program behaved, apart from its moves. */
struct player_conduct {
    int starts;                       /* how often it was started */
    int freezes;                      /* how often it was frozen: see player_program_end_turn */
    bool overstayed;                  /* it was asked to exit, did not, and was killed */
    struct violation_list violations; /* what it tried and the sandbox refused */
};

/* Why a player has not answered yet, as far as it is known. */
struct player_delay {
    bool is_idle;       /* its program uses next to no processor time: it waits for something */
    bool is_explained;  /* the reason names what to change */
    int64_t waited_ns;  /* for a processor that neither its program nor the judge occupied, */
    int64_t watched_ns; /* in this time up to now; 0: since it was asked */
    struct note reason; /* a clause for its author; "" if nothing is known */
};

/* Copies one of its streams as text; returns the length. */
typedef size_t player_stream_fn(const struct player *, char *out, size_t room);

struct player_class {
    /* A new game. `side` is meaningless while an auction is to come. */
    void (*begin)(struct player *, const struct player_view *);

    /* NULL in games without an auction. */
    void (*ask_bid)(struct player *, const struct player_view *);

    /* Both bids and the colour this player got. May be NULL. */
    void (*learn_bids)(struct player *, const struct bid *own, const struct bid *other,
                       enum side colour, bool by_lot);

    /* Returns when the last byte of the question was sent: the clock starts there. While the
     * program still starts, the end of its allowance; PLAYER_READY comes earlier. */
    int64_t (*ask_move)(struct player *, const struct player_view *);

    /* A ply was played, by either side. May be NULL. */
    void (*observe)(struct player *, const struct move *, enum side mover);

    /* Its start, or its answer to the last question, is late. May be NULL. */
    struct player_delay (*explain_delay)(const struct player *);

    /* The processor time that its program has used since its last answer; before that, since its
     * start. -1: not known. NULL: it has no program, or one in this process. */
    int64_t (*used_ns)(const struct player *);

    /* The judge no longer waits for an answer to the last question. */
    void (*forget)(struct player *);
    /* The game ended. The program may be asked to play another one. May be NULL. */
    void (*end)(struct player *, enum outcome);

    /* No more games: stop the program, then PLAYER_CLOSED. */
    void (*close)(struct player *);
    /* After PLAYER_CLOSED. */
    void (*free)(struct player *);

    /* What the program wrote to its standard error, as text; "" if nothing. May be NULL. */
    player_stream_fn *log;
    /* Likewise what it printed on a standard output that the judge does not read. May be NULL. */
    player_stream_fn *output;
    /* Of its program, after PLAYER_CLOSED. NULL: it has none. */
    struct player_conduct (*conduct)(const struct player *);
};

struct player {
    const struct player_class *class;
    const char *name; /* as the person wrote it; outlives the player */
    struct player_sink sink;
};

/* A zeroed player of `bytes` bytes, which begin with `struct player`. NULL: out of memory. */
void *player_new(size_t bytes, const struct player_class *, const char *name, struct note *why);

/* For the class of a player that has nothing else to free. */
void player_free(struct player *player);

static inline void player_report(struct player *player, const struct player_event *event)
{
    player->sink.on_event(player->sink.owner, player, event);
}

/* A stream of a player as it is now; the caller frees. NULL: none, empty, or no memory. */
char *player_read_stream(const struct player *player, player_stream_fn *stream);

/* Reports an event that happens now: `at_ns` is filled in. */
void player_report_now(struct player *player, struct player_event event);

#endif
