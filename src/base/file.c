#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

char *file_read_head(const char *path, size_t most, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    char *bytes = file ? malloc(most + 1) : NULL;
    if (bytes) {
        *size = fread(bytes, 1, most, file);
        bytes[*size] = '\0';
    }
    int error = errno;
    if (bytes && ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    if (file) {
        fclose(file);
    }
    errno = error;
    return bytes;
}

bool file_write(const char *path, const char *mode, const void *bytes, size_t size)
{
    FILE *file = fopen(path, mode);
    bool is_written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}
