#include "cli/class_args.h"

#include <stdio.h>

enum err class_args_read(const struct args *args, struct class_list *list, int64_t *deadline_s,
                         struct note *why)
{
    const char *path = args_option(args, "students");
    const char *deadline = args_option(args, "deadline");
    if (deadline && !path) {
        note_set(why, "--deadline needs --students FILE: the list says when each was handed in");
        return ERR_INPUT;
    }
    enum err err = deadline ? class_list_time(deadline, deadline_s, why) : ERR_NONE;
    if (err) {
        note_prefix(why, "--deadline");
        return err;
    }
    err = path ? class_list_read(path, list, why) : ERR_NONE;
    if (!err && deadline && !list->has_times) {
        note_set(why, "%.150s has no column with hand-in times, such as 'Hand-in time'", path);
        class_list_free(list);
        err = ERR_INPUT;
    }
    if (!err && list->has_times && !deadline) {
        fprintf(stderr, "%s has hand-in times: days late are counted with --deadline TIME\n", path);
    }
    return err;
}
