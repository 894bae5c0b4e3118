#include "cli/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST_WORD = 31 };

static int least(int a, int b) { return a < b ? a : b; }

/* The fewest single-letter edits that turn a into b (Levenshtein). */
static int distance(const char *a, const char *b)
{
    int rows = (int)strlen(a);
    int columns = (int)strlen(b);
    int cost[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            int replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int shorter = least(cost[i - 1][j], cost[i][j - 1]) + 1;
            cost[i][j] = least(replace, shorter);
        }
    }
    return cost[rows][columns];
}

const char *suggest(const char *typed, const char *const *names)
{
    size_t length = strlen(typed);
    if (length < 2 || length > LONGEST_WORD) {
        return NULL;
    }
    const char *best = NULL;
    int allowed = 1 + (int)length / 3;
    for (; *names; names++) {
        if (strlen(*names) > LONGEST_WORD) {
            continue;
        }
        int d = distance(typed, *names);
        if (d <= allowed) {
            best = *names;
            allowed = d - 1;
        }
    }
    return best;
}
