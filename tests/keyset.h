/* keyset: remembers the key of every position seen and tells whether keys and positions
 * correspond one to one. */
#ifndef KEYSET_H
#define KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyset_entry {
    uint64_t key;
    char *text;
};

/* A zeroed struct is an empty set. */
struct keyset {
    struct keyset_entry *entries;
    size_t count;
    size_t room;
};

void keyset_add(struct keyset *set, uint64_t key, const char *text);

/* True when two entries have one key but different texts, or one text but different keys;
 * `clash` shows them, until the set is freed. Reorders the set. */
bool keyset_has_clash(struct keyset *set, struct keyset_entry clash[2]);

void keyset_free(struct keyset *set);

#endif
