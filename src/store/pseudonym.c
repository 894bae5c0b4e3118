#include "store/pseudonym.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void pseudonym_order(const char *text, const struct roster *roster, int *out)
{
    uint64_t secret = hash_bytes(HASH_SEED, text, roster->starter_bytes);
    int teams = roster->starter_count;
    for (int i = teams; i < roster->team_count; i++) {
        out[i] = i;
    }
    for (int i = 0; i < teams; i++) {
        uint64_t own = hash_pair(secret, (uint64_t)i);
        out[i] = 0;
        for (int k = 0; k < teams; k++) {
            uint64_t other = hash_pair(secret, (uint64_t)k);
            out[i] += other < own || (other == own && k < i);
        }
    }
}

void pseudonym_write(int number, char out[PSEUDONYM_BYTES])
{
    char letters[8];
    size_t at = sizeof letters - 1;
    letters[at] = '\0';
    for (number++; number > 0 && at > 0; number = (number - 1) / 26) {
        letters[--at] = (char)('A' + (number - 1) % 26);
    }
    snprintf(out, PSEUDONYM_BYTES, "Team %s", letters + at);
}

enum err pseudonym_apply(const char *text, struct roster *roster, struct tournament *t,
                         struct note *why)
{
    int *order = calloc((size_t)roster->team_count, sizeof *order);
    if (!order) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the pseudonyms");
    }
    pseudonym_order(text, roster, order);
    for (int i = 0; i < roster->team_count; i++) {
        char name[PSEUDONYM_BYTES];
        pseudonym_write(order[i], name);
        struct roster_team team = {.withdrawn_after = roster->teams[i].withdrawn_after,
                                   .entered_after = roster->teams[i].entered_after};
        snprintf(team.id, sizeof team.id, "%s", name);
        snprintf(team.name, sizeof team.name, "%s", name);
        roster->teams[i] = team;
        t->disqualifications[i].reason = (struct note){""};
        memset(t->qualifications[i].last_fault, 0, sizeof t->qualifications[i].last_fault);
    }
    free(roster->students);
    roster->students = NULL;
    roster->student_count = 0;
    free(order);
    return ERR_NONE;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

char *pseudonym_record(const char *record, const char *black, const char *white, const char *round)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    while (*record) {
        size_t length = strcspn(record, "\n");
        length += record[length] == '\n';
        if (black && begins_with(record, "[Black ")) {
            fprintf(out, "[Black \"%s\"]\n", black);
        } else if (white && begins_with(record, "[White ")) {
            fprintf(out, "[White \"%s\"]\n", white);
        } else if (round && begins_with(record, "[Round ")) {
            fprintf(out, "[Round \"%s\"]\n", round);
        } else if (!round || !begins_with(record, "[Seed ")) {
            fwrite(record, 1, length, out);
        }
        record += length;
    }
    fclose(out);
    return text;
}
