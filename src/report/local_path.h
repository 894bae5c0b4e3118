/* local_path: takes the place of files on this machine out of a text, such as a traceback, that is
 * for people who do not own the machine.
 *
 * The class's folder is left out ("team7/Sample.py") and is "." where it is named alone, and so is
 * the folder of a program that is elsewhere; the home folder becomes "~". Other paths stay: what a
 * program has named itself is evidence.
 */
#ifndef REPORT_LOCAL_PATH_H
#define REPORT_LOCAL_PATH_H

#include <limits.h>
#include <stddef.h>

enum { LOCAL_PATHS = 8 };

struct local_path {
    struct {
        char prefix[PATH_MAX]; /* "": none */
        const char *instead;
        size_t length;
    } known[LOCAL_PATHS];
    int count;
};

/* `folder` is the class's, as it was given or with its links resolved. */
void local_path_init(struct local_path *paths, const char *folder);

/* The folders of the files that a roster names in `words`, such as a player's command, where they
 * are not in the class's folder; as many as there is room for. */
void local_path_add_programs(struct local_path *paths, const char *folder, const char *words);

/* The next place in `text` that has to be left out, before `end`: `*length` bytes, for which
 * `*instead` is written. NULL: there is none. */
const char *local_path_find(const struct local_path *paths, const char *text, const char *end,
                            size_t *length, const char **instead);

#endif
