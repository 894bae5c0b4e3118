/* game_session: one game that a server plays for its pages, between agents, the engine and a
 * person.
 *
 * What happened so far is kept as JSON, ready to be sent. The thread of the judge changes a session
 * and other threads read it, both under the lock of game_sessions, which every function here
 * expects to be held. Who may ask for what is decided in web.
 */
#ifndef APP_GAME_SESSION_H
#define APP_GAME_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/game_agent.h"
#include "base/clock.h"
#include "base/json.h"
#include "judge/bids.h"
#include "judge/judge.h"
#include "tournament/finished_game.h"
#include "tournament/tournament.h"

enum {
    GAME_SESSION_TOKEN_BYTES = 33,  /* 128 random bits in hexadecimal, with the final NUL */
    GAME_SESSION_KEPT_FAULTS = 100, /* further ones are only counted */
};

struct session_source;

enum seat_kind { SEAT_PERSON, SEAT_ENGINE, SEAT_AGENT };

/* A player of a session, in the order of bidding: without an auction the first is Black. */
struct game_seat {
    enum seat_kind kind;
    int level; /* of the engine */
    char name[GAME_AGENT_NAME_BYTES];
    const struct player_spec *spec; /* NULL: a person */
    struct player_spec engine;      /* its spec */
    char token[GAME_SESSION_TOKEN_BYTES];
    char *errors; /* what its program wrote to its standard streams; NULL: nothing */
    char *output;
};

enum session_phase {
    SESSION_STARTING, /* also an auction in which no person bids */
    SESSION_BIDDING,
    SESSION_PLAYING,
    SESSION_OVER,
    SESSION_ENDED, /* without a result; `why` is the reason */
};

enum seat_wait { SEAT_WAITS_FOR_NOTHING, SEAT_BIDS, SEAT_MOVES };

/* Zeroed, then filled in up to `rules` by game_sessions. Does not move in memory. */
struct game_session {
    int64_t id;
    struct game_seat seats[2];
    struct session_source *source;
    struct judge_rules rules;
    bool is_running;       /* from its creation until nothing of it is left running */
    int64_t seen_ns;       /* a page asked for it last */
    int64_t log_wanted_ns; /* a page asked for the logs last */

    int64_t version; /* grows with every change */
    enum session_phase phase;
    struct note why;
    enum seat_wait wait; /* what is expected of the person */

    /* These are the judge thread's alone. */
    bool has_begun;              /* it has a slot */
    struct tournament_work work; /* what it is for the pool, then */
    struct player *person;       /* NULL: none, or not there */
    const struct judge *judge;   /* NULL: nothing was played yet, or the game is over */
    bool has_resigned;           /* the person has */

    char date[CLOCK_DATE_BYTES];
    bool has_start; /* the colours are known, and what follows */
    enum side colour[2];
    struct state start;
    struct state now;
    bool has_bids;
    struct bids bids;
    char **plies; /* JSON, one value each */
    size_t ply_count;
    size_t ply_capacity;
    int64_t fault_count[2][FAULT_KINDS];
    char **faults; /* likewise */
    size_t kept_faults;
    size_t fault_capacity;
    int asked; /* the seat whose move is awaited, or -1 */
    int64_t asked_ns;
    int64_t thinking_ns[2];
    struct finished_game finished; /* when it is over */
};

enum session_action_kind { SESSION_BID, SESSION_MOVE, SESSION_RESIGN, SESSION_STOP };

struct session_action {
    enum session_action_kind kind;
    struct bid bid;
    struct move move;
    int64_t ply; /* the number of plies before the move: one that was sent twice is refused */
};

/* False: this system gives no random numbers. */
bool game_session_draw_token(char out[GAME_SESSION_TOKEN_BYTES]);

/* The seat that a token belongs to, or -1. */
int game_session_seat(const struct game_session *session, const char *token);

/* Whether the person at `seat` may do this now; any seat may stop the game. */
MUST_USE enum err game_session_check(const struct game_session *session, int seat,
                                     const struct session_action *action, struct note *why);

void game_session_free(struct game_session *session); /* NULL is fine */

/* --- In the thread of the judge. --- */

void game_session_receive(struct game_session *session, const struct game_event *event);
void game_session_finish(struct game_session *session, const struct finished_game *take_game);

/* It ends without a result, unless it is over. */
void game_session_abandon(struct game_session *session, const char *why);

/* Whose clock is running; after the judge has done its work. False: nothing has changed. */
bool game_session_update_turn(struct game_session *session);

/* What the program at that seat has written so far; NULL: it is not there. */
void game_session_copy_logs(struct game_session *session, int seat, const struct player *player);

/* --- In any thread. --- */

/* SessionHead */
void game_session_write_head(const struct game_session *session, struct json *json);

/* Session: without the first `from` plies. */
void game_session_write(const struct game_session *session, struct json *json, size_t from,
                        int64_t now_ns);

/* SessionLog */
void game_session_write_log(const struct game_session *session, struct json *json);

#endif
