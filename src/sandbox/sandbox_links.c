#include "sandbox/sandbox_links.h"

#include <errno.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"

bool sandbox_links_make(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries) {
        return !err_is_shortage(errno);
    }
    struct dirent *entry = NULL;
    while ((entry = readdir(entries))) {
        char target[PATH_MAX];
        int length = snprintf(target, sizeof target, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof target ||
            symlink(target, entry->d_name) != 0) {
            continue;
        }
    }
    closedir(entries);
    return true;
}
