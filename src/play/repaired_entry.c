#include "play/repaired_entry.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play/entrants.h"
#include "course/class_roster.h"
#include "course/roster_change.h"
#include "course/roster_edit.h"

/* The lines of the section [team ID] with these keys. The caller frees; NULL: no memory. */
static char *lines_about(const char *roster, const char *id, const char *const *keys)
{
    char *lines = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&lines, &bytes);
    if (!out) {
        return NULL;
    }
    roster_edit_write(out, roster, "team", id, keys, false);
    if (fclose(out) != 0) {
        free(lines);
        return NULL;
    }
    return lines;
}

/* Takes the keys of one team over into *text, if they are others. */
static enum err take_team(const char *now, const char *id, char **text, bool *is_changed,
                          struct note *why)
{
    const char *keys[CLASS_ROSTER_HAND_IN_KEYS];
    class_roster_hand_in_keys(true, keys);
    char *new_lines = lines_about(now, id, keys);
    char *old_lines = lines_about(*text, id, keys);
    enum err err = new_lines && old_lines ? ERR_NONE : ERR_ENVIRONMENT;
    /* A section that was taken out of the file says nothing. */
    if (!err && *new_lines && strcmp(new_lines, old_lines) != 0) {
        const struct roster_edit edit = {
            .kind = "team", .id = id, .replaced = keys, .comments = "", .lines = new_lines};
        char *edited = roster_edit_apply(*text, &edit);
        err = edited ? ERR_NONE : ERR_ENVIRONMENT;
        if (edited) {
            free(*text);
            *text = edited;
            *is_changed = true;
        }
    }
    free(new_lines);
    free(old_lines);
    return err ? note_fail(why, err, "no memory for the roster") : ERR_NONE;
}

static enum err refuse_file(const char *path, const struct roster_problems *problems,
                            struct note *why)
{
    struct note first = *why;
    if (problems->count) {
        first = problems->list[0];
    }
    return note_fail(why, ERR_INPUT, "%.120s: %.200s; correct it first", path, first.text);
}

enum err repaired_entry_read(const struct tournament_file *file, const char *const *ids, int count,
                             enum cpu_level cpu, struct repaired_entry *out, struct note *why)
{
    char path[PATH_MAX];
    char *now = NULL;
    struct roster roster = {0};
    bool is_changed = false;
    struct roster_problems *problems = calloc(1, sizeof *problems);
    *out = (struct repaired_entry){.text = strdup(store_roster(file->store))};
    roster_change_path(file->store, out->name, path);
    enum err err =
        problems && out->text ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "out of memory");
    if (err || access(path, R_OK) != 0) {
        goto out;
    }
    err = tournament_file_read_roster(path, cpu, &now, &roster, problems, why);
    err = err == ERR_INPUT ? refuse_file(path, problems, why) : err;
    for (int i = 0; !err && i < count; i++) {
        err = take_team(now, ids[i], &out->text, &is_changed, why);
    }
    if (!err && is_changed &&
        roster_read(out->text, strlen(out->text), cpu, &out->roster, problems)) {
        err = refuse_file(path, problems, why);
    }
    for (int i = 0; !err && is_changed && i < count; i++) {
        err = entrants_refuse_missing(&out->roster, roster_find(&out->roster, ids[i]), path,
                                      store_folder(file->store), problems, why);
        err = err == ERR_INPUT ? refuse_file(path, problems, why) : err;
    }
out:
    if (!is_changed) {
        free(out->text);
        out->text = NULL;
    }
    roster_free(&roster);
    free(problems);
    free(now);
    return err;
}

void repaired_entry_free(struct repaired_entry *entry)
{
    roster_free(&entry->roster);
    free(entry->text);
    *entry = (struct repaired_entry){0};
}
