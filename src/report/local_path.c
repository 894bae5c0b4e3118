#include "report/local_path.h"

#include <ctype.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Also with its links resolved: a program sees the place where it is. The root of all is no place.
 */
static void add_folder(struct local_path *paths, const char *folder, const char *instead)
{
    char real[PATH_MAX];
    for (int i = 0; i < 2; i++) {
        const char *path = i ? realpath(folder, real) : folder;
        size_t length = path ? strlen(path) : 0;
        bool is_known =
            paths->count > 0 && path && strcmp(paths->known[paths->count - 1].prefix, path) == 0;
        if (length > 1 && length < PATH_MAX && *path == '/' && !is_known &&
            paths->count < LOCAL_PATHS) {
            snprintf(paths->known[paths->count].prefix, PATH_MAX, "%s", path);
            paths->known[paths->count].length = length;
            paths->known[paths->count++].instead = instead;
        }
    }
}

void local_path_init(struct local_path *paths, const char *folder)
{
    const struct passwd *user = getpwuid(getuid());
    paths->count = 0;
    add_folder(paths, folder, "");
    if (user && user->pw_dir) {
        add_folder(paths, user->pw_dir, "~");
    }
}

/* Every machine has these. */
static bool is_of_system(const char *folder)
{
    static const char *const systems[] = {"/usr", "/bin",  "/sbin", "/lib",
                                          "/etc", "/proc", "/sys",  "/dev"};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        size_t length = strlen(systems[i]);
        if (strncmp(folder, systems[i], length) == 0 &&
            (folder[length] == '/' || folder[length] == '\0')) {
            return true;
        }
    }
    return false;
}

void local_path_add_programs(struct local_path *paths, const char *folder, const char *words)
{
    char text[PATH_MAX];
    char path[2 * PATH_MAX];
    char *rest = NULL;
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        char *colon = strchr(word, '/') ? strrchr(word, ':') : NULL; /* "tcp:7:bin/agent" */
        const char *file = colon ? colon + 1 : word;
        bool is_elsewhere = *file == '/' || strncmp(file, "../", 3) == 0 || strstr(file, "/../");
        char *slash = strrchr(file, '/');
        if (!is_elsewhere || !slash || slash == file) {
            continue;
        }
        *slash = '\0';
        char real[PATH_MAX];
        snprintf(path, sizeof path, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/",
                 file);
        if (realpath(path, real) && !is_of_system(real)) {
            add_folder(paths, real, "");
        }
    }
}

static bool is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || (unsigned char)letter > 127 ||
           (letter && strchr("._-~", letter));
}

/* A full stop may be that of a sentence. */
static bool ends_name(const char *at, const char *end)
{
    at += at < end && *at == '.';
    return at == end || !is_of_name(*at);
}

/* A name that only begins or ends like the folder is another one. */
static bool is_at(const char *text, const char *at, const char *end, const char *prefix,
                  size_t length)
{
    static const char scheme[] = "file://";
    bool is_address = (size_t)(at - text) >= strlen(scheme) &&
                      strncmp(at - strlen(scheme), scheme, strlen(scheme)) == 0;
    bool is_begin = is_address || at == text || !(is_of_name(at[-1]) || at[-1] == '/');
    return is_begin && (size_t)(end - at) >= length && strncmp(at, prefix, length) == 0 &&
           ends_name(at + length, end);
}

const char *local_path_find(const struct local_path *paths, const char *text, const char *end,
                            size_t *length, const char **instead)
{
    for (const char *at = text; (at = memchr(at, '/', (size_t)(end - at))); at++) {
        int found = -1;
        for (int i = 0; i < paths->count; i++) {
            bool is_longer = found < 0 || paths->known[i].length > paths->known[found].length;
            if (is_longer && is_at(text, at, end, paths->known[i].prefix, paths->known[i].length)) {
                found = i;
            }
        }
        if (found >= 0) {
            size_t prefix = paths->known[found].length;
            bool has_more = at + prefix < end && at[prefix] == '/';
            bool is_left_out = !*paths->known[found].instead;
            *instead = is_left_out && !has_more ? "." : paths->known[found].instead;
            *length = prefix + (is_left_out && has_more); /* with the slash after it */
            return at;
        }
    }
    return NULL;
}
