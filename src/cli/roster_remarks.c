#include "cli/roster_remarks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/tournament_file.h"
#include "course/roster_change.h"

enum { MOST_PRINTED = 10 };

void roster_remarks_problems(const char *path, const struct roster_problems *problems)
{
    for (int i = 0; problems->count > 1 && i < problems->count && i < ROSTER_MAX_PROBLEMS; i++) {
        fprintf(stderr, "%s: %s\n", path, problems->list[i].text);
    }
}

static bool find_name(void *owner, const struct store_audit_entry *entry)
{
    if (strcmp(entry->what, "created") != 0) {
        return true;
    }
    snprintf(owner, NAME_MAX + 1, "%s", entry->reason);
    return false;
}

/* "class.ini" next to where it was; tournaments of older versions do not know its name, but most
 * databases have the same. */
static void find_roster(struct store *store, char out[PATH_MAX])
{
    char name[NAME_MAX + 1] = "";
    struct note ignored;
    if (store_each_audit_entry(store, find_name, name, &ignored) || !*name) {
        const char *path = store_path(store);
        const char *slash = strrchr(path, '/');
        const char *base = slash ? slash + 1 : path;
        const char *dot = strrchr(base, '.');
        snprintf(name, sizeof name, "%.*s.ini", dot ? (int)(dot - base) : (int)strlen(base), base);
    }
    snprintf(out, PATH_MAX, "%s/%s", store_folder(store), name);
}

void roster_remarks_print(struct store *store)
{
    char path[PATH_MAX];
    char *now = NULL;
    size_t bytes = 0;
    struct note lines[MOST_PRINTED];
    struct note ignored;
    find_roster(store, path);
    if (access(path, R_OK) != 0 || tournament_file_read_text(path, &now, &bytes, &ignored)) {
        return;
    }
    size_t count =
        roster_change_list(now, store_roster(store), store_path(store), lines, MOST_PRINTED);
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < count && i < MOST_PRINTED; i++) {
        fprintf(stderr, "%s: %s\n", slash + 1, lines[i].text);
    }
    if (count > MOST_PRINTED) {
        fprintf(stderr, "%s: %zu more lines were edited without effect\n", slash + 1,
                count - MOST_PRINTED);
    }
    free(now);
}
