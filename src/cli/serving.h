/* serving: opening the web arena beside something else. */
#ifndef CLI_SERVING_H
#define CLI_SERVING_H

#include "base/err.h"
#include "base/note.h"
#include "cli/args.h"
#include "web/server.h"

/* What `--serve[=PORT]` asks for: a page to watch the tournament in this database on. Says on
 * stderr where; *out is NULL when it was not asked for. */
MUST_USE enum err serving_start(const struct args *args, const char *database, struct server **out,
                                struct note *why);

/* Lets spectators see the end of a tournament that is over: on a terminal until Ctrl-C, else for
 * a moment if anybody is watching. NULL is fine. */
void serving_linger(struct server *server);

/* "http://127.0.0.1:8080/" */
enum { SERVING_ADDRESS_BYTES = 96 };
void serving_address(const char *address, int port, char out[SERVING_ADDRESS_BYTES]);

#endif
