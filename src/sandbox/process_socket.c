#include "sandbox/process_socket.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/process_tree.h"

enum {
    MAX_PROCESSES = 64,
    MAX_DESCRIPTORS = 2048, /* of all of them in all looks; 0.5 us each */
    MAX_LOOKS = 3,          /* a process that changes its parent may be missed in one */
    LINK_BYTES = 40,
};

static bool has_link(const char *folder, const char *wanted, int *budget)
{
    DIR *descriptors = opendir(folder);
    struct dirent *entry;
    bool is_found = false;
    while (descriptors && !is_found && *budget > 0 && (entry = readdir(descriptors))) {
        char target[LINK_BYTES];
        ssize_t length = readlinkat(dirfd(descriptors), entry->d_name, target, sizeof target);
        --*budget;
        is_found = length == (ssize_t)strlen(wanted) && memcmp(target, wanted, strlen(wanted)) == 0;
    }
    if (descriptors) {
        closedir(descriptors);
    }
    return is_found;
}

static bool holds(pid_t pid, const char *wanted, int *budget)
{
    char folder[32];
    if (*budget <= 0) {
        return false;
    }
    snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
    process_tree_become_owner(pid);
    bool is_found = has_link(folder, wanted, budget);
    process_tree_become_oneself();
    return is_found;
}

bool process_socket_is_held(pid_t root, uint64_t inode)
{
    char wanted[LINK_BYTES];
    bool is_found = false;
    int budget = MAX_DESCRIPTORS;
    snprintf(wanted, sizeof wanted, "socket:[%" PRIu64 "]", inode);
    for (int look = 0; look < MAX_LOOKS && !is_found && budget > 0; look++) {
        pid_t members[MAX_PROCESSES];
        int count = process_tree_list(root, members, MAX_PROCESSES);
        for (int i = 1; i < count && !is_found; i++) { /* the first one is plum's own */
            is_found = holds(members[i], wanted, &budget);
        }
    }
    return is_found;
}
