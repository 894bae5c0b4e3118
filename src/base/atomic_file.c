#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ATTEMPTS = 100, MIN_STALE_S = 60 };

static enum err refuse(const struct atomic_file *file, int error, struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", file->path, strerror(error));
}

static enum err fail(struct atomic_file *file, int error, struct note *why)
{
    enum err err = refuse(file, error, why);
    atomic_file_discard(file);
    return err;
}

/* A link is followed, so that it still is one afterwards. */
static bool resolve(const char *path, char out[PATH_MAX])
{
    if (realpath(path, out)) {
        return true;
    }
    size_t length = strlen(path);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out, path, length + 1);
    return errno == ENOENT && *path;
}

static bool is_ordinary(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* A hidden file in the target's folder, so that a rename stays within one file system. */
static int open_temporary(struct atomic_file *file, mode_t mode)
{
    const char *slash = strrchr(file->target, '/');
    int folder_length = slash ? (int)(slash + 1 - file->target) : 0;
    int descriptor = -1;
    for (int attempt = 0; descriptor < 0 && attempt < MAX_ATTEMPTS; attempt++) {
        int length = snprintf(file->temporary, sizeof file->temporary, "%.*s.plum-%ld-%d.tmp",
                              folder_length, file->target, (long)getpid(), attempt);
        if (length >= (int)sizeof file->temporary) {
            errno = ENAMETOOLONG;
            return -1;
        }
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno != EEXIST) {
            return -1;
        }
    }
    if (descriptor >= 0) {
        (void)flock(descriptor, LOCK_EX | LOCK_NB); /* for atomic_file_sweep */
    }
    return descriptor;
}

static enum err open_with(struct atomic_file *file, const char *path, mode_t mode, struct note *why)
{
    *file = (struct atomic_file){.path = path};
    if (!resolve(path, file->target)) {
        return refuse(file, errno, why);
    }
    int descriptor = is_ordinary(file->target)
                         ? open_temporary(file, mode)
                         : open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        return refuse(file, errno, why);
    }
    file->stream = fdopen(descriptor, "w");
    if (!file->stream) {
        int error = errno;
        close(descriptor);
        return fail(file, error, why);
    }
    return ERR_NONE;
}

enum err atomic_file_open(struct atomic_file *file, const char *path, struct note *why)
{
    return open_with(file, path, 0666, why);
}

enum err atomic_file_open_private(struct atomic_file *file, const char *path, struct note *why)
{
    return open_with(file, path, 0600, why);
}

static void folder_of(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

/* A new name is on the disk when its folder is. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

enum err atomic_file_commit(struct atomic_file *file, struct note *why)
{
    errno = 0;
    bool is_written = fflush(file->stream) == 0 && !ferror(file->stream);
    if (is_written && *file->temporary) {
        is_written = fsync(fileno(file->stream)) == 0;
    }
    if (!is_written) {
        return fail(file, errno ? errno : EIO, why);
    }
    FILE *stream = file->stream;
    file->stream = NULL;
    if (fclose(stream) != 0 || (*file->temporary && rename(file->temporary, file->target) != 0)) {
        return fail(file, errno, why);
    }
    if (*file->temporary) {
        sync_folder(file->target);
    }
    *file = (struct atomic_file){0};
    return ERR_NONE;
}

void atomic_file_discard(struct atomic_file *file)
{
    if (file->stream) {
        fclose(file->stream);
    }
    if (*file->temporary) {
        unlink(file->temporary);
    }
    *file = (struct atomic_file){0};
}

/* ".plum-123-0.tmp" */
static bool is_temporary(const char *name)
{
    long process = 0;
    int attempt = 0;
    int length = 0;
    /* NOLINTNEXTLINE(cert-err34-c): only the form matters */
    return sscanf(name, ".plum-%ld-%d.tmp%n", &process, &attempt, &length) == 2 && length > 0 &&
           !name[length];
}

static void remove_stale(int folder, const char *name)
{
    struct stat status;
    int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_mtime + MIN_STALE_S < time(NULL) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        unlinkat(folder, name, 0);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void atomic_file_sweep(const char *path)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (is_temporary(entry->d_name)) {
            remove_stale(dirfd(entries), entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
}
