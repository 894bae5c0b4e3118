/* handed_in: the entries of a folder of submissions, one hand-in for each person or team.
 *
 * A zip, another archive, a folder or a source is a hand-in. Moodle's "download all submissions"
 * puts a prefix before every name, "NAME_1234567_assignsubmission_file_0856701.zip", or makes a
 * folder "NAME_1234567_assignsubmission_file_" for each person: the prefix is taken off, and all
 * entries with the same person and number are one hand-in. Reads names only.
 */
#ifndef COURSE_HANDED_IN_H
#define COURSE_HANDED_IN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/note.h"

enum { HANDED_IN_PERSON_BYTES = 128 };

/* One entry of the folder. */
struct handed_in_part {
    char entry[NAME_MAX + 1];
    char name[NAME_MAX + 1]; /* without the platform's prefix; "" for a folder with nothing else */
};

struct handed_in {
    char person[HANDED_IN_PERSON_BYTES]; /* as the platform spells the name; "": not known */
    char participant[32];                /* the platform's number of the person; "": not known */
    struct handed_in_part *parts;
    size_t part_count;
};

struct handed_in_list {
    struct handed_in *list;
    size_t count;
    char (*strays)[NAME_MAX + 1]; /* plain files that belong to no hand-in */
    size_t stray_count;
};

/* ERR_INPUT: the folder cannot be read, or nothing was handed in. */
MUST_USE enum err handed_in_read(const char *folder, struct handed_in_list *out, struct note *why);
void handed_in_free(struct handed_in_list *list);

/* The name to go by: that of its archive, else of its source, else of its first part; without the
 * platform's prefix. */
const char *handed_in_name(const struct handed_in *hand_in);

#endif
