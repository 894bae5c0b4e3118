#include "tournament/team_order.h"

#include <string.h>

static bool is_number(const char *id) { return *id && id[strspn(id, "0123456789")] == '\0'; }

/* Student numbers are longer than any integer type promises to hold. */
static int compare_numbers(const char *id, const char *other)
{
    const char *digits = id + strspn(id, "0");
    const char *other_digits = other + strspn(other, "0");
    size_t length = strlen(digits);
    size_t other_length = strlen(other_digits);
    int order =
        length != other_length ? (length < other_length ? -1 : 1) : strcmp(digits, other_digits);
    return order ? order : strcmp(id, other);
}

int team_order_compare(const char *id, const char *other)
{
    if (is_number(id) != is_number(other)) {
        return is_number(id) ? -1 : 1;
    }
    return is_number(id) ? compare_numbers(id, other) : strverscmp(id, other);
}

void team_order_list(const struct roster *roster, int *out)
{
    for (int team = 0; team < roster->team_count; team++) {
        int at = team;
        while (at > 0 &&
               team_order_compare(roster->teams[team].id, roster->teams[out[at - 1]].id) < 0) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = team;
    }
}
