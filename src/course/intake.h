/* intake: copies a submission and trusts nothing in it.
 *
 * A file, a folder or a zip (libzip). Only plain files come across, each under its own name below
 * the target folder: no links, no devices, no name that leads out of it, no second file of a name,
 * and no more than the limits below, counted in what is written and not in what a zip claims. What
 * operating systems, compilers and editors make of their own accord (.DS_Store, .vs, *.obj) is not
 * copied: a whole project of Visual Studio is often larger than the limits.
 */
#ifndef COURSE_INTAKE_H
#define COURSE_INTAKE_H

#include <stdbool.h>

#include "base/note.h"

enum {
    INTAKE_MAX_FILES = 2000,
    INTAKE_MAX_DEPTH = 16, /* folders in folders */
    INTAKE_MAX_BYTES = 128 << 20,
};

/* Of the zip of a whole class, which contains what each has handed in as it was uploaded. */
enum {
    INTAKE_CLASS_MAX_FILES = 50000,
    INTAKE_CLASS_MAX_MIB = 4096,
    INTAKE_CLASS_MAX_NAME = 1024, /* bytes of a name with its folders */
};

enum { INTAKE_MAX_REASONS = 6 };

/* Files that are made in the copy: a folder of such a name stays out of it. */
#define INTAKE_AGENT "plum-agent"
#define INTAKE_LAUNCHER_SOURCE "# source: " /* in a script that starts it: the path follows */
#define INTAKE_BUILD_LOG "build.log"

struct intake_result {
    int files;
    int left_out;
    struct note reasons[INTAKE_MAX_REASONS]; /* of the first files left out: which, and why */
    int generated;                           /* left out because a system or compiler made it */
    struct note first_generated;             /* its name */
};

/* Into `folder`, which exists. A plain file becomes `as`; NULL: it keeps its name. ERR_NEGATIVE: it
 * is damaged, encrypted or too large; the files that came across before that stay. ERR_ENVIRONMENT:
 * it cannot be read, or the copies cannot be written. */
MUST_USE enum err intake_copy(const char *from, const char *as, const char *folder,
                              struct intake_result *out, struct note *why);

/* Unpacks the zip of all submissions of a class into `folder`, with the limits of a class. Errors
 * as above. */
MUST_USE enum err intake_unpack_class(const char *zip, const char *folder,
                                      struct intake_result *out, struct note *why);

/* A sentence for each file that was left out, and for all that are not in the list. "left out"
 * may be followed by `of_what`. */
void intake_describe(const struct intake_result *result, const char *of_what, void *owner,
                     void (*say)(void *owner, const char *sentence));

/* By its name. */
bool intake_is_zip(const char *name);

#endif
