/* tcp_server: listens for the programs of tcp players and gives each connection to its player.
 *
 * A sandboxed program has a network of its own, and whoever connects to the listener
 * in there is that program. Without network namespaces all programs share one
 * listener on port 8888 and are told apart by the team id they send; one that
 * names a team nobody waits for, or whose place is taken, is refused, and nobody
 * is charged for it.
 */
#ifndef PLAYER_TCP_SERVER_H
#define PLAYER_TCP_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "base/note.h"
#include "protocol/wire.h"

struct tcp_endpoint;

/* What happens on a player's line. */
struct tcp_endpoint_events {
    void *owner;
    /* A client is there and has sent its team id. It may be a second one: it takes the place. */
    void (*on_client)(void *owner, int32_t team);
    void (*on_bytes)(void *owner, const uint8_t *bytes, size_t count);
    /* We have no room for its connection or for what it is sent: not its client's fault. */
    void (*on_failure)(void *owner, const struct note *why);
    void (*on_closed)(void *owner); /* after tcp_endpoint_close: the last event */
};

/* The shared listener and those who wait at it. It stays where it is. */
struct tcp_server {
    uv_loop_t *loop;
    struct tcp_listener *listener; /* NULL: none, every program has its own */
    struct tcp_endpoint *endpoints;
    struct tcp_client *strangers; /* connected, but not yet named */
    void *owner;
    /* For people; a program can cause the same one any number of times. May be NULL. */
    void (*on_remark)(void *owner, const char *sentence);
};

/* Opens the shared listener. ERR_ENVIRONMENT: the port is taken. */
MUST_USE enum err tcp_server_listen(struct tcp_server *server, struct note *why);

/* A line with a listener of its own (`descriptor`, a bound socket, is taken over), or, with -1,
 * a line for `team` at the server, which listens. ERR_INPUT: that team has a line already. */
MUST_USE enum err tcp_endpoint_open(struct tcp_server *server, int descriptor, int32_t team,
                                    const struct tcp_endpoint_events *events,
                                    struct tcp_endpoint **out, struct note *why);

bool tcp_endpoint_has_client(const struct tcp_endpoint *endpoint);

/* Sends all of it in one write; does nothing without a client. */
void tcp_endpoint_send(struct tcp_endpoint *endpoint, const uint8_t *bytes, size_t count);

/* Breaks the connection; the client may come back. */
void tcp_endpoint_hang_up(struct tcp_endpoint *endpoint);

/* The program is gone: takes what it had still written. */
void tcp_endpoint_drain(struct tcp_endpoint *endpoint);

/* on_closed follows, possibly before this returns; then the line frees itself. */
void tcp_endpoint_close(struct tcp_endpoint *endpoint);

/* Stops listening, when no endpoint is left. */
void tcp_server_close(struct tcp_server *server);

#endif
