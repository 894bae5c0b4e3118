/* session_hub: requests about agents and the games that the server plays with them.
 *
 * All of it needs the secret that `plum serve` prints, and what changes a game also needs the token
 * of a side. A request for the state of a game may wait until that changes: its connection is
 * suspended, and resumed by the thread of the games. A page that is open therefore always has a
 * request here, and one that has gone is noticed.
 */
#ifndef WEB_SESSION_HUB_H
#define WEB_SESSION_HUB_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <microhttpd.h>

#include "app/game_sessions.h"
#include "web/api.h"

enum {
    SESSION_HUB_MAX_WAITING = 64,
    SESSION_HUB_WAIT_MS = 10 * 1000, /* then a request is answered although nothing has changed */
};

struct session_waiter {
    struct MHD_Connection *connection;
    int64_t id;
    int64_t after;
    int64_t until_ns;
};

/* Does not move in memory. Zeroed: there are no agents. */
struct session_hub {
    struct game_sessions *sessions; /* NULL: no agents */
    const char *secret;
    pthread_mutex_t lock;
    bool is_ending;
    size_t waiting;
    struct session_waiter waiters[SESSION_HUB_MAX_WAITING];
};

struct session_request {
    bool is_post;
    const char *path; /* after /api/v1/ */
    const struct api_query *query;
    const char *authorization; /* headers; NULL: absent */
    const char *origin;        /* if present it is ours */
    const char *token;
    struct MHD_Connection *connection; /* to suspend; NULL: answer at once */
};

/* Status 0: the connection was suspended, and the request is to be repeated when it continues. */
struct session_answer {
    unsigned status;
    char *text; /* JSON, for the caller to free; NULL: an error, see `why` */
    size_t size;
    struct note why;
};

/* Whether a path after /api/v1/ is one of these. */
bool session_hub_has(const char *path);

/* The sessions and the secret outlive the hub. */
void session_hub_init(struct session_hub *hub, struct game_sessions *sessions, const char *secret);

/* Before this call requests that wait are answered late. */
void session_hub_listen(struct session_hub *hub);

/* Resumes all connections; no other is suspended after it. The sessions are stopped, or were never
 * listened to. */
void session_hub_stop(struct session_hub *hub);
void session_hub_free(struct session_hub *hub); /* stopped, or zeroed */

void session_hub_answer(struct session_hub *hub, const struct session_request *request,
                        struct session_answer *out);

#endif
