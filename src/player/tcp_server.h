/* tcp_server: listens for the programs of tcp players and gives each connection to its player.
 *
 * A sandboxed program has its own network: every connection to the listener in there is from that
 * program. Without network namespaces all programs share one listener on port 8888. The kernel
 * shows which program has connected; the team id that it sends is not a proof. A connection from
 * any other program is refused; that is not charged to any player.
 */
#ifndef PLAYER_TCP_SERVER_H
#define PLAYER_TCP_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/note.h"
#include "protocol/wire.h"

struct tcp_endpoint;

/* What happens on the endpoint of a player. `came_ns`: see struct player_event. */
struct tcp_endpoint_events {
    void *owner;
    /* A client has connected and sent its team id. A second one replaces the first. */
    void (*on_client)(void *owner, int32_t team, int64_t came_ns);
    void (*on_bytes)(void *owner, const uint8_t *bytes, size_t count, int64_t came_ns);
    /* This machine has no room for the connection or for what is sent: not the client's fault. */
    void (*on_failure)(void *owner, const struct note *why);
    void (*on_closed)(void *owner); /* after tcp_endpoint_close: the last event */
    /* Is this socket, by its inode, one of its program's? For the shared listener. */
    bool (*has_socket)(const void *owner, uint64_t inode);
};

/* The shared listener and the endpoints that wait at it. It must not move in memory. */
struct tcp_server {
    uv_loop_t *loop;
    int port;                       /* of the shared listener */
    struct tcp_listener *listener;  /* NULL: none, every program has its own */
    struct tcp_endpoint *endpoints; /* those at the shared listener */
    void *owner;
    /* For people; a program can cause the same one any number of times. May be NULL. */
    void (*on_remark)(void *owner, const char *sentence);
};

/* Opens the shared listener; port 0 is any free one. ERR_ENVIRONMENT: the port is taken. */
MUST_USE enum err tcp_server_listen(struct tcp_server *server, int port, struct note *why);

/* An endpoint with its own listener (`descriptor`, a bound socket, which it then owns) or, with -1,
 * at the shared listener. */
MUST_USE enum err tcp_endpoint_open(struct tcp_server *server, int descriptor,
                                    const struct tcp_endpoint_events *events,
                                    struct tcp_endpoint **out, struct note *why);

bool tcp_endpoint_has_client(const struct tcp_endpoint *endpoint);

/* Sends all of it in one write; does nothing without a client. */
void tcp_endpoint_send(struct tcp_endpoint *endpoint, const uint8_t *bytes, size_t count);

/* Breaks the connection; the client may come back. */
void tcp_endpoint_hang_up(struct tcp_endpoint *endpoint);

/* The program has ended: reads what it had written before. */
void tcp_endpoint_drain(struct tcp_endpoint *endpoint);

/* on_closed follows, possibly before this returns; then the endpoint frees itself. */
void tcp_endpoint_close(struct tcp_endpoint *endpoint);

/* Stops listening, when no endpoint is left. */
void tcp_server_close(struct tcp_server *server);

#endif
