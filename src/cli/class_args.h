/* class_args: the options --students and --deadline. */
#ifndef CLI_CLASS_ARGS_H
#define CLI_CLASS_ARGS_H

#include <stdint.h>

#include "cli/args.h"
#include "course/class_list.h"

/* Without --students the list is empty; without --deadline that is 0. A list that knows when
 * students handed in, without a deadline, is remarked on. */
MUST_USE enum err class_args_read(const struct args *args, struct class_list *list,
                                  int64_t *deadline_s, struct note *why);

#endif
