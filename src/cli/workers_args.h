/* workers_args: the options of commands whose games workers on other machines can play. */
#ifndef CLI_WORKERS_ARGS_H
#define CLI_WORKERS_ARGS_H

#include <stddef.h>

#include "play/tournament_workers.h"
#include "base/note.h"
#include "cli/args.h"

/* --workers, --queue and --lease. ERR_INPUT: both servers are given, or none of them and an option
 * that needs one. */
MUST_USE enum err workers_args_read(const struct args *args, struct tournament_workers_wish *wish,
                                    struct note *why);

/* An option as in 50 or 50%; without it *out stays. */
MUST_USE enum err workers_args_percent(const struct args *args, const char *option, int most,
                                       int *out, struct note *why);

/* Appends these and --concurrency as they were given, as in " --workers --lease 5"; nothing without
 * workers. False: they do not fit. */
bool workers_args_write(const struct args *args, char *out, size_t room);

#endif
