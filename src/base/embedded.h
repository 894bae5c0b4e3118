/* embedded: the files that are part of the program.
 *
 * The build turns them into C (tools/embed.sh; CMakeLists.txt lists them), so that plum finds
 * them wherever it is installed.
 */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

struct embedded_file {
    const char *name;  /* its path from the project's root: "clients/compat/windows.h" */
    const char *bytes; /* a NUL follows them */
    size_t size;
};

/* Up to the one whose name is NULL. */
extern const struct embedded_file embedded_files[];

/* NULL if there is none of that name. */
static inline const struct embedded_file *embedded_find(const char *name)
{
    const struct embedded_file *file = embedded_files;
    while (file->name && strcmp(file->name, name) != 0) {
        file++;
    }
    return file->name ? file : NULL;
}

#endif
