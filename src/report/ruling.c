#include "report/ruling.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char prefix[] = "note ";
static const char separator[] = " = ";

/* As in a roster. */
static const char *key_name(enum ruling_key key)
{
    static const char *const names[RULING_KEYS] = {"days_late", "plagiarism", "wrong_name",
                                                   "missing_report"};
    return names[key];
}

void ruling_write(enum ruling_key key, int value, char out[RULING_BYTES])
{
    int used = snprintf(out, RULING_BYTES, "%s%s%s", prefix, key_name(key), separator);
    if (key == RULING_DAYS_LATE) {
        snprintf(out + used, RULING_BYTES - (size_t)used, "%d", value);
    } else {
        snprintf(out + used, RULING_BYTES - (size_t)used, "%s", value ? "yes" : "no");
    }
}

/* False: the text is not the value of that key. */
static bool read_value(enum ruling_key key, const char *text, int *out)
{
    int64_t days = 0;
    if (key == RULING_DAYS_LATE) {
        bool is_number = !number_read(text, "days_late", 0, INT_MAX, &days, NULL);
        *out = (int)days;
        return is_number;
    }
    *out = strcmp(text, "yes") == 0;
    return *out || strcmp(text, "no") == 0;
}

static void set(struct roster_team *team, enum ruling_key key, int value)
{
    switch (key) {
    case RULING_DAYS_LATE:
        team->days_late = value;
        break;
    case RULING_PLAGIARISM:
        team->is_plagiarism = value;
        break;
    case RULING_WRONG_NAME:
        team->has_wrong_name = value;
        break;
    case RULING_MISSING_REPORT:
        team->lacks_report = value;
        break;
    case RULING_KEYS:
        break;
    }
}

bool ruling_apply(const char *entry, struct roster_team *team, enum ruling_key *key)
{
    size_t front = strlen(prefix);
    for (int k = 0; strncmp(entry, prefix, front) == 0 && k < RULING_KEYS; k++) {
        const char *name = key_name((enum ruling_key)k);
        const char *rest = entry + front;
        int value = 0;
        if (strncmp(rest, name, strlen(name)) != 0 ||
            strncmp(rest + strlen(name), separator, strlen(separator)) != 0) {
            continue;
        }
        if (!read_value((enum ruling_key)k, rest + strlen(name) + strlen(separator), &value)) {
            return false;
        }
        set(team, (enum ruling_key)k, value);
        *key = (enum ruling_key)k;
        return true;
    }
    return false;
}
