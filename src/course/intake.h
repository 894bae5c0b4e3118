/* intake: copies what somebody handed in, and takes nothing in it on trust.
 *
 * A file, a folder or a zip (libzip). Only plain files come across, each under its own name below
 * the target folder: no links, no devices, no name that leads out of it, no second file of a name,
 * and no more than the limits below, counted in what is written and not in what a zip claims.
 */
#ifndef COURSE_INTAKE_H
#define COURSE_INTAKE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"

enum {
    INTAKE_MAX_FILES = 2000,
    INTAKE_MAX_DEPTH = 16, /* folders in folders */
    INTAKE_MAX_BYTES = 128 << 20,
};

struct intake_result {
    int files;
    int left_out;
    struct note first_left_out; /* what and why */
};

/* Into `folder`, which exists and is empty. ERR_NEGATIVE: it is damaged, encrypted or too large;
 * the files that came across before that stay. ERR_ENVIRONMENT: it cannot be read, or the copies
 * cannot be written. */
MUST_USE enum err intake_copy(const char *from, const char *folder, struct intake_result *out,
                              struct note *why);

/* By its name. */
bool intake_is_zip(const char *name);

#endif
