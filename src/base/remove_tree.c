/* A tree may be deeper than any path or stack. So it is not walked: what is in a folder is moved
 * up to the root of the tree, until everything there is empty.
 */
#include "base/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
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

void remove_tree(const char *folder)
{
    struct removal removal = {.root = open_folder(AT_FDCWD, folder)};
    bool goes_on = removal.root >= 0;
    while (goes_on && !is_empty(removal.root)) {
        int again = openat(removal.root, ".", folder_flags);
        goes_on = again >= 0 && for_each(again, &removal, remove_one);
    }
    if (removal.root >= 0) {
        close(removal.root);
        (void)rmdir(folder);
    }
}
