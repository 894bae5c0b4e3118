/* serving: the web arena next to a tournament that this process runs. */
#ifndef CLI_SERVING_H
#define CLI_SERVING_H

#include "base/note.h"
#include "cli/args.h"
#include "web/web_server.h"

/* Serves the tournament in this database if `--serve[=PORT]` was given, and prints the address on
 * stderr. *out is NULL without the option. */
MUST_USE enum err serving_start(const struct args *args, const char *database,
                                struct web_server **out, struct note *why);

/* Keeps serving after the end of the tournament: on a terminal until Ctrl-C, else for ten seconds
 * if there are spectators. `server` may be NULL. */
void serving_linger(struct web_server *server);

#endif
