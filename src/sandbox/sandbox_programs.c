#include "sandbox/sandbox_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

enum { SCRIPT_DEPTH = 4, MOST_LINKS = 40 /* as the kernel */ };

struct sandbox_program_search {
    const char *folder;
    const char *path_variable;
    struct sandbox_programs *found;
};

static const char *const system_folders[] = {"/usr/", "/bin/", "/sbin/", "/lib"};

/* What makes up an installation under one prefix. */
static const char *const installation_parts[] = {
    "bin",   "sbin",     "lib",     "lib32",   "lib64",      "libexec",
    "shims", "versions", "version", "plugins", "pyvenv.cfg",
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool sandbox_programs_is_of_system(const char *path)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        if (starts_with(path, system_folders[i])) {
            return true;
        }
    }
    return false;
}

/* In the agent's folder? The folder / contains only what is directly in it. */
static bool is_own(const struct sandbox_program_search *search, const char *path)
{
    size_t length = strlen(search->folder);
    if (length == 1) {
        return strrchr(path, '/') == path;
    }
    return starts_with(path, search->folder) && path[length] == '/' && !strstr(path, "/../");
}

/* A sandbox shows these anyway, but never the whole of /. */
static bool is_visible(const struct sandbox_program_search *search, const char *path)
{
    return (is_own(search, path) && strlen(search->folder) > 1) ||
           sandbox_programs_is_of_system(path);
}

static bool is_known(const struct sandbox_programs *programs, const char *path)
{
    for (size_t i = 0; i < programs->count; i++) {
        if (strcmp(programs->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct sandbox_programs *programs, const char *path)
{
    if (programs->count == SANDBOX_PROGRAMS_MAX || is_known(programs, path) ||
        access(path, F_OK) != 0) {
        return;
    }
    char *copy = strdup(path);
    if (copy) {
        programs->paths[programs->count++] = copy;
    } else {
        programs->error = ENOMEM;
    }
}

/* PREFIX/bin/NAME or PREFIX/shims/NAME brings the parts of PREFIX, any other only itself. */
static void add_installation(struct sandbox_programs *programs, const char *program)
{
    char prefix[PATH_MAX];
    snprintf(prefix, sizeof prefix, "%s", program);
    *strrchr(prefix, '/') = '\0';
    char *folder = strrchr(prefix, '/');
    if (!folder || (strcmp(folder, "/bin") != 0 && strcmp(folder, "/shims") != 0)) {
        add(programs, program);
        return;
    }
    *folder = '\0';
    for (size_t i = 0; i < sizeof installation_parts / sizeof installation_parts[0]; i++) {
        char part[PATH_MAX + 16];
        snprintf(part, sizeof part, "%s/%s", prefix, installation_parts[i]);
        add(programs, part);
    }
}

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool sandbox_programs_find_in_path(const char *variable, const char *name, char out[PATH_MAX])
{
    while (variable && *variable) {
        int length = (int)strcspn(variable, ":");
        if (*variable == '/' &&
            snprintf(out, PATH_MAX, "%.*s/%s", length, variable, name) < PATH_MAX &&
            is_program(out)) {
            return true;
        }
        variable += length;
        variable += *variable == ':';
    }
    return false;
}

static bool find_program(const struct sandbox_program_search *search, const char *word,
                         char out[PATH_MAX])
{
    if (!strchr(word, '/')) {
        return sandbox_programs_find_in_path(search->path_variable, word, out);
    }
    int length = *word == '/' ? snprintf(out, PATH_MAX, "%s", word)
                              : snprintf(out, PATH_MAX, "%s/%s", search->folder, word);
    return length < PATH_MAX && is_program(out);
}

static void need(struct sandbox_programs *programs, const char *path, bool is_from_path_variable)
{
    if (programs->needed_count == SANDBOX_PROGRAMS_MAX) {
        return;
    }
    char *copy = strdup(path);
    if (copy) {
        struct sandbox_program *program = &programs->needed[programs->needed_count++];
        program->path = copy;
        program->is_from_path_variable = is_from_path_variable;
    } else {
        programs->error = ENOMEM;
    }
}

/* A real path in the agent's folder, whatever links lead to both? */
static bool is_really_own(const struct sandbox_program_search *search, const char *real)
{
    char folder[PATH_MAX];
    const struct sandbox_program_search in_real = {.folder = folder};
    return realpath(search->folder, folder) && is_own(&in_real, real);
}

/* Moves the first part of a path from `rest` to `part`; false at the end. */
static bool take_part(char rest[PATH_MAX], char part[PATH_MAX])
{
    size_t slashes = strspn(rest, "/");
    size_t length = strcspn(rest + slashes, "/");
    memcpy(part, rest + slashes, length);
    part[length] = '\0';
    memmove(rest, rest + slashes + length, strlen(rest + slashes + length) + 1);
    return length > 0;
}

/* Puts the target of the link `link` in front of `rest`. False: it cannot be read, or is too long.
 */
static bool follow_link(const char *link, char rest[PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0 || (size_t)length + 1 + strlen(rest) >= PATH_MAX) {
        return false;
    }
    memmove(rest + length + 1, rest, strlen(rest) + 1);
    memcpy(rest, target, (size_t)length);
    rest[length] = '/';
    return true;
}

/* Does the path lead over a link in the agent's folder, or too many links? Follows it part by part:
 * a link of the organiser may lead to one of the agent. Links in / are those of the system's
 * administrator, unless they are the program itself. */
static bool uses_own_link(const struct sandbox_program_search *search, const char *path)
{
    char done[PATH_MAX] = ""; /* a real path */
    char rest[PATH_MAX];
    char part[PATH_MAX];
    char next[PATH_MAX];
    struct stat status;
    int links = 0;
    bool is_in_root = strlen(search->folder) == 1;
    if (is_in_root && strrchr(path, '/') != path) {
        return false;
    }
    snprintf(rest, sizeof rest, "%s", path);
    while (take_part(rest, part)) {
        if (strcmp(part, ".") == 0) {
            continue;
        }
        if (strcmp(part, "..") == 0) {
            done[*done ? strrchr(done, '/') - done : 0] = '\0';
            continue;
        }
        if (snprintf(next, sizeof next, "%s/%s", done, part) >= (int)sizeof next ||
            lstat(next, &status) != 0) {
            return true;
        }
        if (!S_ISLNK(status.st_mode)) {
            memcpy(done, next, sizeof done);
            continue;
        }
        if (is_really_own(search, next) || ++links > MOST_LINKS || !follow_link(next, rest)) {
            return true;
        }
        if (rest[0] == '/') {
            done[0] = '\0';
        }
    }
    return false;
}

/* True if a link of the agent's folder leads to a file that is neither there nor in the system: the
 * author of the link would choose what is shown. */
static bool leads_out(const struct sandbox_program_search *search, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real) || sandbox_programs_is_of_system(real) ||
        is_really_own(search, real) || !uses_own_link(search, path)) {
        return false;
    }
    note_set(&search->found->refusal,
             "%.90s is a link out of the agent's folder, to %.90s: copy that file into the folder, "
             "or name it in the player's command",
             path, real);
    return true;
}

/* What an interpreter runs: `python3 agent.py`. */
static bool need_script(const struct sandbox_program_search *search, const char *word)
{
    char path[PATH_MAX];
    struct stat status;
    int length = *word == '/' ? snprintf(path, sizeof path, "%s", word)
                              : snprintf(path, sizeof path, "%s/%s", search->folder, word);
    if (length >= PATH_MAX || !is_visible(search, path) || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        return false;
    }
    if (!leads_out(search, path)) {
        need(search->found, path, false);
    }
    return true;
}

const char *sandbox_programs_next_word(const char *text, char out[SANDBOX_PROGRAMS_WORD_BYTES])
{
    size_t length = 0;
    char quote = '\0';
    text += strspn(text, " \t\n");
    if (!*text) {
        return NULL;
    }
    for (; *text && (quote || !strchr(" \t\n;&|", *text)); text++) {
        if (quote ? *text == quote : *text == '\'' || *text == '"') {
            quote = quote ? '\0' : *text;
            continue;
        }
        if (*text == '\\' && quote != '\'' && text[1]) {
            text++;
        }
        if (length < SANDBOX_PROGRAMS_WORD_BYTES - 1) {
            out[length++] = *text;
        }
    }
    out[length] = '\0';
    return *text ? text + 1 : text;
}

static void add_words(const struct sandbox_program_search *search, const char *command, int depth);

/* #!INTERPRETER ARGUMENT: both may name programs, as in #!/usr/bin/env python3. Only for scripts
 * outside the agent's folder. */
static void add_interpreter(const struct sandbox_program_search *search, const char *script,
                            int depth)
{
    char line[SANDBOX_PROGRAMS_WORD_BYTES];
    int fd = open(script, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        search->found->error = err_is_shortage(errno) ? errno : search->found->error;
        return;
    }
    ssize_t count = read(fd, line, sizeof line - 1);
    close(fd);
    if (count < 2 || line[0] != '#' || line[1] != '!') {
        return;
    }
    line[count] = '\0';
    line[strcspn(line, "\n")] = '\0';
    add_words(search, line + 2, depth + 1);
}

/* False: the word is not a program. */
static bool add_program(const struct sandbox_program_search *search, const char *word, int depth)
{
    char path[PATH_MAX];
    char real[PATH_MAX];
    if (!*word || !find_program(search, word, path)) {
        return false;
    }
    if (leads_out(search, path)) {
        return true;
    }
    need(search->found, path, !strchr(word, '/'));
    if (!realpath(path, real)) {
        return true;
    }
    if (is_really_own(search, real) || uses_own_link(search, path)) {
        if (!is_visible(search, path)) {
            add(search->found, path);
        }
        return true;
    }
    if (!is_visible(search, path)) {
        add_installation(search->found, path);
    }
    if (!is_visible(search, real)) {
        add_installation(search->found, real);
    }
    add_interpreter(search, path, depth);
    return true;
}

static void add_words(const struct sandbox_program_search *search, const char *command, int depth)
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    bool has_script = depth > 0; /* inside quotes and scripts only programs are looked for */
    while (depth < SCRIPT_DEPTH && (command = sandbox_programs_next_word(command, word))) {
        if (!add_program(search, word, depth) && !has_script) {
            has_script = need_script(search, word);
        }
        if (strpbrk(word, " \t\n")) { /* sh -c 'python3 agent.py' */
            add_words(search, word, depth + 1);
        }
    }
}

void sandbox_programs_find(const char *command, const char *folder, const char *path_variable,
                           struct sandbox_programs *out)
{
    struct sandbox_program_search search = {folder, path_variable, out};
    *out = (struct sandbox_programs){0};
    add_words(&search, command, 0);
}

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

static void take_file(const char *word, const char *folder, void *owner,
                      void (*take)(void *owner, const char *path))
{
    char path[PATH_MAX];
    char straight[PATH_MAX];
    struct stat status;
    int length = *word == '/' ? snprintf(path, sizeof path, "%s", word)
                              : snprintf(path, sizeof path, "%s/%s", folder, word);
    if (*word && length < PATH_MAX && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
        straighten(path, straight) && !sandbox_programs_is_of_system(straight)) {
        take(owner, straight);
    }
}

static void each_file(const char *command, const char *folder, void *owner,
                      void (*take)(void *owner, const char *path), int depth)
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    while (depth < SCRIPT_DEPTH && (command = sandbox_programs_next_word(command, word))) {
        const char *value = strchr(word, '=');
        take_file(word, folder, owner, take);
        if (value) {
            take_file(value + 1, folder, owner, take);
        }
        if (strpbrk(word, " \t\n;&|")) {
            each_file(word, folder, owner, take, depth + 1);
        }
    }
}

void sandbox_programs_each_file(const char *command, const char *folder, void *owner,
                                void (*take)(void *owner, const char *path))
{
    each_file(command, folder, owner, take, 0);
}

static bool is_forbidden(const char *path)
{
    return access(path, R_OK) != 0 && errno == EACCES && access(path, X_OK) != 0;
}

const char *sandbox_programs_forbidden(const struct sandbox_programs *programs,
                                       const char *path_variable)
{
    char other[PATH_MAX];
    for (size_t i = 0; i < programs->needed_count; i++) {
        const struct sandbox_program *program = &programs->needed[i];
        if (is_forbidden(program->path) &&
            !(program->is_from_path_variable &&
              sandbox_programs_find_in_path(path_variable, strrchr(program->path, '/') + 1,
                                            other))) {
            return program->path;
        }
    }
    return NULL;
}

void sandbox_programs_free(struct sandbox_programs *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        free(programs->paths[i]);
    }
    for (size_t i = 0; i < programs->needed_count; i++) {
        free(programs->needed[i].path);
    }
    *programs = (struct sandbox_programs){0};
}
