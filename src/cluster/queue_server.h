/* queue_server: the NATS server of a tournament, started by Plum.
 *
 * Its folder (class.queue for class.db, mode 0700) contains the certificates, the users, the
 * configuration, the streams, and the programs' files by their hashes. It is kept between runs, so
 * that worker files stay valid and results that were not taken are found again.
 */
#ifndef CLUSTER_QUEUE_SERVER_H
#define CLUSTER_QUEUE_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/note.h"
#include "cluster/queue.h"

/* Not 4222: Debian's package starts a server of its own there. */
enum { QUEUE_SERVER_PATH_BYTES = 3000, QUEUE_SERVER_MAX_USERS = 10000, QUEUE_SERVER_PORT = 7586 };

/* A zeroed struct is none. */
struct queue_server {
    char folder[QUEUE_SERVER_PATH_BYTES];
    char listen[QUEUE_URL_BYTES]; /* "HOST:PORT" */
    char url[QUEUE_URL_BYTES];    /* where workers connect */
    pid_t process;                /* 0: it does not run */
    bool was_killed;              /* it has ended by a signal, not by itself */
    int64_t users_ms;             /* when the file of users was changed last */
};

/* Makes the folder of a queue, with the number of its tournament. */
MUST_USE enum err queue_server_make_folder(const char *folder,
                                           char tournament[QUEUE_TOURNAMENT_BYTES],
                                           struct note *why);

/* Makes what the server needs and does not exist; its folder is given. `address`: "HOST:PORT" where
 * it listens and where workers connect; "": as it was before, at first port 7586 of all networks
 * (0.0.0.0), where workers connect to an address that this machine has. *out is the address for
 * this process. Nothing is remembered of the address before queue_server_save_address. */
MUST_USE enum err queue_server_prepare(struct queue_server *server, const char *address,
                                       struct queue_address *out, struct note *why);

/* For the next run, when the address is known to work. *change: "", or a sentence that worker files
 * which were written before have another one. */
MUST_USE enum err queue_server_save_address(const struct queue_server *server, struct note *change,
                                            struct note *why);

/* A user of the server, who is added if there is none of that name. *out is what belongs into a
 * worker file. */
MUST_USE enum err queue_server_user(const struct queue_server *server, const char *name,
                                    struct queue_address *out, struct note *why);

/* Starts it, in a process that ends with this one. */
MUST_USE enum err queue_server_start(struct queue_server *server, struct note *why);

/* Whether it has ended; *why is then the last line of its log. */
bool queue_server_has_ended(struct queue_server *server, struct note *why);

/* Tells it about users that were added since. */
void queue_server_update(struct queue_server *server);

/* It does not answer any more: it ends at once. */
void queue_server_kill(const struct queue_server *server);

void queue_server_stop(struct queue_server *server);

#endif
