#include "keyset.h"

#include <stdlib.h>
#include <string.h>

void keyset_add(struct keyset *set, uint64_t key, const char *text)
{
    if (set->count == set->room) {
        set->room = set->room ? 2 * set->room : 1024;
        set->entries = realloc(set->entries, set->room * sizeof set->entries[0]);
    }
    char *copy = strdup(text);
    if (!set->entries || !copy) {
        abort();
    }
    set->entries[set->count++] = (struct keyset_entry){.key = key, .text = copy};
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t first = ((const struct keyset_entry *)a)->key;
    uint64_t second = ((const struct keyset_entry *)b)->key;
    return first < second ? -1 : first > second;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const struct keyset_entry *)a)->text, ((const struct keyset_entry *)b)->text);
}

/* Whether neighbours that are equal in one respect differ in the other. */
static bool find_clash(struct keyset *set, int (*same)(const void *, const void *),
                       int (*other)(const void *, const void *), struct keyset_entry clash[2])
{
    qsort(set->entries, set->count, sizeof set->entries[0], same);
    for (size_t i = 1; i < set->count; i++) {
        const struct keyset_entry *pair = &set->entries[i - 1];
        if (same(&pair[0], &pair[1]) == 0 && other(&pair[0], &pair[1]) != 0) {
            memcpy(clash, pair, 2 * sizeof *pair);
            return true;
        }
    }
    return false;
}

bool keyset_has_clash(struct keyset *set, struct keyset_entry clash[2])
{
    return find_clash(set, compare_keys, compare_texts, clash) ||
           find_clash(set, compare_texts, compare_keys, clash);
}

void keyset_free(struct keyset *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->entries[i].text);
    }
    free(set->entries);
    *set = (struct keyset){0};
}
