#include "cli/tournament_args.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "course/hand_in_time.h"
#include "course/roster_change.h"

enum { MOST_EDITS = 10 };

enum err tournament_args_class(const struct args *args, struct class_list *list,
                               int64_t *deadline_s, struct note *why)
{
    const char *path = args_option(args, "students");
    const char *deadline = args_option(args, "deadline");
    if (deadline && !path) {
        return note_fail(why, ERR_INPUT,
                         "--deadline needs --students FILE: the list says when each was handed in");
    }
    enum err err = deadline ? hand_in_time_read(deadline, deadline_s, why) : ERR_NONE;
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
    } else if (!err && deadline) {
        char time[HAND_IN_TIME_BYTES];
        hand_in_time_write(*deadline_s, time);
        fprintf(stderr, "the deadline is %s; a time without a zone is local time of this machine\n",
                time);
    }
    return err;
}

void tournament_args_print_problems(const char *path, const struct roster_problems *problems)
{
    for (int i = 0; problems->count > 1 && i < problems->count && i < ROSTER_MAX_PROBLEMS; i++) {
        fprintf(stderr, "%s: %s\n", path, problems->list[i].text);
    }
}

void tournament_args_print_edits(struct store *store, const struct tournament *t)
{
    char name[NAME_MAX + 1];
    struct note lines[MOST_EDITS];
    size_t count = roster_change_find(store, t, name, lines, MOST_EDITS);
    for (size_t i = 0; i < count && i < MOST_EDITS; i++) {
        fprintf(stderr, "%s: %s\n", name, lines[i].text);
    }
    if (count > MOST_EDITS) {
        fprintf(stderr, "%s: %zu more lines were edited without effect\n", name,
                count - MOST_EDITS);
    }
}

void tournament_args_duration(double seconds, char *out, size_t room)
{
    long long whole = llround(seconds);
    if (whole >= 3600) {
        snprintf(out, room, "%lld h %lld min", whole / 3600, whole / 60 % 60);
    } else if (whole >= 60) {
        snprintf(out, room, "%lld min", whole / 60);
    } else {
        snprintf(out, room, "%lld s", whole);
    }
}
