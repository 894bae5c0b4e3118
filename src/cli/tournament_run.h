/* tournament_run: plays what is left of a tournament, as the commands run and resume do. */
#ifndef CLI_TOURNAMENT_RUN_H
#define CLI_TOURNAMENT_RUN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "cli/args.h"
#include "store/tournament_file.h"

/* The file is open for change; `args` has the options concurrency and json. Prints the standings at
 * the end. The current folder becomes that of the roster. *has_begun is set when nothing stands in
 * the way of the first game. */
MUST_USE enum err tournament_run(struct tournament_file *file, const struct args *args,
                                 bool *has_begun, struct note *why);

/* Games at once that leave each of their agents a core, and one to the judge; at least one. */
int tournament_run_concurrency(void);

#endif
