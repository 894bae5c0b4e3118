#include "sandbox/process_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/process_tree.h"

enum { TEXT_BYTES = 4096, KIB = 1024 };

static bool read_text(pid_t pid, const char *name, char out[TEXT_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, out, TEXT_BYTES - 1) : -1;
    if (descriptor >= 0) {
        close(descriptor);
    }
    out[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* The number in a line "NAME:   NUMBER kB", in bytes; 0 if there is none. */
static int64_t find_bytes(const char *text, const char *name)
{
    const char *line = strstr(text, name);
    return line ? strtoll(line + strlen(name), NULL, 10) * KIB : 0;
}

/* All that it can reach without a fault, and what was swapped. Pages that it shares are counted for
 * each process again. */
static int64_t resident_bytes(pid_t pid)
{
    char text[TEXT_BYTES];
    return read_text(pid, "status", text)
               ? find_bytes(text, "\nVmRSS:") + find_bytes(text, "\nVmSwap:")
               : 0;
}

/* Its part of the pages that it shares: exact, but the kernel looks at every page for it. A program
 * that hides this number from us has the other one. */
static int64_t proportional_bytes(pid_t pid)
{
    char text[TEXT_BYTES];
    process_tree_become_owner(pid);
    bool is_known = read_text(pid, "smaps_rollup", text);
    process_tree_become_oneself();
    return is_known ? find_bytes(text, "\nPss:") + find_bytes(text, "\nSwapPss:")
                    : resident_bytes(pid);
}

bool process_memory_exceeds(pid_t root, int64_t limit_bytes)
{
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    int64_t resident = 0;
    int64_t proportional = 0;
    for (int i = 1; i < count; i++) {
        resident += resident_bytes(members[i]);
    }
    for (int i = 1; i < count && resident > limit_bytes; i++) {
        proportional += proportional_bytes(members[i]);
    }
    return proportional > limit_bytes;
}
