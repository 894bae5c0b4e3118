#include "sandbox/violation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *others; /* what the row that counts all others is called */
} kinds[VIOLATION_KINDS] = {
    [VIOLATION_NETWORK] = {"network", "reach other addresses"},
    [VIOLATION_WRITE] = {"write", "write other files"},
    [VIOLATION_READ] = {"read", "read other files"},
    [VIOLATION_SIGNAL] = {"signal", "send other signals"},
    [VIOLATION_PROCESS] = {"process", "look into other processes"},
    [VIOLATION_SYSTEM] = {"system", "use other system calls"},
    [VIOLATION_LIMIT] = {"limit", "use more than it may"},
};

const char *violation_kind_name(enum violation_kind kind) { return kinds[kind].name; }

bool violation_kind_read(const char *name, enum violation_kind *out)
{
    for (enum violation_kind kind = 0; kind < VIOLATION_KINDS; kind++) {
        if (strcmp(name, kinds[kind].name) == 0) {
            *out = kind;
            return true;
        }
    }
    return false;
}

static int find(const struct violation_list *list, enum violation_kind kind, const char *what)
{
    for (int i = 0; i < list->count; i++) {
        if (list->rows[i].kind == kind && strcmp(list->rows[i].what, what) == 0) {
            return i;
        }
    }
    return -1;
}

/* Rows of this kind, without the one for all others. */
static int count_named(const struct violation_list *list, enum violation_kind kind)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        count += list->rows[i].kind == kind && strcmp(list->rows[i].what, kinds[kind].others) != 0;
    }
    return count;
}

int violation_list_add(struct violation_list *list, const struct violation *violation)
{
    enum violation_kind kind = violation->kind;
    const char *what = violation->what;
    int row = find(list, kind, what);
    if (row < 0 && count_named(list, kind) == VIOLATION_NAMED) {
        what = kinds[kind].others;
        row = find(list, kind, what);
    }
    if (row < 0) {
        row = list->count++;
        list->rows[row] = (struct violation){.kind = kind, .first_ms = violation->first_ms};
        snprintf(list->rows[row].what, sizeof list->rows[row].what, "%s", what);
    }
    struct violation *known = &list->rows[row];
    known->count += violation->count;
    known->is_hostile |= violation->is_hostile;
    if (violation->first_ms < known->first_ms) {
        known->first_ms = violation->first_ms;
    }
    return row;
}

void violation_describe(const struct violation *violation, struct note *out)
{
    if (violation->count == 1) {
        note_set(out, "it tried to %s", violation->what);
    } else {
        note_set(out, "it tried to %s, %" PRId64 " times", violation->what, violation->count);
    }
}
