/* box_programs: the files outside the system folders that a command needs to run.
 *
 * An interpreter may live anywhere: under a home folder, behind a version manager, in a
 * virtual environment. Each word of the command that names a program, and each program
 * named by a script's first line, brings its installation along: the folders bin, lib and
 * their like, never all that lies beside them.
 */
#ifndef PLAYER_BOX_PROGRAMS_H
#define PLAYER_BOX_PROGRAMS_H

#include <stddef.h>

enum { BOX_PROGRAMS_MAX = 64 };

/* A zeroed struct is empty. */
struct box_programs {
    char *paths[BOX_PROGRAMS_MAX + 1]; /* absolute, no two alike, NULL at the end */
    size_t count;
};

/* Programs are looked for in PATH and from `folder` on. Without memory some are not found. */
void box_programs_find(const char *command, const char *folder, const char *path_variable,
                       struct box_programs *out);

void box_programs_free(struct box_programs *programs);

#endif
