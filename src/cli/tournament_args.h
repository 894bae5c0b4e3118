/* tournament_args: options that several tournament commands have, and what they print about a
 * roster. */
#ifndef CLI_TOURNAMENT_ARGS_H
#define CLI_TOURNAMENT_ARGS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"
#include "course/class_list.h"
#include "store/store.h"
#include "tournament/roster.h"

/* The options --students and --deadline. Without --students the list is empty; without --deadline
 * that is 0. Prints the deadline with its zone, or a remark if the list has hand-in times
 * and there is no deadline. */
MUST_USE enum err tournament_args_class(const struct args *args, struct class_list *list,
                                        int64_t *deadline_s, struct note *why);

/* Prints several problems on stderr, one in a line; one alone is the command's error message. */
void tournament_args_print_problems(const char *path, const struct roster_problems *problems);

/* Prints on stderr which lines of a tournament's roster were edited after it began, and so have no
 * effect. */
void tournament_args_print_edits(struct store *store, const struct tournament *t);

/* "2 h 5 min", "3 min", "12 s" */
void tournament_args_duration(double seconds, char *out, size_t room);

#endif
