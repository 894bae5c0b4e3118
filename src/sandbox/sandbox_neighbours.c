#include "sandbox/sandbox_neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/sandbox_programs.h"

enum { MOST_FILES = 16 }; /* of one command; the others count as files of another program */

static bool append(struct sandbox_neighbours *neighbours, const char *path, const char *command,
                   bool is_home)
{
    size_t bytes = (neighbours->count + 1) * sizeof *neighbours->list;
    struct sandbox_neighbour *larger = realloc(neighbours->list, bytes);
    if (!larger) {
        return false;
    }
    neighbours->list = larger;
    struct sandbox_neighbour one = {strdup(path), command ? strdup(command) : NULL, is_home};
    if (!one.path || (command && !one.command)) {
        free(one.path);
        free(one.command);
        return false;
    }
    larger[neighbours->count++] = one;
    return true;
}

static enum err refuse(struct note *why)
{
    note_set(why, "no memory for the players' files");
    return ERR_ENVIRONMENT;
}

/* --- Programs --- */

struct file_search {
    struct sandbox_neighbours *neighbours;
    const char *command;
    bool has_failed;
};

static void take_file(void *owner, const char *path)
{
    struct file_search *search = owner;
    search->has_failed |= !append(search->neighbours, path, search->command, false);
}

enum err sandbox_neighbours_add(struct sandbox_neighbours *neighbours, const char *command,
                                const char *folder, struct note *why)
{
    struct file_search search = {neighbours, command, false};
    size_t before = neighbours->count;
    sandbox_programs_each_file(command, folder, &search, take_file);
    if (!search.has_failed && neighbours->count == before && strpbrk(command, "'\"\\$`;&|<>(){}")) {
        search.has_failed = !append(neighbours, folder, command, false);
    }
    return search.has_failed ? refuse(why) : ERR_NONE;
}

/* --- Plum --- */

enum err sandbox_neighbours_add_own(struct sandbox_neighbours *neighbours, const char *path,
                                    bool is_home, struct note *why)
{
    char real[PATH_MAX];
    char parent[PATH_MAX];
    if (is_home) {
        return !realpath(path, real) || append(neighbours, real, NULL, true) ? ERR_NONE
                                                                             : refuse(why);
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (!realpath(parent, real)) {
        return ERR_NONE; /* what is not there is not shown */
    }
    size_t length = strcmp(real, "/") == 0 ? 0 : strlen(real);
    snprintf(real + length, sizeof real - length, "/%s", name);
    return append(neighbours, real, NULL, false) ? ERR_NONE : refuse(why);
}

void sandbox_neighbours_free(struct sandbox_neighbours *neighbours)
{
    for (size_t i = 0; i < neighbours->count; i++) {
        free(neighbours->list[i].path);
        free(neighbours->list[i].command);
    }
    free(neighbours->list);
    *neighbours = (struct sandbox_neighbours){0};
}

/* --- Rules --- */

struct own_files {
    char paths[MOST_FILES][PATH_MAX];
    int count;
};

static void take_own(void *owner, const char *path)
{
    struct own_files *own = owner;
    if (own->count < MOST_FILES) {
        snprintf(own->paths[own->count++], PATH_MAX, "%s", path);
    }
}

static bool names(const struct own_files *own, const char *path)
{
    for (int i = 0; i < own->count; i++) {
        if (strcmp(own->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_in_or_below(const char *path, const char *folder)
{
    return strcmp(path, folder) == 0 || sandbox_folder_inside(path, folder);
}

/* Players may run the same program: the same command, or commands that name the same file. */
static bool is_other_program(const struct sandbox_neighbour *neighbour, const char *command,
                             const struct own_files *own)
{
    return neighbour->command && strcmp(neighbour->command, command) != 0 &&
           !names(own, neighbour->path);
}

static bool makes_shared(const struct sandbox_neighbour *neighbour, const char *folder)
{
    return (neighbour->command || neighbour->is_home) && is_in_or_below(neighbour->path, folder);
}

static bool hide(struct sandbox_folder_rule *rule, const char *inside)
{
    char top[NAME_MAX + 1];
    snprintf(top, sizeof top, "%.*s", (int)strcspn(inside, "/"), inside);
    for (int i = 0; i < rule->hidden_count; i++) {
        if (strcmp(rule->hidden[i], top) == 0) {
            return true;
        }
    }
    if (rule->hidden_count == SANDBOX_FOLDER_NAMES) {
        return false;
    }
    snprintf(rule->hidden[rule->hidden_count++], sizeof rule->hidden[0], "%s", top);
    return true;
}

/* In a shared folder most names are hidden anyway: only those are listed that would be shown. */
static bool would_be_shown(const struct sandbox_folder_rule *rule, const char *inside,
                           const struct sandbox_folder_stems *stems, const struct own_files *own,
                           const char *folder)
{
    size_t length = strcspn(inside, "/");
    if (!rule->is_shared || sandbox_folder_stem_length(inside, stems)) {
        return true;
    }
    for (int i = 0; i < own->count; i++) {
        const char *named = sandbox_folder_inside(own->paths[i], folder);
        if (named && strcspn(named, "/") == length && strncmp(named, inside, length) == 0) {
            return true;
        }
    }
    for (int i = 0; i < rule->common_count; i++) {
        if (strcmp(rule->common[i], inside) == 0) {
            return true;
        }
    }
    return false;
}

static enum err make_rule(const struct sandbox_neighbours *neighbours, const char *command,
                          const char *folder, const struct own_files *own,
                          struct sandbox_folder_rule *rule, struct note *why)
{
    struct sandbox_folder_stems stems;
    sandbox_folder_stems(command, folder, &stems);
    for (size_t i = 0; i < neighbours->count; i++) {
        const struct sandbox_neighbour *other = &neighbours->list[i];
        rule->is_shared |= (!other->command || is_other_program(other, command, own)) &&
                           makes_shared(other, folder);
    }
    for (const char *const *name = neighbours->common;
         name && *name && rule->common_count < SANDBOX_FOLDER_COMMON; name++) {
        snprintf(rule->common[rule->common_count++], NAME_MAX + 1, "%s", *name);
    }
    for (size_t i = 0; i < neighbours->count; i++) {
        const struct sandbox_neighbour *other = &neighbours->list[i];
        const char *inside = sandbox_folder_inside(other->path, folder);
        if (inside && (!other->command || is_other_program(other, command, own)) &&
            would_be_shown(rule, inside, &stems, own, folder) && !hide(rule, inside)) {
            note_set(why, "too many players have files in %.200s: give each a folder of its own",
                     folder);
            return ERR_ENVIRONMENT;
        }
    }
    return ERR_NONE;
}

enum err sandbox_neighbours_rule(const struct sandbox_neighbours *neighbours, const char *command,
                                 const char *folder, struct sandbox_folder_rule *out,
                                 struct note *why)
{
    char real[PATH_MAX];
    struct sandbox_folder_rule rule = {0};
    if (!neighbours || !neighbours->count) {
        *out = rule;
        return ERR_NONE;
    }
    struct own_files *own = calloc(1, sizeof *own);
    if (!own) {
        return refuse(why);
    }
    sandbox_programs_each_file(command, folder, own, take_own);
    enum err err =
        make_rule(neighbours, command, realpath(folder, real) ? real : folder, own, &rule, why);
    free(own);
    if (!err) {
        *out = rule;
    }
    return err;
}

void sandbox_neighbours_explain(const char *command, const char *folder, struct note *out)
{
    struct sandbox_folder_stems stems;
    char begin[48];
    sandbox_folder_stems(command, folder, &stems);
    sandbox_folder_write_stems(&stems, begin, sizeof begin);
    if (stems.count) {
        note_set(out,
                 "it shares the folder %.100s and sees only the files there whose names begin with "
                 "%s; put it into a folder of its own",
                 folder, begin);
    } else {
        note_set(out,
                 "it shares the folder %.100s and sees no file there, because its command names "
                 "none; put it into a folder of its own",
                 folder);
    }
}
