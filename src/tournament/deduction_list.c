#include "tournament/deduction_list.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char *const names[DEDUCTIONS] = {
    "late-move",   "runtime-error", "wrong-name", "missing-report",
    "long-report", "day-late",      "plagiarism",
};

const char *deduction_name(enum deduction deduction) { return names[deduction]; }

static int find_name(const char *word)
{
    int at = 0;
    while (at < DEDUCTIONS && strcmp(names[at], word) != 0) {
        at++;
    }
    return at;
}

static enum err refuse_list(const char *text, struct note *why)
{
    char list[DEDUCTION_LIST_BYTES] = "";
    for (int i = 0; i < DEDUCTIONS; i++) {
        note_list(list, sizeof list, "%s", names[i]);
    }
    return note_fail(why, ERR_INPUT,
                     "penalties must be none, or words with a percent from 0 to 100 such as "
                     "late-move 5, day-late 10; not '%.60s'. The words, each at most once: %s",
                     text, list);
}

enum err deduction_list_read(const char *text, double out[DEDUCTIONS], struct note *why)
{
    double percent[DEDUCTIONS] = {0};
    bool is_listed[DEDUCTIONS] = {false};
    char copy[DEDUCTION_LIST_BYTES];
    char *rest = copy;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy) {
        return refuse_list(text, why);
    }
    bool is_none = strcmp(text, "none") == 0;
    for (char *part; !is_none && (part = strsep(&rest, ","));) {
        char word[32];
        char number[32];
        char more[2];
        if (sscanf(part, " %31s %31s %1s", word, number, more) != 2) {
            return refuse_list(text, why);
        }
        int at = find_name(word);
        if (at == DEDUCTIONS || is_listed[at] ||
            number_read_decimal(number, word, 0, 100, &percent[at], NULL)) {
            return refuse_list(text, why);
        }
        is_listed[at] = true;
    }
    memcpy(out, percent, sizeof percent);
    return ERR_NONE;
}

void deduction_list_write(const double percent[DEDUCTIONS], char out[DEDUCTION_LIST_BYTES])
{
    out[0] = '\0';
    for (int i = 0; i < DEDUCTIONS; i++) {
        if (percent[i] > 0) {
            note_list(out, DEDUCTION_LIST_BYTES, "%s %g", names[i], percent[i]);
        }
    }
    if (!out[0]) {
        snprintf(out, DEDUCTION_LIST_BYTES, "none");
    }
}

void deduction_list_of(const struct game *game, double out[DEDUCTIONS])
{
    for (int i = 0; i < DEDUCTIONS; i++) {
        out[i] = game->assignment.percent[i];
    }
    out[DEDUCT_PLAGIARISM] = 100;
}
