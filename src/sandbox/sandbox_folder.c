#include "sandbox/sandbox_folder.h"

#include <ctype.h>
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

struct folder_reading {
    const struct sandbox_folder_rule *rule;
    int fd;
    struct sandbox_folder_stems stems;
    struct sandbox_folder named; /* by the command, as paths from the folder on */
    struct sandbox_folder all;   /* names of everything */
    struct sandbox_folder shown;
};

const char *sandbox_folder_inside(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1]
               ? path + length + 1
               : NULL;
}

/* --- Lists of names --- */

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

/* --- Stems --- */

static void cut_ending(char *name)
{
    char *dot = strrchr(name, '.');
    if (dot && dot != name) {
        *dot = '\0';
    }
}

static bool has_stem(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    unsigned char next = strncmp(name, stem, length) == 0 ? (unsigned char)name[length] : 'x';
    return length > 0 && !isalnum(next) && next < 0x80;
}

size_t sandbox_folder_stem_length(const char *name, const struct sandbox_folder_stems *stems)
{
    size_t longest = 0;
    for (int i = 0; i < stems->count; i++) {
        size_t length = strlen(stems->names[i]);
        if (length > longest && has_stem(name, stems->names[i])) {
            longest = length;
        }
    }
    return longest;
}

struct stem_search {
    const char *folder;
    struct sandbox_folder_stems *out;
};

/* An interpreter of the system that is linked into the folder is not the program. */
static void take_stem(void *owner, const char *path)
{
    struct stem_search *search = owner;
    char real[PATH_MAX];
    const char *inside = sandbox_folder_inside(path, search->folder);
    if (search->out->count < SANDBOX_FOLDER_STEMS && inside && realpath(path, real) &&
        !sandbox_programs_is_of_system(real)) {
        char *name = search->out->names[search->out->count];
        snprintf(name, NAME_MAX + 1, "%s", strrchr(path, '/') + 1);
        cut_ending(name);
        search->out->count += sandbox_folder_stem_length(name, search->out) != strlen(name);
    }
}

void sandbox_folder_stems(const char *command, const char *folder, struct sandbox_folder_stems *out)
{
    char real[PATH_MAX];
    struct stem_search search = {realpath(folder, real) ? real : folder, out};
    out->count = 0;
    sandbox_programs_each_file(command, folder, &search, take_stem);
}

void sandbox_folder_write_stems(const struct sandbox_folder_stems *stems, char *out, size_t room)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < stems->count && used < room; i++) {
        used += (size_t)snprintf(out + used, room - used, "%s%s", i ? " or " : "", stems->names[i]);
    }
}

/* --- Files of Plum --- */

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

/* NAME itself, and what is kept next to it: NAME-wal, NAME.agents. */
static bool belongs_to(const char *name, const char *file)
{
    size_t length = strlen(file);
    return strncmp(name, file, length) == 0 &&
           (!name[length] || name[length] == '-' || name[length] == '.');
}

static bool is_unfinished(const char *name) { return strncmp(name, ".plum-", 6) == 0; }

/* --- The rule --- */

static bool is_hidden(const struct folder_reading *reading, const char *name)
{
    const struct sandbox_folder_rule *rule = reading->rule;
    bool is_named = contains(&reading->named, name);
    for (int i = 0; i < rule->hidden_count; i++) {
        char stem[NAME_MAX + 1];
        snprintf(stem, sizeof stem, "%s", rule->hidden[i]);
        cut_ending(stem);
        bool is_of_other = rule->is_shared && has_stem(name, stem) &&
                           strlen(stem) > sandbox_folder_stem_length(name, &reading->stems);
        if (strcmp(name, rule->hidden[i]) == 0 ||
            (!is_named && (is_of_other || belongs_to(name, rule->hidden[i])))) {
            return true;
        }
    }
    return false;
}

static bool is_common(const struct sandbox_folder_rule *rule, const char *name)
{
    for (int i = 0; i < rule->common_count; i++) {
        if (strcmp(rule->common[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* The command names it, or something in it. */
static bool is_named(const struct folder_reading *reading, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < reading->named.count; i++) {
        const char *path = reading->named.entries[i];
        if (strncmp(path, name, length) == 0 && (!path[length] || path[length] == '/')) {
            return true;
        }
    }
    return false;
}

static bool is_shown(const struct folder_reading *reading, const char *name)
{
    return !is_unfinished(name) && !is_hidden(reading, name) &&
           (!reading->rule->is_shared || is_named(reading, name) ||
            is_common(reading->rule, name) ||
            sandbox_folder_stem_length(name, &reading->stems) > 0);
}

/* --- Reading --- */

struct named_search {
    const char *folder;
    struct sandbox_folder *list;
    bool has_failed;
};

static void take_named(void *owner, const char *path)
{
    struct named_search *search = owner;
    const char *inside = sandbox_folder_inside(path, search->folder);
    if (inside && !contains(search->list, inside)) {
        search->has_failed |= !append(search->list, inside);
    }
}

static mode_t type_of(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode & S_IFMT : 0;
}

static bool show_entries(struct folder_reading *reading)
{
    struct sandbox_folder databases = {0};
    bool is_done = true;
    for (size_t i = 0; i < reading->all.count && is_done; i++) {
        const char *name = reading->all.entries[i];
        if (type_of(reading->fd, name) == S_IFREG && is_database(reading->fd, name)) {
            is_done = append(&databases, name);
        }
    }
    for (size_t i = 0; i < reading->all.count && is_done; i++) {
        const char *name = reading->all.entries[i];
        mode_t type = type_of(reading->fd, name);
        bool is_plums = false;
        for (size_t j = 0; j < databases.count; j++) {
            is_plums |= belongs_to(name, databases.entries[j]);
        }
        if (!is_plums && (type == S_IFREG || type == S_IFDIR || type == S_IFLNK) &&
            is_shown(reading, name)) {
            is_done = append(&reading->shown, name);
        }
    }
    sandbox_folder_free(&databases);
    return is_done;
}

/* A file that the command names in a folder which others use as well. */
static bool show_single_files(struct folder_reading *reading)
{
    for (size_t i = 0; i < reading->named.count; i++) {
        const char *path = reading->named.entries[i];
        char top[NAME_MAX + 1];
        snprintf(top, sizeof top, "%.*s", (int)strcspn(path, "/"), path);
        if (strchr(path, '/') && !contains(&reading->shown, top) &&
            type_of(reading->fd, path) == S_IFREG && !append(&reading->shown, path)) {
            return false;
        }
    }
    return true;
}

static bool read_names(struct folder_reading *reading, DIR *entries)
{
    struct dirent *entry = NULL;
    while ((entry = readdir(entries))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !append(&reading->all, entry->d_name)) {
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
    struct folder_reading reading = {.rule = rule};
    char real[PATH_MAX];
    struct named_search search = {realpath(folder, real) ? real : folder, &reading.named, false};
    DIR *entries = opendir(folder);
    if (!entries && err_is_shortage(errno)) {
        note_set(why, "cannot read the folder %.200s: %s", folder, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    enum err err = ERR_NONE;
    reading.fd = entries ? dirfd(entries) : -1;
    sandbox_folder_stems(command, folder, &reading.stems);
    sandbox_programs_each_file(command, folder, &search, take_named);
    if (search.has_failed ||
        (entries && (!read_names(&reading, entries) || !show_entries(&reading) ||
                     (rule->is_shared && !show_single_files(&reading))))) {
        errno = ENOMEM;
        note_set(why, "no memory for the names in %.200s", folder);
        err = ERR_ENVIRONMENT;
    } else if (reading.shown.count > SANDBOX_FOLDER_ENTRIES) {
        errno = 0;
        note_set(why,
                 "the folder %.150s has more than %d files: put the program into a folder of its "
                 "own",
                 folder, SANDBOX_FOLDER_ENTRIES);
        err = ERR_ENVIRONMENT;
    }
    int error = errno;
    if (entries) {
        closedir(entries);
    }
    sandbox_folder_free(&reading.named);
    sandbox_folder_free(&reading.all);
    if (err) {
        sandbox_folder_free(&reading.shown);
    } else {
        *out = reading.shown;
    }
    errno = error;
    return err;
}
