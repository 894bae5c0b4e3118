/* session_source: the games that a server plays for its pages, as a source of a pool.
 *
 * Private to game_sessions.c, which admits games and answers pages in any thread. What happens in a
 * game is the pool's thread's: it begins the games of the list, does what a mailbox of commands
 * asks for, and ends a game that no page asks for any more.
 */
#ifndef APP_SESSION_SOURCE_H
#define APP_SESSION_SOURCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/game_session.h"
#include "app/game_sessions.h"
#include "base/mailbox.h"
#include "play/pool.h"

/* After this time without a request for the logs they are not copied. */
enum { SESSION_SOURCE_LOG_WANTED_MS = 5000 };

/* What a page asks for. The session may be over when it is read. */
struct session_command {
    int64_t id;
    struct session_action action;
};

struct session_source {
    struct game_sessions_options options;
    struct pool *pool;
    struct mailbox commands; /* of struct session_command; closed: all games end */

    pthread_mutex_t lock; /* guards everything below it, and the sessions */
    bool has_news;
    void *owner;
    void (*on_change)(void *owner);
    struct game_session *list[GAME_SESSIONS_MAX_KEPT]; /* NULL: a free place */
};

extern const struct pool_source session_source_calls; /* its owner is the struct */

/* Takes the lock of the source, to change the session; then gives it another version. */
void session_source_lock(struct game_session *session);
void session_source_unlock_changed(struct game_session *session);

/* NULL: there is none. The lock is held. */
struct game_session *session_source_find(const struct session_source *source, int64_t id);

#endif
