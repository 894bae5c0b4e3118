#include "course/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "course/source_token.h"

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "no memory to compare the sources");
}

void likeness_free(struct likeness *likeness)
{
    free(likeness->fragments);
    *likeness = (struct likeness){0};
}

void likeness_result_free(struct likeness_result *result)
{
    free(result->pairs);
    free(result->groups);
    free(result->members);
    *result = (struct likeness_result){0};
}

/* --- Fragments --- */

static bool add_fragment(struct likeness *likeness, int program, uint64_t hash)
{
    struct likeness_fragment *list =
        array_reserve(likeness->fragments, &likeness->capacity, likeness->count + 1, sizeof *list);
    if (list) {
        likeness->fragments = list;
        list[likeness->count++] = (struct likeness_fragment){hash, program};
    }
    return list;
}

/* The sum of the tokens times powers of an odd number. */
uint64_t likeness_roll(struct likeness_window *window, uint64_t token)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t oldest_factor = 1;
    for (int i = 0; i < LIKENESS_WINDOW; i++) {
        oldest_factor *= factor;
    }
    uint64_t *slot = &window->tokens[window->count++ % LIKENESS_WINDOW];
    token = hash_word(token);
    window->hash = window->hash * factor + token - *slot * oldest_factor;
    *slot = token;
    return window->hash;
}

enum err likeness_add(struct likeness *likeness, int program, const char *text, bool is_python,
                      struct note *why)
{
    struct likeness_window window = {.count = 0};
    const char *begin = NULL;
    uint64_t token = 0;
    while (source_token_next(&text, is_python, &begin, &token)) {
        uint64_t hash = likeness_roll(&window, token);
        if (window.count >= LIKENESS_WINDOW && !add_fragment(likeness, program, hash)) {
            return refuse_memory(why);
        }
    }
    return ERR_NONE;
}

/* --- Pairs --- */

static int compare_fragments(const void *a, const void *b)
{
    const struct likeness_fragment *x = a;
    const struct likeness_fragment *y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return (x->program > y->program) - (x->program < y->program);
}

void likeness_sort(struct likeness *likeness)
{
    struct likeness_fragment *list = likeness->fragments;
    size_t kept = 0;
    if (likeness->count) {
        qsort(list, likeness->count, sizeof *list, compare_fragments);
    }
    for (size_t i = 0; i < likeness->count; i++) {
        if (i == 0 || compare_fragments(&list[i], &list[kept - 1]) != 0) {
            list[kept++] = list[i];
        }
    }
    likeness->count = kept;
}

bool likeness_is_template(const struct likeness *likeness, uint64_t hash)
{
    const struct likeness_fragment wanted = {hash, LIKENESS_TEMPLATE};
    return likeness->count &&
           bsearch(&wanted, likeness->fragments, likeness->count, sizeof wanted, compare_fragments);
}

double likeness_template_percent(const struct likeness *likeness, const char *text, bool is_python)
{
    struct likeness_window window = {.count = 0};
    const char *begin = NULL;
    uint64_t token = 0;
    size_t known = 0;
    while (source_token_next(&text, is_python, &begin, &token)) {
        uint64_t hash = likeness_roll(&window, token);
        known += window.count >= LIKENESS_WINDOW && likeness_is_template(likeness, hash);
    }
    return window.count < LIKENESS_WINDOW
               ? 0
               : 100.0 * (double)known / (double)(window.count - LIKENESS_WINDOW + 1);
}

/* Programs that are compared with each other. */
struct circle {
    const int *members; /* ascending */
    int count;
    bool without_common; /* what more than half of them have does not count */
    int *place;          /* of each program among the members, or -1 */
};

/* The places of those that have the fragments from `start` to `end`; their number. */
static size_t find_holders(const struct likeness_fragment *list, size_t start, size_t end,
                           const struct circle *circle, int *out)
{
    size_t count = 0;
    for (size_t i = start; i < end; i++) {
        if (circle->place[list[i].program] >= 0) {
            out[count++] = circle->place[list[i].program];
        }
    }
    return count;
}

/* shared[a * count + b] for places a < b; shared[a * count + a]: all own fragments of a. */
static void count_shared(const struct likeness *likeness, const struct circle *circle, int *holders,
                         int *shared)
{
    const struct likeness_fragment *list = likeness->fragments;
    size_t width = (size_t)circle->count;
    size_t end = 0;
    for (size_t start = 0; start < likeness->count; start = end) {
        for (end = start; end < likeness->count && list[end].hash == list[start].hash;) {
            end++;
        }
        if (list[start].program == LIKENESS_TEMPLATE) {
            continue;
        }
        size_t found = find_holders(list, start, end, circle, holders);
        if (circle->without_common && 2 * found > width) {
            continue;
        }
        for (size_t a = 0; a < found; a++) {
            for (size_t b = a; b < found; b++) {
                shared[(size_t)holders[a] * width + (size_t)holders[b]]++;
            }
        }
    }
}

double likeness_percent(const struct likeness_pair *pair)
{
    return 100.0 * pair->shared / pair->smaller;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct likeness_pair *x = a;
    const struct likeness_pair *y = b;
    int64_t left = (int64_t)x->shared * y->smaller;
    int64_t right = (int64_t)y->shared * x->smaller;
    if (left != right) {
        return left > right ? -1 : 1;
    }
    int by_first = (x->program[0] > y->program[0]) - (x->program[0] < y->program[0]);
    return by_first ? by_first : (x->program[1] > y->program[1]) - (x->program[1] < y->program[1]);
}

static bool add_pair(struct likeness_result *result, const struct likeness_pair *pair)
{
    struct likeness_pair *more =
        array_reserve(result->pairs, &result->pair_capacity, result->pair_count + 1, sizeof *more);
    if (more) {
        result->pairs = more;
        more[result->pair_count++] = *pair;
    }
    return more;
}

static enum err add_pairs(const struct circle *circle, const int *shared,
                          struct likeness_result *result, struct note *why)
{
    size_t width = (size_t)circle->count;
    for (size_t a = 0; a < width; a++) {
        for (size_t b = a + 1; b < width; b++) {
            int own[2] = {shared[a * width + a], shared[b * width + b]};
            struct likeness_pair pair = {.program = {circle->members[a], circle->members[b]},
                                         .shared = shared[a * width + b],
                                         .smaller = own[0] < own[1] ? own[0] : own[1],
                                         .larger = own[0] < own[1] ? own[1] : own[0]};
            if (pair.smaller >= LIKENESS_LEAST_OWN &&
                likeness_percent(&pair) >= (double)LIKENESS_LEAST_PERCENT &&
                !add_pair(result, &pair)) {
                return refuse_memory(why);
            }
        }
    }
    return ERR_NONE;
}

/* Adds the pairs of a circle, the largest share first. */
static enum err find_pairs(const struct likeness *likeness, const struct circle *circle,
                           struct likeness_result *result, struct note *why)
{
    size_t width = (size_t)circle->count;
    size_t first = result->pair_count;
    int *shared = calloc(width * width + 1, sizeof *shared);
    int *holders = calloc(width + 1, sizeof *holders);
    enum err err = shared && holders ? ERR_NONE : refuse_memory(why);
    if (!err) {
        count_shared(likeness, circle, holders, shared);
        err = add_pairs(circle, shared, result, why);
    }
    if (!err && result->pair_count > first) {
        qsort(&result->pairs[first], result->pair_count - first, sizeof *result->pairs,
              compare_pairs);
    }
    free(shared);
    free(holders);
    return err;
}

/* --- Groups --- */

static int root_of(int *parent, int program)
{
    while (parent[program] != program) {
        program = parent[program] = parent[parent[program]];
    }
    return program;
}

static bool add_member(struct likeness_result *result, int program)
{
    int *more = array_reserve(result->members, &result->member_capacity, result->member_count + 1,
                              sizeof *more);
    if (more) {
        result->members = more;
        more[result->member_count++] = program;
    }
    return more;
}

/* The group of a pair that is in none yet. */
static enum err add_group(struct likeness_result *result, const struct circle *circle, int *parent,
                          const struct likeness_pair *strongest, int within, struct note *why)
{
    struct likeness_group group = {.within = within,
                                   .first = result->member_count,
                                   .highest = likeness_percent(strongest),
                                   .is_same = true};
    for (int i = 0; i < circle->count; i++) {
        if (root_of(parent, circle->members[i]) == root_of(parent, strongest->program[0])) {
            if (!add_member(result, circle->members[i])) {
                return refuse_memory(why);
            }
            group.count++;
        }
    }
    struct likeness_group *more = array_reserve(result->groups, &result->group_capacity,
                                                (size_t)result->group_count + 1, sizeof *more);
    if (!more) {
        return refuse_memory(why);
    }
    result->groups = more;
    more[result->group_count++] = group;
    return ERR_NONE;
}

/* Programs that a chain of pairs connects are a group. The pairs are those from `first` on. */
static enum err group_pairs(struct likeness_result *result, const struct circle *circle,
                            size_t first, int within, int *parent, struct note *why)
{
    int first_group = result->group_count;
    for (int i = 0; i < circle->count; i++) {
        parent[circle->members[i]] = circle->members[i];
    }
    for (size_t i = first; i < result->pair_count; i++) {
        const int *program = result->pairs[i].program;
        parent[root_of(parent, program[1])] = root_of(parent, program[0]);
    }
    for (size_t i = first; i < result->pair_count; i++) {
        struct likeness_pair *pair = &result->pairs[i];
        int found = first_group;
        while (found < result->group_count &&
               root_of(parent, result->members[result->groups[found].first]) !=
                   root_of(parent, pair->program[0])) {
            found++;
        }
        if (found == result->group_count) {
            enum err err = add_group(result, circle, parent, pair, within, why);
            if (err) {
                return err;
            }
        }
        struct likeness_group *group = &result->groups[found];
        pair->group = found;
        group->lowest = likeness_percent(pair);
        group->is_same &= pair->shared == pair->larger;
    }
    return ERR_NONE;
}

/* The groups of some programs. One that has all members of the group that it is within says nothing
 * new and is left out. */
static enum err find_groups(const struct likeness *likeness, const struct circle *circle,
                            int within, struct likeness_result *result, struct note *why)
{
    size_t first_pair = result->pair_count;
    size_t first_member = result->member_count;
    int first_group = result->group_count;
    int *parent = calloc((size_t)result->programs + 1, sizeof *parent);
    enum err err = parent ? ERR_NONE : refuse_memory(why);
    err = err ? err : find_pairs(likeness, circle, result, why);
    err = err ? err : group_pairs(result, circle, first_pair, within, parent, why);
    if (!err && within >= 0 && result->group_count > first_group &&
        result->groups[first_group].count == circle->count) {
        result->pair_count = first_pair;
        result->member_count = first_member;
        result->group_count = first_group;
    }
    free(parent);
    return err;
}

/* What is alike in a group apart from what most of it has. */
static enum err look_within(const struct likeness *likeness, int group,
                            struct likeness_result *result, int *place, int *members,
                            struct note *why)
{
    const struct likeness_group outer = result->groups[group];
    for (int i = 0; i < result->programs; i++) {
        place[i] = -1;
    }
    for (int i = 0; i < outer.count; i++) {
        members[i] = result->members[outer.first + (size_t)i];
        place[members[i]] = i;
    }
    const struct circle circle = {members, outer.count, true, place};
    return find_groups(likeness, &circle, group, result, why);
}

enum err likeness_find(struct likeness *likeness, int programs, struct likeness_result *out,
                       struct note *why)
{
    struct likeness_result result = {.programs = programs};
    int *place = calloc((size_t)programs + 1, sizeof *place);
    int *members = calloc((size_t)programs + 1, sizeof *members);
    enum err err = place && members ? ERR_NONE : refuse_memory(why);
    likeness_sort(likeness);
    for (int i = 0; !err && i < programs; i++) {
        place[i] = members[i] = i;
    }
    const struct circle all = {members, programs, false, place};
    err = err ? err : find_groups(likeness, &all, -1, &result, why);
    for (int i = 0, count = result.group_count; !err && i < count; i++) {
        if (result.groups[i].count >= LIKENESS_LEAST_AGAIN && !result.groups[i].is_same) {
            err = look_within(likeness, i, &result, place, members, why);
        }
    }
    free(place);
    free(members);
    if (err) {
        likeness_result_free(&result);
        return err;
    }
    *out = result;
    return ERR_NONE;
}
