#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct removal {
    int root;
    uint64_t moved; /* things so far, for new names */
};

static bool is_self(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* Calls `act` for everything in the folder, which is taken over; returns whether all went well. */
static bool for_each(int folder, struct removal *removal,
                     bool (*act)(struct removal *, int folder, const char *name))
{
    DIR *entries = fdopendir(folder);
    struct dirent *entry = NULL;
    bool is_done = entries;
    if (!entries) {
        close(folder);
    }
    while (entries && (entry = readdir(entries))) {
        is_done = (is_self(entry->d_name) || act(removal, folder, entry->d_name)) && is_done;
    }
    if (entries) {
        closedir(entries);
    }
    return is_done;
}

/* Opens a folder even if its mode forbids that. */
static int open_folder(int parent, const char *name)
{
    int folder = openat(parent, name, folder_flags);
    if (folder < 0 && errno == EACCES) {
        (void)!fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW);
        folder = openat(parent, name, folder_flags);
    }
    if (folder >= 0) {
        (void)fchmod(folder, 0700);
    }
    return folder;
}

static bool move_up(struct removal *removal, int folder, const char *name)
{
    char new_name[32];
    snprintf(new_name, sizeof new_name, ".up%llu", (unsigned long long)removal->moved++);
    if (unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0) {
        return true;
    }
    /* A folder that its owner may not write to cannot be moved either. */
    int moving = open_folder(folder, name);
    if (moving >= 0) {
        close(moving);
    }
    return renameat(folder, name, removal->root, new_name) == 0;
}

static bool remove_one(struct removal *removal, int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0) {
        return true;
    }
    int inner = open_folder(folder, name);
    return inner >= 0 && for_each(inner, removal, move_up) &&
           unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

static bool is_empty(int folder)
{
    int again = openat(folder, ".", folder_flags);
    DIR *entries = again < 0 ? NULL : fdopendir(again);
    struct dirent *entry = NULL;
    while (entries && (entry = readdir(entries)) && is_self(entry->d_name)) {
    }
    if (entries) {
        closedir(entries);
    }
    return !entry;
}

static enum err refuse(const char *parent, int error, struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "cannot make a folder in %.100s: %s", parent,
                     strerror(error));
}

enum err folder_make(const char *path, mode_t mode, struct note *why)
{
    if (mkdir(path, mode) != 0 && errno != EEXIST) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot make the folder %.200s: %s", path,
                         strerror(errno));
    }
    return ERR_NONE;
}

/* True if the name still leads to the open folder. */
static bool is_in_place(int folder, const char *path)
{
    struct stat opened;
    struct stat named;
    return fstat(folder, &opened) == 0 && lstat(path, &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

enum err folder_scratch_make_in(struct folder_scratch *scratch, const char *parent, pid_t process,
                                struct note *why)
{
    struct folder_scratch made;
    for (;;) {
        int length =
            snprintf(made.path, sizeof made.path, "%s/plum-%ld-XXXXXX", parent, (long)process);
        if (length >= (int)sizeof made.path) {
            return refuse(parent, ENAMETOOLONG, why);
        }
        if (!mkdtemp(made.path)) {
            return refuse(parent, errno, why);
        }
        made.lock = open(made.path, folder_flags);
        if (made.lock < 0 && errno != ENOENT) {
            int error = errno;
            (void)rmdir(made.path);
            return refuse(parent, error, why);
        }
        /* A sweep may have found it before it was locked. */
        if (made.lock >= 0 && flock(made.lock, LOCK_EX) == 0 && is_in_place(made.lock, made.path)) {
            *scratch = made;
            return ERR_NONE;
        }
        if (made.lock >= 0) {
            close(made.lock);
        }
    }
}

enum err folder_scratch_make(struct folder_scratch *scratch, struct note *why)
{
    const char *wish = getenv("TMPDIR");
    const char *name = wish && *wish ? wish : "/tmp";
    char parent[PATH_MAX];
    if (!realpath(name, parent)) {
        return refuse(name, errno, why);
    }
    folder_scratch_sweep(parent);
    return folder_scratch_make_in(scratch, parent, getpid(), why);
}

bool folder_is_scratch(const char *name)
{
    enum { RANDOM_LETTERS = 6 };
    static const char start[] = "plum-";
    if (strncmp(name, start, strlen(start)) != 0) {
        return false;
    }
    size_t digits = strspn(name + strlen(start), "0123456789");
    const char *rest = name + strlen(start) + digits;
    return digits && *rest == '-' && strlen(rest) == RANDOM_LETTERS + 1;
}

void folder_scratch_sweep(const char *parent)
{
    DIR *entries = opendir(parent);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        int folder = folder_is_scratch(entry->d_name)
                         ? openat(dirfd(entries), entry->d_name, folder_flags)
                         : -1;
        if (folder >= 0 && fstat(folder, &status) == 0 &&
            (status.st_uid == geteuid() || geteuid() == 0) &&
            flock(folder, LOCK_EX | LOCK_NB) == 0) {
            char path[PATH_MAX];
            if (snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < (int)sizeof path) {
                folder_remove(path);
            }
        }
        if (folder >= 0) {
            close(folder);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

void folder_scratch_remove(struct folder_scratch *scratch)
{
    if (*scratch->path) {
        folder_remove(scratch->path);
        close(scratch->lock);
    }
    *scratch = (struct folder_scratch){0};
}

/* A tree may be deeper than any path or stack. So it is not walked: what is in a folder is moved
 * up to the root of the tree, until everything there is empty. */
void folder_remove(const char *path)
{
    struct removal removal = {.root = open_folder(AT_FDCWD, path)};
    bool is_progressing = removal.root >= 0;
    while (is_progressing && !is_empty(removal.root)) {
        int again = openat(removal.root, ".", folder_flags);
        is_progressing = again >= 0 && for_each(again, &removal, remove_one);
    }
    if (removal.root >= 0) {
        close(removal.root);
        (void)rmdir(path);
    }
}

enum err folder_enter(const char *path, int *back, struct note *why)
{
    *back = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*back < 0 || chdir(path)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot enter the folder %.200s: %s", path,
                         strerror(errno));
    }
    return ERR_NONE;
}

enum err folder_enter_of(const char *file, int *back, struct note *why)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", file);
    return folder_enter(dirname(copy), back, why);
}

enum err folder_return(int back, enum err err, struct note *why)
{
    if (back >= 0 && fchdir(back) && !err) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot return to the current folder: %s",
                        strerror(errno));
    }
    if (back >= 0) {
        close(back);
    }
    return err;
}
