/* submission_folder: the files of a folder of submissions, grouped by person or team.
 *
 * A zip, another archive, a folder or a source is a submission. Moodle's "download all submissions"
 * puts a prefix before every name, "NAME_1234567_assignsubmission_file_0856701.zip", or makes a
 * folder "NAME_1234567_assignsubmission_file_" for each person; Canvas' files are all called
 * "surnamename_1234_56789_hw.zip", or "surnamename_LATE_…": the prefix is removed, and all files
 * with the same person and number are one submission. Reads names only.
 */
#ifndef COURSE_SUBMISSION_FOLDER_H
#define COURSE_SUBMISSION_FOLDER_H

#include <limits.h>
#include <stddef.h>

#include "base/note.h"

enum { SUBMISSION_PERSON_BYTES = 128 };

/* One file or folder of the submission folder. */
struct submission_part {
    char file[NAME_MAX + 1];
    char name[NAME_MAX + 1]; /* without the platform's prefix; "" if there is nothing else */
};

/* What one person or team submitted. */
struct submission_entry {
    char person[SUBMISSION_PERSON_BYTES]; /* as the platform spells the name; "": not known */
    char participant[32];                 /* the platform's number of the person; "": not known */
    struct submission_part *parts;
    size_t part_count;
};

struct submission_folder {
    struct submission_entry *entries;
    size_t count;
    char (*strays)[NAME_MAX + 1]; /* plain files that belong to no submission */
    size_t stray_count;
};

/* ERR_INPUT: the folder cannot be read, or there is no submission. */
MUST_USE enum err submission_folder_read(const char *folder, struct submission_folder *out,
                                         struct note *why);
void submission_folder_free(struct submission_folder *list);

/* The name of its archive, else of its source, else of its first part; without the platform's
 * prefix. */
const char *submission_entry_name(const struct submission_entry *entry);

#endif
