/* live: follows a tournament's database and tells spectators what happens in it.
 *
 * A thread of its own reads the events that another process, or this one, writes, and keeps the
 * last of them ready as server-sent events. Every spectator's connection sleeps until there is
 * something for it. A browser that lost its connection comes back with the number of the last
 * event it saw and goes on from there; one that was away, or read too slowly, for longer than
 * events are kept is told to look at the whole again.
 */
#ifndef WEB_LIVE_H
#define WEB_LIVE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <microhttpd.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/json.h"
#include "base/note.h"

enum {
    LIVE_KEPT_EVENTS = 16384,
    LIVE_MAX_STREAMS =
        3000, /* of all tournaments; below the server's connections: pages must still be served */
    LIVE_POLL_MS = 10,
    LIVE_BEAT_MS = 10 * 1000, /* between heartbeats */
    LIVE_LOOK_MS = 1000,      /* between two looks whether somebody plays */
    LIVE_VIEW_MS = 200,       /* between two new pictures of the whole */
    LIVE_PATIENCE_MS = 100,   /* with somebody who keeps the database to himself */
};

struct live;

/* As store_open. `stream_count`, shared by all that are followed, outlives it. */
MUST_USE enum err live_start(const char *path, enum cpu_level cpu, atomic_int *stream_count,
                             struct live **out, struct note *why);

/* Wakes and ends every stream; then the server can be stopped. */
void live_stop(struct live *live);

/* After the server, which may hold streams until then; stopped, or NULL. */
void live_free(struct live *live);

/* The tournament as it is now, as JSON, for the caller to free; NULL without memory. */
char *live_tournament(struct live *live, size_t *size);

/* Members of an object: what a list of tournaments has of it. */
void live_write_head(struct live *live, struct json *json);

/* The record of a game, to be freed. ERR_NEGATIVE: it has none yet. */
MUST_USE enum err live_record(struct live *live, int game, char **out, struct note *why);

/* A response that streams the events behind `after` to this connection; NULL: there are too many
 * spectators, or no memory. */
struct MHD_Response *live_stream(struct live *live, struct MHD_Connection *connection,
                                 int64_t after);

#endif
