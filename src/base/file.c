#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

ssize_t file_read_kernel(const char *path, char *out, size_t room)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, out, room - 1) : -1;
    int error = errno;
    if (descriptor >= 0) {
        close(descriptor);
    }
    out[length > 0 ? length : 0] = '\0';
    errno = error;
    return length;
}

enum err file_refuse(const char *name, int error, struct note *why)
{
    bool is_wrong_name = error == ENOENT || error == ENOTDIR || error == EISDIR;
    note_set(why, "%.100s: %s", name, strerror(error));
    return is_wrong_name ? ERR_INPUT : ERR_ENVIRONMENT;
}

bool file_write(const char *path, const char *mode, const void *bytes, size_t size)
{
    FILE *file = fopen(path, mode);
    bool is_written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}
