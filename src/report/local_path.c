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
        if (length > 1 && length < PATH_MAX && *path == '/' && !is_known) {
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

/* A name that only begins or ends like the folder is another one. */
static bool is_at(const char *text, const char *at, const char *end, const char *prefix,
                  size_t length)
{
    bool is_begin = at == text || !(isalnum((unsigned char)at[-1]) || strchr("/._-~", at[-1]));
    return is_begin && (size_t)(end - at) > length && strncmp(at, prefix, length) == 0 &&
           at[length] == '/';
}

const char *local_path_find(const struct local_path *paths, const char *text, const char *end,
                            size_t *length, const char **instead)
{
    for (const char *at = text; (at = memchr(at, '/', (size_t)(end - at))); at++) {
        for (int i = 0; i < paths->count; i++) {
            if (is_at(text, at, end, paths->known[i].prefix, paths->known[i].length)) {
                *instead = paths->known[i].instead;
                *length = paths->known[i].length + !**instead; /* with the slash after it */
                return at;
            }
        }
    }
    return NULL;
}
