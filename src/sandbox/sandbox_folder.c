#include "sandbox/sandbox_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/sandbox_programs.h"

enum {
    DATABASE_HEAD_BYTES = 72,
    APPLICATION_AT = 68, /* https://www.sqlite.org/fileformat.html */
};

/* What the courses give to every team: it is the same for all. */
static const char *const clients[] = {"STcpClient.py", "FileClient.py"};

const char *sandbox_folder_inside(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1]
               ? path + length + 1
               : NULL;
}

/* --- Lists --- */

static bool append(struct sandbox_folder *list, const char *name)
{
    if (list->count % 64 == 0) {
        char **larger = realloc(list->entries, (list->count + 64) * sizeof *larger);
        if (!larger) {
            return false;
        }
        list->entries = larger;
    }
    list->entries[list->count] = strdup(name);
    return list->entries[list->count] && ++list->count;
}

static bool contains(const struct sandbox_folder *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void sandbox_folder_free(struct sandbox_folder *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->entries[i]);
    }
    free(list->entries);
    *list = (struct sandbox_folder){0};
}

/* --- The files that a command names --- */

/* The same path without links in its folders and without "." and "..". */
static bool straighten(const char *path, char out[PATH_MAX])
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path) + 1, path);
    if (!realpath(parent, out)) {
        return false;
    }
    size_t length = strcmp(out, "/") == 0 ? 0 : strlen(out);
    return (size_t)snprintf(out + length, PATH_MAX - length, "%s", slash) < PATH_MAX - length;
}

static bool take_file(const char *word, const char *folder, struct sandbox_folder *out)
{
    char path[PATH_MAX];
    char straight[PATH_MAX];
    struct stat status;
    bool is_file = *word && sandbox_programs_path(word, folder, path) && stat(path, &status) == 0 &&
                   S_ISREG(status.st_mode) && straighten(path, straight) &&
                   !sandbox_programs_is_of_system(straight);
    return !is_file || append(out, straight);
}

/* The absolute path of every regular file outside the system's folders that a word of the command
 * names, seen from `folder`, also inside quotes and after NAME=. Only the last part of a path may
 * be a link. False: no memory. */
static bool list_named(const char *command, const char *folder, int depth,
                       struct sandbox_folder *out)
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    bool is_done = true;
    while (is_done && depth < SANDBOX_PROGRAMS_DEPTH &&
           (command = sandbox_programs_next_word(command, word))) {
        const char *value = strchr(word, '=');
        is_done = take_file(word, folder, out) && (!value || take_file(value + 1, folder, out)) &&
                  (!strpbrk(word, " \t\n;&|") || list_named(word, folder, depth + 1, out));
    }
    return is_done;
}

/* --- Neighbours --- */

static enum err refuse_memory(struct note *why)
{
    note_set(why, "no memory for the players' files");
    return ERR_ENVIRONMENT;
}

/* The files that a command names. The shell may do anything in the folder if none is known: then a
 * path in it that only this command has stands for them. */
static bool list_used(const char *command, const char *folder, struct sandbox_folder *out)
{
    size_t before = out->count;
    bool is_done = list_named(command, folder, 0, out);
    if (is_done && out->count == before && strpbrk(command, "'\"\\$`;&|<>(){}")) {
        char *unknown = NULL;
        if (asprintf(&unknown, "%s/%s", folder, command) < 0) {
            return false;
        }
        is_done = append(out, unknown);
        free(unknown);
    }
    return is_done;
}

enum err sandbox_folder_add_program(struct sandbox_neighbours *neighbours, const char *command,
                                    const char *folder, struct note *why)
{
    char real[PATH_MAX];
    folder = realpath(folder, real) ? real : folder;
    return list_used(command, folder, &neighbours->paths) ? ERR_NONE : refuse_memory(why);
}

enum err sandbox_folder_add_own(struct sandbox_neighbours *neighbours, const char *path,
                                struct note *why)
{
    char real[PATH_MAX];
    return !realpath(path, real) || append(&neighbours->paths, real) ? ERR_NONE
                                                                     : refuse_memory(why);
}

void sandbox_folder_hide(struct sandbox_neighbours *neighbours, const char *path)
{
    char seen[PATH_MAX];
    snprintf(seen, sizeof seen, "%s%s", *path == '/' ? "" : "./", path);
    for (int i = 0; i < SANDBOX_FOLDER_HIDDEN; i++) {
        if (!*neighbours->hidden[i]) {
            if (!straighten(seen, neighbours->hidden[i])) {
                neighbours->hidden[i][0] = '\0'; /* what is not there is not shown */
            }
            return;
        }
    }
}

void sandbox_folder_free_neighbours(struct sandbox_neighbours *neighbours)
{
    sandbox_folder_free(&neighbours->paths);
    *neighbours = (struct sandbox_neighbours){0};
}

/* Players may run the same program: commands that name the same files. Without memory the folder
 * counts as shared. */
struct sandbox_folder_rule sandbox_folder_rule(const struct sandbox_neighbours *neighbours,
                                               const char *command, const char *folder)
{
    struct sandbox_folder_rule rule = {0};
    struct sandbox_folder own = {0};
    char real[PATH_MAX];
    if (!neighbours) {
        return rule;
    }
    folder = realpath(folder, real) ? real : folder;
    rule.is_shared = !list_used(command, folder, &own);
    for (size_t i = 0; i < neighbours->paths.count && !rule.is_shared; i++) {
        const char *path = neighbours->paths.entries[i];
        rule.is_shared = (strcmp(path, folder) == 0 || sandbox_folder_inside(path, folder)) &&
                         !contains(&own, path);
    }
    memcpy(rule.hidden, neighbours->hidden, sizeof rule.hidden);
    sandbox_folder_free(&own);
    return rule;
}

/* --- Lists of what is shown --- */

struct folder_reading {
    const struct sandbox_folder_rule *rule;
    const char *real; /* the folder, without links */
    int fd;
    struct sandbox_folder names;
    struct sandbox_folder databases; /* of the names */
    struct sandbox_folder shown;
};

/* A database of Plum, whatever its name: a tournament, a backup of one. Others are an agent's. */
static bool is_database(int folder, const char *name)
{
    static const char magic[] = "SQLite format 3";
    static const char application[] = {'P', 'l', 'u', 'm'};
    char head[DATABASE_HEAD_BYTES];
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is_read = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head;
    if (fd >= 0) {
        close(fd);
    }
    return is_read && memcmp(head, magic, sizeof magic) == 0 &&
           memcmp(head + APPLICATION_AT, application, sizeof application) == 0;
}

/* A database itself, and what is kept next to it: NAME-wal, NAME.agents. */
static bool is_of_database(const struct folder_reading *reading, const char *name)
{
    for (size_t i = 0; i < reading->databases.count; i++) {
        const char *database = reading->databases.entries[i];
        size_t length = strlen(database);
        if (strncmp(name, database, length) == 0 &&
            (!name[length] || name[length] == '-' || name[length] == '.')) {
            return true;
        }
    }
    return false;
}

/* Of a folder that is hidden below this one the whole way is hidden. */
static bool is_hidden(const struct folder_reading *reading, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < SANDBOX_FOLDER_HIDDEN; i++) {
        const char *inside = sandbox_folder_inside(reading->rule->hidden[i], reading->real);
        if (inside && strncmp(inside, name, length) == 0 &&
            (!inside[length] || inside[length] == '/')) {
            return true;
        }
    }
    return strncmp(name, ".plum-", strlen(".plum-")) == 0 || is_of_database(reading, name);
}

/* 0: it is not there. */
static mode_t type_of(const struct folder_reading *reading, const char *name)
{
    struct stat status;
    bool is_there = fstatat(reading->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    return is_there ? status.st_mode & S_IFMT : 0;
}

static bool show_names(struct folder_reading *reading)
{
    const struct sandbox_folder *names = &reading->names;
    bool is_done = true;
    for (size_t i = 0; i < names->count && is_done; i++) {
        if (type_of(reading, names->entries[i]) == S_IFREG &&
            is_database(reading->fd, names->entries[i])) {
            is_done = append(&reading->databases, names->entries[i]);
        }
    }
    for (size_t i = 0; i < names->count && is_done; i++) {
        mode_t type = type_of(reading, names->entries[i]);
        if ((type == S_IFREG || type == S_IFDIR || type == S_IFLNK) &&
            !is_hidden(reading, names->entries[i])) {
            is_done = append(&reading->shown, names->entries[i]);
        }
    }
    return is_done;
}

static bool take_shared(struct folder_reading *reading, const char *command)
{
    struct sandbox_folder named = {0};
    bool is_done = list_named(command, reading->real, 0, &named);
    for (size_t i = 0; i < named.count && is_done; i++) {
        const char *inside = sandbox_folder_inside(named.entries[i], reading->real);
        is_done = !inside || contains(&reading->names, inside) || append(&reading->names, inside);
    }
    for (size_t i = 0; i < sizeof clients / sizeof clients[0] && is_done; i++) {
        is_done = contains(&reading->names, clients[i]) || append(&reading->names, clients[i]);
    }
    sandbox_folder_free(&named);
    return is_done;
}

static bool take_all(struct folder_reading *reading, DIR *entries)
{
    struct dirent *entry = NULL;
    while ((entry = readdir(entries))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !append(&reading->names, entry->d_name)) {
            return false;
        }
    }
    return true;
}

/* A folder that cannot be read shows nothing: the command then reports what it misses. */
enum err sandbox_folder_list(const char *folder, const char *command,
                             const struct sandbox_folder_rule *rule, struct sandbox_folder *out,
                             struct note *why)
{
    char real[PATH_MAX];
    struct folder_reading reading = {.rule = rule, .real = realpath(folder, real) ? real : folder};
    DIR *entries = opendir(folder);
    if (!entries && err_is_shortage(errno)) {
        note_set(why, "cannot read the folder %.200s: %s", folder, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    int error = 0;
    reading.fd = entries ? dirfd(entries) : -1;
    if (entries &&
        !((rule->is_shared ? take_shared(&reading, command) : take_all(&reading, entries)) &&
          show_names(&reading))) {
        error = ENOMEM;
        note_set(why, "no memory for the names in %.200s", folder);
    }
    if (entries) {
        closedir(entries);
    }
    sandbox_folder_free(&reading.names);
    sandbox_folder_free(&reading.databases);
    if (!error && reading.shown.count <= SANDBOX_FOLDER_ENTRIES) {
        *out = reading.shown;
        return ERR_NONE;
    }
    if (!error) {
        note_set(why,
                 "the folder %.150s has more than %d files: put the program into a folder of its "
                 "own",
                 folder, SANDBOX_FOLDER_ENTRIES);
    }
    sandbox_folder_free(&reading.shown);
    errno = error;
    return ERR_ENVIRONMENT;
}
