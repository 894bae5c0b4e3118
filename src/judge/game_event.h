/* game_event: what happens in a game, from the judge up to every sink.
 *
 * The judge, the match and the match runner send this one structure. Files, screens, the store and
 * tests are sinks. A sink is called on the judge's thread: what it does there is taken from the
 * players' time, so it must not wait.
 */
#ifndef JUDGE_GAME_EVENT_H
#define JUDGE_GAME_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"
#include "player/player.h"

/* One thing a player did wrong: as it is kept, sent to another machine, stored and shown. */
struct game_fault {
    int player; /* 0 or 1, as the match counts the players; of a judge, as given to judge_start */
    int ply;    /* plies played before */
    enum fault kind;
    int64_t time_ms; /* its thinking time until then; -1: it was not its turn */
    char position[GAME_POSITION_BYTES];
    struct note why;
};

/* What else the judge knows of it, to help its author. */
struct fault_cause {
    bool is_idle;      /* late, although its program uses next to no processor time */
    bool is_explained; /* late, and `why` names what to change */
    bool is_starved;   /* late, because something outside this game kept it from running */
    bool has_move;     /* invalid: its answer could be read, as `move` */
    struct move move;
    struct note answer; /* invalid: what it answered, as text; "" if there is nothing to show */
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

/* Reasons: those of game->result, or a fault's name, "no-start", "no-bid", "resigned",
 * "late-limit" (too many late moves in a row), "both-absent" (neither player started). */
struct verdict {
    struct result result;
    bool is_forfeit; /* decided by a fault, not by the board */
};

enum game_event_kind {
    GAME_EVENT_START, /* colours and start position are known, the first move is due */
    GAME_EVENT_PLY,
    GAME_EVENT_FAULT,
    /* A judge sends it at once, a match when the judge has returned, and not after match_stop. */
    GAME_EVENT_OVER,
    /* This machine cannot continue the game, which has no result: the last event of a judge. A
     * match passes the reason to its on_done instead. */
    GAME_EVENT_FAILED,
    GAME_EVENT_PLAYER_CLOSED, /* a player is about to be freed: the last time to read its log */
    GAME_EVENT_REMARK,        /* something strange that belongs to no player */
};

struct judge;
struct match;
struct finished_game;

struct game_event {
    enum game_event_kind kind;
    const struct judge *judge;       /* START, PLY, FAULT; OVER and FAILED of a judge */
    const struct judge_ply *ply;     /* PLY */
    const struct game_fault *fault;  /* FAULT */
    const struct fault_cause *cause; /* FAULT */
    const struct note *why;          /* FAILED */
    const char *remark;              /* REMARK */
    /* The rest is filled in by a match. */
    struct match *match;            /* a sink may call match_stop on it */
    int game;                       /* index; START, PLY, FAULT, OVER */
    int player;                     /* PLAYER_CLOSED: 0 or 1, as the match counts the players */
    struct finished_game *finished; /* OVER; a sink may take what is in it and leave it empty */
    struct player *closed;          /* PLAYER_CLOSED */
};

/* `on_event` may be NULL: the events are dropped. */
struct game_sink {
    void *owner;
    void (*on_event)(void *owner, const struct game_event *event);
};

static inline void game_sink_send(const struct game_sink *sink, const struct game_event *event)
{
    if (sink->on_event) {
        sink->on_event(sink->owner, event);
    }
}

#endif
