/* file: whole files in memory. Files that must never be half written: atomic_file.h. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/note.h"

/* The first `most` bytes of a file with a NUL after them; *size is their number. NULL: it cannot be
 * read, and errno says why. The caller frees. */
char *file_read_head(const char *path, size_t most, size_t *size);

/* The first bytes of a file that the kernel makes, as those in /proc, with a NUL after them; "" if
 * it cannot be read. Allocates nothing. Returns their number; -1: errno says why. */
ssize_t file_read_kernel(const char *path, char *out, size_t room);

/* The file cannot be opened, because of `error`: a wrong name is ERR_INPUT, everything else
 * ERR_ENVIRONMENT. */
MUST_USE enum err file_refuse(const char *name, int error, struct note *why);

/* Writes a file with a `mode` of fopen. False: errno says why, and part of it may be there. */
bool file_write(const char *path, const char *mode, const void *bytes, size_t size);

#endif
