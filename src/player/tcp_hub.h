/* tcp_hub: who is on the line.
 *
 * A sandboxed program has a network of its own, and whoever connects to the listener
 * in there is that program. Without network namespaces all programs share one
 * listener on port 8888 and are told apart by the team id they send; one that
 * names a team nobody waits for, or whose place is taken, is refused, and nobody
 * is charged for it.
 */
#ifndef PLAYER_TCP_HUB_H
#define PLAYER_TCP_HUB_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "base/note.h"
#include "protocol/wire.h"

struct tcp_line;

/* What happens on a player's line. */
struct tcp_line_events {
    void *owner;
    /* A client is there and has sent its team id. It may be a second one: it takes the place. */
    void (*on_client)(void *owner, int32_t team);
    void (*on_bytes)(void *owner, const uint8_t *bytes, size_t count);
    /* We have no room for its connection or for what it is sent: not its client's fault. */
    void (*on_failure)(void *owner, const struct note *why);
    void (*on_closed)(void *owner); /* after tcp_line_close: the last event */
};

/* The shared listener and those who wait at it. It stays where it is. */
struct tcp_hub {
    uv_loop_t *loop;
    struct tcp_listener *listener; /* NULL: none, every program has its own */
    struct tcp_line *lines;
    struct tcp_client *strangers; /* connected, but not yet named */
    void *owner;
    /* For people; a program can cause the same one any number of times. May be NULL. */
    void (*on_remark)(void *owner, const char *sentence);
};

/* Opens the shared listener. ERR_ENVIRONMENT: the port is taken. */
MUST_USE enum err tcp_hub_listen(struct tcp_hub *hub, struct note *why);

/* A line with a listener of its own (`descriptor`, a bound socket, is taken over), or, with -1,
 * a line for `team` at the hub, which listens. ERR_INPUT: that team has a line already. */
MUST_USE enum err tcp_line_open(struct tcp_hub *hub, int descriptor, int32_t team,
                                const struct tcp_line_events *events, struct tcp_line **out,
                                struct note *why);

bool tcp_line_has_client(const struct tcp_line *line);

/* Sends all of it in one write; does nothing without a client. */
void tcp_line_send(struct tcp_line *line, const uint8_t *bytes, size_t count);

/* Breaks the connection; the client may come back. */
void tcp_line_hang_up(struct tcp_line *line);

/* The program is gone: takes what it had still written. */
void tcp_line_drain(struct tcp_line *line);

/* on_closed follows, possibly before this returns; then the line frees itself. */
void tcp_line_close(struct tcp_line *line);

/* Stops listening, when no line is left. */
void tcp_hub_close(struct tcp_hub *hub);

#endif
