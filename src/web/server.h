/* server: the arena on the network, in threads of its own. Where a tournament is followed they come
 * after everybody else's: spectators must not cost players time.
 */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"

enum {
    SERVER_DEFAULT_PORT = 8080,
    SERVER_MAX_CONNECTIONS = 4000,
    SERVER_MAX_CONNECTIONS_EACH = 2000, /* of one address */
    SERVER_TIMEOUT_S = 30,              /* of silence */
    SERVER_CONNECTION_BYTES = 16384,    /* for the headers of a request and of its answer */
    SERVER_MAX_FIELDS = 100,            /* of a question, before it is even looked at */
    SERVER_NICENESS = 10,               /* of its threads beside a tournament, above the caller's */
};

struct server_options {
    const char *address; /* to listen on: an IPv4 or IPv6 address */
    int port;            /* 0: any that is free */
    enum cpu_level cpu;
    const char *const *databases; /* of tournaments to follow; NULL at the end */
    const char *const *hosts;     /* names to answer to besides addresses; NULL at the end */
};

struct server;

/* ERR_INPUT: the address is none, or a database no tournament. ERR_ENVIRONMENT: it cannot be
 * listened on. `hosts` outlives the server. */
MUST_USE enum err server_start(const struct server_options *options, struct server **out,
                               struct note *why);
void server_stop(struct server *server); /* NULL is fine */

int server_port(const struct server *server);

/* How many are watching a tournament right now. */
int server_spectators(const struct server *server);

#endif
