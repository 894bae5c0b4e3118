/* tcp_hub: who is on the line.
 *
 * A boxed program has a network of its own, and whoever connects to the listener
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
#include "player/wire.h"

struct tcp_line;

/* What happens on a player's line. */
struct tcp_line_events {
    void *owner;
    /* A client is there and has sent its team id. It may be a second one: it takes the place. */
    void (*on_client)(void *owner, int32_t team);
    void (*on_bytes)(void *owner, const uint8_t *bytes, size_t count);
    /* The client is gone. */
    void (*on_hang_up)(void *owner);
    void (*on_closed)(void *owner); /* after tcp_line_close: the last event */
};

/* The shared listener and those who wait at it. A zeroed struct is a hub that does not
 * listen yet. It stays where it is. */
struct tcp_hub {
    uv_loop_t *loop;
    uv_tcp_t *listener;
    struct tcp_line *lines;
    struct tcp_client *strangers; /* connected, but not yet named */
    void *owner;
    void (*on_remark)(void *owner, const char *sentence); /* may be NULL */
};

/* A line with a listener of its own (`descriptor` is taken over), or, with -1, a line for
 * `team` at the hub. ERR_ENVIRONMENT: the port is taken; ERR_INPUT: that team has a line
 * already. */
MUST_USE enum err tcp_line_open(struct tcp_hub *hub, int descriptor, int32_t team,
                                const struct tcp_line_events *events, struct tcp_line **out,
                                struct note *why);

bool tcp_line_has_client(const struct tcp_line *line);

/* Sends all of it in one write; does nothing without a client. */
void tcp_line_send(struct tcp_line *line, const uint8_t *bytes, size_t count);

/* The line frees itself after on_closed. */
void tcp_line_close(struct tcp_line *line);

/* Stops listening, when no line is left. */
void tcp_hub_close(struct tcp_hub *hub);

#endif
