/* live: follows the database of a tournament and sends its events to spectators.
 *
 * A thread of its own reads the events that another process, or this one, writes, and keeps the
 * last of them ready as server-sent events. Every client's connection is suspended, and the thread
 * sends the events itself; the server's thread continues where a client is slow. A browser that
 * lost its connection sends the id of the last event it received and resumes after it. A client
 * that missed more events than are kept must fetch the tournament again.
 */
#ifndef WEB_LIVE_H
#define WEB_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/note.h"
#include "web/address_share.h"

enum {
    LIVE_KEPT_EVENTS = 16384,
    LIVE_MAX_STREAMS =
        3000, /* of all tournaments; fewer than connections: pages must still be served */
    LIVE_MAX_STREAMS_EACH = 1200, /* of one address */
    LIVE_RESERVED_STREAMS = 200,  /* the last ones, for addresses that have none */
    LIVE_POLL_MS = 2,             /* while a process plays */
    LIVE_IDLE_POLL_MS = 10,
    LIVE_BEAT_MS = 10 * 1000, /* between heartbeats */
    LIVE_ATTENDED_MS = 1000,  /* between two checks whether a process plays */
    LIVE_VIEW_MS = 200,       /* between two refreshes of the tables */
    LIVE_PATIENCE_MS = 100,   /* for a database that another process has locked */
};

struct live;

/* Errors as store_open. `streams`, shared by all followed tournaments, outlives it. */
MUST_USE enum err live_start(const char *path, enum cpu_level cpu, bool is_anonymous,
                             struct address_share *streams, struct live **out, struct note *why);

/* Resumes and ends every stream; then the server can be stopped. */
void live_stop(struct live *live);

/* After the server has stopped, which may use streams until then. It is stopped, or NULL. */
void live_free(struct live *live);

/* The tournament as it is now, as JSON; NULL without memory. What moves do not change is one text
 * for all clients, however slowly they read. *size is that of the body. */
struct MHD_Response *live_tournament(struct live *live, size_t *size);

/* Members of an object: what a list of tournaments has of it. */
void live_write_head(struct live *live, struct json *json);

/* The record of a game; the caller frees. ERR_NEGATIVE: it has none yet. */
MUST_USE enum err live_record(struct live *live, int game, char **out, struct note *why);

/* A response that streams the events after `after` to this connection, which is from `address`;
 * NULL: there are too many clients, here or there, or no memory. */
struct MHD_Response *live_stream(struct live *live, struct MHD_Connection *connection,
                                 uint64_t address, int64_t after);

#endif
