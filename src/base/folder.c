#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
        (void)fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW);
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
    note_set(why, "cannot make a folder in %.100s: %s", parent, strerror(error));
    return ERR_ENVIRONMENT;
}

enum err folder_make(const char *path, mode_t mode, struct note *why)
{
    if (mkdir(path, mode) != 0 && errno != EEXIST) {
        note_set(why, "cannot make the folder %.200s: %s", path, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

enum err folder_scratch_make(struct folder_scratch *scratch, struct note *why)
{
    const char *wish = getenv("TMPDIR");
    const char *name = wish && *wish ? wish : "/tmp";
    char parent[PATH_MAX];
    struct folder_scratch made;
    if (!realpath(name, parent)) {
        return refuse(name, errno, why);
    }
    int length = snprintf(made.path, sizeof made.path, "%s/plum-XXXXXX", parent);
    if (length >= (int)sizeof made.path) {
        return refuse(name, ENAMETOOLONG, why);
    }
    if (!mkdtemp(made.path)) {
        return refuse(name, errno, why);
    }
    *scratch = made;
    return ERR_NONE;
}

void folder_scratch_remove(struct folder_scratch *scratch)
{
    if (*scratch->path) {
        folder_remove(scratch->path);
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
        note_set(why, "cannot enter the folder %.200s: %s", path, strerror(errno));
        return ERR_ENVIRONMENT;
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
        note_set(why, "cannot return to the current folder: %s", strerror(errno));
        err = ERR_ENVIRONMENT;
    }
    if (back >= 0) {
        close(back);
    }
    return err;
}
