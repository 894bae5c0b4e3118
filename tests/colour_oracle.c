#include "colour_oracle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEAMS = 16, MAX_GAMES = 64 };

struct field {
    int count;
    int met[MAX_TEAMS][MAX_TEAMS];
    int byes[MAX_TEAMS];
    char colours[MAX_TEAMS][MAX_GAMES]; /* B, W */
};

static bool can_be_even(const struct field *field, int rounds);

static int ahead_of(const char *colours)
{
    int ahead = 0;
    for (; *colours; colours++) {
        ahead += *colours == 'B' ? 1 : -1;
    }
    return ahead;
}

/* False: it is the third in a row, or too much to be even after `later` more games. */
static bool add_colour(char *colours, char colour, int later)
{
    size_t count = strlen(colours);
    bool is_third = count >= 2 && colours[count - 1] == colour && colours[count - 2] == colour;
    assert(count + 1 < MAX_GAMES);
    colours[count] = colour;
    colours[count + 1] = '\0';
    return !is_third && abs(ahead_of(colours)) <= 1 + later;
}

static int first_left(const bool *is_paired, int count)
{
    int first = 0;
    while (first < count && is_paired[first]) {
        first++;
    }
    return first;
}

/* A rematch is one of teams that met more often than others. */
static int fewest_meetings(const struct field *field)
{
    int fewest = MAX_GAMES;
    for (int a = 0; a < field->count; a++) {
        for (int b = 0; b < a; b++) {
            fewest = field->met[a][b] < fewest ? field->met[a][b] : fewest;
        }
    }
    return fewest;
}

/* Whether the rest can be paired with so many rematches, whatever the colours. */
static bool can_pair(const struct field *field, bool *is_paired, int usual, int rematches)
{
    int a = first_left(is_paired, field->count);
    bool can = a == field->count;
    for (int b = a + 1; !can && b < field->count; b++) {
        int left = rematches - (field->met[a][b] > usual);
        if (!is_paired[b] && left >= 0) {
            is_paired[a] = is_paired[b] = true;
            can = can_pair(field, is_paired, usual, left);
            is_paired[a] = is_paired[b] = false;
        }
    }
    return can;
}

/* Pairs the rest in every way with so many rematches. */
static bool try_pairs(const struct field *before, const struct field *after, bool *is_paired,
                      int rematches, int later)
{
    int a = first_left(is_paired, before->count);
    if (a == before->count) {
        return can_be_even(after, later);
    }
    for (int i = 2 * (a + 1); i < 2 * before->count; i++) {
        int b = i / 2;
        int left = rematches - (before->met[a][b] > fewest_meetings(before));
        if (is_paired[b] || left < 0) {
            continue;
        }
        struct field next = *after;
        next.met[a][b]++;
        next.met[b][a]++;
        bool is_allowed = add_colour(next.colours[a], "BW"[i % 2], later);
        is_allowed = add_colour(next.colours[b], "WB"[i % 2], later) && is_allowed;
        is_paired[a] = is_paired[b] = true;
        bool can = is_allowed && try_pairs(before, &next, is_paired, left, later);
        is_paired[a] = is_paired[b] = false;
        if (can) {
            return true;
        }
    }
    return false;
}

/* Every bye, if one is needed, after which the round has so many rematches. */
static bool try_byes(const struct field *field, int rematches, int later, bool *is_possible)
{
    int fewest = MAX_GAMES;
    for (int i = 0; i < field->count; i++) {
        fewest = field->byes[i] < fewest ? field->byes[i] : fewest;
    }
    for (int rest = 0; rest < (field->count % 2 ? field->count : 1); rest++) {
        bool is_paired[MAX_TEAMS] = {false};
        struct field after = *field;
        if (field->count % 2 && field->byes[rest] != fewest) {
            continue;
        }
        is_paired[rest] = field->count % 2;
        after.byes[rest] += field->count % 2;
        if (can_pair(field, is_paired, fewest_meetings(field), rematches)) {
            *is_possible = true;
            if (try_pairs(field, &after, is_paired, rematches, later)) {
                return true;
            }
        }
    }
    return false;
}

static bool can_be_even(const struct field *field, int rounds)
{
    bool can = true;
    for (int i = 0; i < field->count; i++) {
        can = can && abs(ahead_of(field->colours[i])) <= 1 + rounds;
    }
    bool is_possible = !can || rounds == 0;
    for (int rematches = 0; !is_possible; rematches++) {
        can = try_byes(field, rematches, rounds - 1, &is_possible);
    }
    return can;
}

bool colour_oracle_can_be_even(const int *teams, int count, const struct pairing *history,
                               size_t history_count, int rounds)
{
    struct field field = {.count = count};
    assert(count >= 2 && count <= MAX_TEAMS);
    for (size_t i = 0; i < history_count; i++) {
        int at[2] = {-1, -1};
        for (int k = 0; k < count; k++) {
            at[0] = teams[k] == history[i].team[0] ? k : at[0];
            at[1] = teams[k] == history[i].team[1] ? k : at[1];
        }
        for (int place = 0; place < 2; place++) {
            if (at[place] >= 0 && history[i].team[1] == PAIRING_BYE) {
                field.byes[at[place]]++;
            } else if (at[place] >= 0) {
                add_colour(field.colours[at[place]], "BW"[place], 0);
            }
        }
        if (at[0] >= 0 && at[1] >= 0) {
            field.met[at[0]][at[1]]++;
            field.met[at[1]][at[0]]++;
        }
    }
    return can_be_even(&field, rounds);
}
