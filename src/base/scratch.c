#include "base/scratch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/remove_tree.h"

static enum err refuse(const char *parent, int error, struct note *why)
{
    note_set(why, "cannot make a folder in %.100s: %s", parent, strerror(error));
    return ERR_ENVIRONMENT;
}

enum err scratch_make(struct scratch *scratch, struct note *why)
{
    const char *wish = getenv("TMPDIR");
    const char *name = wish && *wish ? wish : "/tmp";
    char parent[PATH_MAX];
    struct scratch made;
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

void scratch_remove(struct scratch *scratch)
{
    if (*scratch->path) {
        remove_tree(scratch->path);
    }
    *scratch = (struct scratch){0};
}
