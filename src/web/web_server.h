/* web_server: the arena on the network, in threads of its own. Where a tournament is followed they
 * have a lower priority than all others: spectators must not cost players time.
 */
#ifndef WEB_WEB_WEB_SERVER_H
#define WEB_WEB_WEB_SERVER_H

#include "base/cpu.h"
#include "base/note.h"

enum {
    WEB_SERVER_DEFAULT_PORT = 8080,
    WEB_SERVER_MAX_CONNECTIONS = 4000,
    WEB_SERVER_MAX_CONNECTIONS_EACH = 1500, /* of one address */
    WEB_SERVER_RESERVED_CONNECTIONS = 200,  /* the last ones, for addresses that have none */
    WEB_SERVER_OTHER_FILES = 128, /* that are open besides connections, where their number is low */
    WEB_SERVER_TIMEOUT_S = 30,    /* of silence */
    WEB_SERVER_CONNECTION_BYTES = 16384, /* for the headers of a request and of its answer */
    WEB_SERVER_MAX_FIELDS = 100,         /* of a query, before it is read */
    WEB_SERVER_NICENESS =
        10, /* of its threads while a tournament is followed, above the caller's */
};

struct game_sessions;

struct web_server_options {
    const char *address; /* to listen on: an IPv4 or IPv6 address */
    int port;            /* 0: any that is free */
    enum cpu_level cpu;
    const char *const *databases; /* of tournaments to follow; NULL at the end */
    bool is_anonymous;            /* letters in place of the names of teams */
    const char *const *hosts;     /* names of this server besides its addresses; NULL at the end */
    struct game_sessions *sessions; /* games with agents; NULL: none. The caller stops them first */
    const char *secret;             /* without which they cannot be reached; outlives the server */
};

struct web_server;

/* ERR_INPUT: not an address, or a database that is not a tournament. ERR_ENVIRONMENT: the address
 * cannot be listened on. `hosts` outlives the server. */
MUST_USE enum err web_server_start(const struct web_server_options *options,
                                   struct web_server **out, struct note *why);
void web_server_stop(struct web_server *server); /* NULL is fine */

int web_server_port(const struct web_server *server);

/* How many clients are watching a tournament right now. */
int web_server_spectators(const struct web_server *server);

#endif
