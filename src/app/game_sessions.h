/* game_sessions: the games that a server plays for its pages, in a thread of their own.
 *
 * The thread has the event loop on which judges, players and their programs run. Other threads
 * never touch these: they put commands into a mailbox, and read sessions under a lock. Only a
 * few games run at a time. One that no page asks for any more is ended.
 */
#ifndef APP_GAME_SESSIONS_H
#define APP_GAME_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/game_agent.h"
#include "app/game_session.h"
#include "base/note.h"

enum {
    GAME_SESSIONS_MAX_RUNNING = 4,
    GAME_SESSIONS_MAX_KEPT = 16, /* with those that are over */
    GAME_SESSIONS_MAX_AGENTS = 16,
    GAME_SESSIONS_MAX_COMMANDS = 64, /* that wait */
    GAME_SESSIONS_AWAY_MS = 60 * 1000,
    GAME_SESSIONS_TICK_MS = 250,
};

struct game_sessions_options {
    struct game_agent *agents; /* they outlive the sessions */
    size_t agent_count;
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no agent is a program */
    const char *python;            /* see struct player_setup */
    int64_t away_ns;               /* after which a game that no page asks for is ended */
    struct game_sink remarks;      /* receives GAME_EVENT_REMARK, in the thread of the sessions */
};

/* What a page asks for. */
struct seat_wish {
    enum seat_kind kind;
    int number; /* the engine's level; the place of the agent in the list */
};

struct session_wish {
    const struct game *game;
    struct seat_wish seats[2]; /* at least one is an agent, at most one a person */
    bool is_timed;             /* the person has the same limit as the agent */
};

struct game_sessions;

MUST_USE enum err game_sessions_start(const struct game_sessions_options *options,
                                      struct game_sessions **out, struct note *why);

/* From now on `on_change` is called, in the thread of the sessions, after every change and a few
 * times a second; NULL: no longer. */
void game_sessions_listen(struct game_sessions *sessions, void *owner,
                          void (*on_change)(void *owner));

/* Ends all games and their programs, and waits for that. Nothing can begin after it. */
void game_sessions_stop(struct game_sessions *sessions);
void game_sessions_free(struct game_sessions *sessions); /* stopped, or NULL */

const struct game_sessions_options *game_sessions_options(const struct game_sessions *sessions);

/* Begins a game. The tokens are by seat. ERR_INPUT, ERR_NEGATIVE: it cannot be played;
 * ERR_ENVIRONMENT: too many are running. */
MUST_USE enum err game_sessions_create(struct game_sessions *sessions,
                                       const struct session_wish *wish, int64_t *id,
                                       char tokens[2][GAME_SESSION_TOKEN_BYTES], struct note *why);

/* A page asks for the session, so that it is not ended soon; false: there is no such session. */
bool game_sessions_visit(struct game_sessions *sessions, int64_t id);

/* -1: there is no such session. */
int64_t game_sessions_version(struct game_sessions *sessions, int64_t id);

/* The seat that a token belongs to; -1: none, or there is no such session. */
int game_sessions_seat(struct game_sessions *sessions, int64_t id, const char *token);

/* NULL: there is no such session. */
const struct game *game_sessions_game(struct game_sessions *sessions, int64_t id);

/* Sessions: all that are kept, in any order. No page counts as seen. */
void game_sessions_write_list(struct game_sessions *sessions, FILE *out);

/* Session and SessionLog; false: there is no such session. */
bool game_sessions_write(struct game_sessions *sessions, int64_t id, size_t from, FILE *out);
bool game_sessions_write_log(struct game_sessions *sessions, int64_t id, FILE *out);

/* What the person at `seat` does; any seat may stop the game. ERR_NEGATIVE: it is not allowed, or
 * it is not its turn. */
MUST_USE enum err game_sessions_act(struct game_sessions *sessions, int64_t id, int seat,
                                    const struct session_action *action, struct note *why);

#endif
