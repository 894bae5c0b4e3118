/* tournament_change: what the commands share that change a tournament's results. */
#ifndef CLI_TOURNAMENT_CHANGE_H
#define CLI_TOURNAMENT_CHANGE_H

#include "base/err.h"
#include "base/note.h"
#include "cli/args.h"
#include "store/store.h"

typedef enum err tournament_change_fn(struct store *store, int game, const char *reason,
                                      struct note *why);

/* Operands FILE NUMBER, option reason. *game: the number, from 0. */
MUST_USE enum err tournament_change_game(const struct args *args, tournament_change_fn *change,
                                         int *game, struct note *why);

/* The option of that name, which must be there. */
MUST_USE enum err tournament_change_reason(const struct args *args, const char **out,
                                           struct note *why);

#endif
