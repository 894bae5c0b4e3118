/* table: what the search has found out about positions it has seen, shared by all threads.
 *
 * Nobody locks anything. An entry is two words, the data and the key xored with the
 * data; two threads that write at once may mix their words, and then the key no longer
 * comes out right and the entry is simply not found (Hyatt and Mann, "A lock-less
 * transposition table implementation for parallel search", ICGA Journal 2002).
 *
 * Four entries share a cache line. A new position replaces the least valuable of the
 * four: shallow before deep, and entries of earlier searches before those of this one.
 */
#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

enum {
    TABLE_MAX_MB = 65536,
    TABLE_MAX_DEPTH = 255,
    TABLE_GENERATIONS = 64,
    TABLE_WAYS = 4,
    TABLE_NO_MOVE = 0xffffff, /* moves have 24 bits */
};

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct table_entry {
    uint32_t move;
    int16_t score;
    uint8_t depth;
    uint8_t bound; /* enum bound: how the score relates to the position's value */
};

struct table_slot {
    _Atomic uint64_t check;
    _Atomic uint64_t data;
};

struct table_line {
    _Alignas(64) struct table_slot slots[TABLE_WAYS];
};

/* A zeroed struct is a table that was not made yet. */
struct table {
    struct table_line *lines;
    size_t count;
    unsigned generation;
};

/* Empty, with as many entries as fit into this many MiB. Refused: ERR_ENVIRONMENT. */
MUST_USE enum err table_init(struct table *table, int megabytes, struct note *why);
void table_free(struct table *table);

/* Forgets everything. */
void table_clear(struct table *table);

/* A new search begins: what was found before is worth less now. */
void table_age(struct table *table);

static inline struct table_line *table_line_of(const struct table *table, uint64_t key)
{
    return &table->lines[(size_t)((unsigned __int128)key * table->count >> 64)];
}

static inline void table_prefetch(const struct table *table, uint64_t key)
{
    __builtin_prefetch(table_line_of(table, key));
}

static inline uint64_t table_pack(struct table_entry entry, unsigned generation)
{
    return (uint64_t)entry.move | (uint64_t)(uint16_t)entry.score << 24 |
           (uint64_t)entry.depth << 40 | (uint64_t)entry.bound << 48 | (uint64_t)generation << 50;
}

static inline struct table_entry table_unpack(uint64_t data)
{
    return (struct table_entry){.move = (uint32_t)(data & 0xffffff),
                                .score = (int16_t)(uint16_t)(data >> 24),
                                .depth = (uint8_t)(data >> 40),
                                .bound = (uint8_t)(data >> 48 & 3)};
}

/* False when the position is unknown; *out is untouched then. */
static inline bool table_find(const struct table *table, uint64_t key, struct table_entry *out)
{
    struct table_line *line = table_line_of(table, key);
    for (int i = 0; i < TABLE_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&line->slots[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&line->slots[i].check, memory_order_relaxed);
        if ((check ^ data) == key && (data >> 48 & 3) != BOUND_NONE) {
            *out = table_unpack(data);
            return true;
        }
    }
    return false;
}

/* An entry without a move keeps the move that was known before. */
void table_store(struct table *table, uint64_t key, struct table_entry entry);

#endif
