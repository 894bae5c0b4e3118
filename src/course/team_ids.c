#include "course/team_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* A number below this is one that a course gives to a team; a student's is longer. */
enum { MOST_TEAMS = 10000 };

struct id_assignment {
    const struct team_claims *claims;
    size_t count;
    size_t *at; /* the claim that each is at; past the last: it needs a free id */
    struct team_id *out;
};

void team_claims_add(struct team_claims *claims, const char *id)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (!*id || claims->count == TEAM_IDS_MAX_CLAIMS) {
        return;
    }
    char *claim = claims->ids[claims->count++];
    snprintf(claim, ROSTER_ID_BYTES - 8, "%s", id); /* leaves room for a number */
    for (; *claim; claim++) {
        *claim = strchr(letters, *claim) ? *claim : '_';
    }
}

static const char *current(const struct id_assignment *assignment, size_t index)
{
    size_t at = assignment->at[index];
    return at < assignment->claims[index].count ? assignment->claims[index].ids[at] : "";
}

static size_t evidence(const struct team_claims *claims, const char *id)
{
    size_t same = 0;
    for (size_t i = 0; i < claims->count; i++) {
        same += strcmp(claims->ids[i], id) == 0;
    }
    return same;
}

/* How strong a submission's claim is: by its name, then by the amount and quality of evidence. */
static size_t weight(const struct id_assignment *assignment, size_t index, const char *id)
{
    const struct team_claims *claims = &assignment->claims[index];
    size_t quality = TEAM_IDS_MAX_CLAIMS - assignment->at[index];
    size_t is_exact = strcmp(claims->exact, id) == 0;
    enum { STEP = TEAM_IDS_MAX_CLAIMS + 1 };
    return (is_exact * STEP + evidence(claims, id)) * STEP + quality;
}

/* The submission that gets an id; `count`: none, because several have equally little evidence. */
static size_t owner_of(const struct id_assignment *assignment, const char *id)
{
    size_t owner = assignment->count;
    size_t best = 0;
    bool is_tie = false;
    for (size_t i = 0; i < assignment->count; i++) {
        size_t own = strcmp(current(assignment, i), id) == 0 ? weight(assignment, i, id) : 0;
        is_tie = own == best ? is_tie || own : is_tie && own < best;
        if (own > best) {
            best = own;
            owner = i;
        }
    }
    bool is_sure = owner < assignment->count && (strcmp(assignment->claims[owner].exact, id) == 0 ||
                                                 evidence(&assignment->claims[owner], id) > 1);
    return is_tie && !is_sure ? assignment->count : owner;
}

static bool has_another_claim(const struct id_assignment *assignment, size_t index)
{
    const struct team_claims *claims = &assignment->claims[index];
    for (size_t i = assignment->at[index]; i < claims->count; i++) {
        if (strcmp(claims->ids[i], current(assignment, index)) != 0) {
            return true;
        }
    }
    return false;
}

static void fall_back(struct id_assignment *assignment, size_t index, size_t rival)
{
    const struct team_claims *claims = &assignment->claims[index];
    const char *id = current(assignment, index);
    if (assignment->out[index].rival < 0) {
        assignment->out[index].rival = (int)rival;
    }
    do {
        assignment->at[index]++;
    } while (assignment->at[index] < claims->count &&
             strcmp(claims->ids[assignment->at[index]], id) == 0);
}

/* Another one that claims the same. */
static size_t rival_of(const struct id_assignment *assignment, size_t index)
{
    for (size_t i = 0; i < assignment->count; i++) {
        if (i != index && strcmp(current(assignment, i), current(assignment, index)) == 0) {
            return i;
        }
    }
    return assignment->count;
}

/* All but the owner take their next claim; without an owner, first those that have another one. */
static void settle(struct id_assignment *assignment, const char *id, size_t first, size_t second)
{
    size_t owner = owner_of(assignment, id);
    bool some_can = false;
    for (size_t i = 0; i < assignment->count; i++) {
        some_can |= strcmp(current(assignment, i), id) == 0 && has_another_claim(assignment, i);
    }
    for (size_t i = 0; i < assignment->count; i++) {
        bool must_go =
            owner < assignment->count ? i != owner : !some_can || has_another_claim(assignment, i);
        if (must_go && strcmp(current(assignment, i), id) == 0) {
            fall_back(assignment, i,
                      owner < assignment->count ? owner
                      : i == first              ? second
                                                : first);
        }
    }
}

/* False: every id that is claimed now is claimed once. */
static bool settle_one(struct id_assignment *assignment)
{
    for (size_t i = 0; i < assignment->count; i++) {
        size_t rival = *current(assignment, i) ? rival_of(assignment, i) : assignment->count;
        if (rival < assignment->count) {
            char id[ROSTER_ID_BYTES];
            snprintf(id, sizeof id, "%s", current(assignment, i));
            settle(assignment, id, i, rival);
            return true;
        }
    }
    return false;
}

static bool is_taken(const struct id_assignment *assignment, const char *id)
{
    for (size_t i = 0; i < assignment->count; i++) {
        if (strcmp(assignment->out[i].id, id) == 0) {
            return true;
        }
        for (size_t k = 0; k < assignment->claims[i].count; k++) {
            if (strcmp(assignment->claims[i].ids[k], id) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void assign_free(struct id_assignment *assignment, size_t index, bool are_numbers)
{
    const struct team_claims *claims = &assignment->claims[index];
    int64_t next = are_numbers ? 1 : 2;
    for (size_t i = 0; are_numbers && i < assignment->count; i++) {
        for (size_t k = 0; k < assignment->claims[i].count; k++) {
            int64_t number = 0;
            if (!number_read(assignment->claims[i].ids[k], "team", 0, MOST_TEAMS, &number, NULL) &&
                number >= next) {
                next = number + 1;
            }
        }
    }
    struct team_id *out = &assignment->out[index];
    out->is_free = true;
    for (;; next++) {
        char id[ROSTER_ID_BYTES];
        if (are_numbers) {
            snprintf(id, sizeof id, "%lld", (long long)next);
        } else {
            snprintf(id, sizeof id, "%.20s-%d", claims->count ? claims->ids[0] : "team", (int)next);
        }
        if (!is_taken(assignment, id)) {
            snprintf(out->id, sizeof out->id, "%s", id);
            return;
        }
    }
}

enum err team_ids_assign(const struct team_claims *claims, size_t count, bool are_numbers,
                         struct team_id *out, struct note *why)
{
    struct id_assignment assignment = {claims, count, calloc(count ? count : 1, sizeof(size_t)),
                                       out};
    if (!assignment.at) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct team_id){.rival = -1};
    }
    while (settle_one(&assignment)) {
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(out[i].id, sizeof out[i].id, "%s", current(&assignment, i));
    }
    for (size_t i = 0; i < count; i++) {
        if (!out[i].id[0]) {
            assign_free(&assignment, i, are_numbers);
        }
    }
    free(assignment.at);
    return ERR_NONE;
}
