/* tt: the transposition table, what the search knows about positions, shared by all threads.
 *
 * There are no locks. An entry is two words, the data and the key xored with the
 * data; two threads that write at once may mix their words, and then the key no longer
 * comes out right and the entry is simply not found (Hyatt and Mann, "A lock-less
 * transposition table implementation for parallel search", ICGA Journal 2002).
 *
 * Four entries share a cache line. A new position replaces the least valuable of the
 * four: shallow before deep, and entries of earlier searches before those of this one.
 */
#ifndef ENGINE_TT_H
#define ENGINE_TT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"

enum {
    TT_MAX_MB = 65536,
    TT_MAX_DEPTH = 255,
    TT_GENERATIONS = 64,
    TT_WAYS = 4,
    TT_NO_MOVE = 0xffffff, /* moves have 24 bits */
};

enum tt_bound { TT_NONE, TT_UPPER, TT_LOWER, TT_EXACT };

struct tt_entry {
    uint32_t move;
    int16_t score;
    uint8_t depth;
    uint8_t bound; /* enum tt_bound: how the score relates to the position's value */
};

struct tt_slot {
    _Atomic uint64_t check;
    _Atomic uint64_t data;
};

struct tt_line {
    _Alignas(64) struct tt_slot slots[TT_WAYS];
};

/* A zeroed struct is a table that was not made yet. */
struct tt {
    struct tt_line *lines;
    size_t count;
    unsigned generation;
};

/* Empty, with as many entries as fit into this many MiB. Refused: ERR_ENVIRONMENT. */
MUST_USE enum err tt_init(struct tt *table, int megabytes, struct note *why);
void tt_free(struct tt *table);

/* Forgets everything. */
void tt_clear(struct tt *table);

/* A new search begins: what was found before is worth less now. */
void tt_age(struct tt *table);

static inline struct tt_line *tt_line_of(const struct tt *table, uint64_t key)
{
    return &table->lines[(size_t)((unsigned __int128)key * table->count >> 64)];
}

static inline void tt_prefetch(const struct tt *table, uint64_t key)
{
    __builtin_prefetch(tt_line_of(table, key));
}

static inline uint64_t tt_pack(struct tt_entry entry, unsigned generation)
{
    return (uint64_t)entry.move | (uint64_t)(uint16_t)entry.score << 24 |
           (uint64_t)entry.depth << 40 | (uint64_t)entry.bound << 48 | (uint64_t)generation << 50;
}

static inline struct tt_entry tt_unpack(uint64_t data)
{
    return (struct tt_entry){.move = (uint32_t)(data & 0xffffff),
                             .score = (int16_t)(uint16_t)(data >> 24),
                             .depth = (uint8_t)(data >> 40),
                             .bound = (uint8_t)(data >> 48 & 3)};
}

/* False when the position is unknown; *out is untouched then. */
static inline bool tt_find(const struct tt *table, uint64_t key, struct tt_entry *out)
{
    struct tt_line *line = tt_line_of(table, key);
    for (int i = 0; i < TT_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&line->slots[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&line->slots[i].check, memory_order_relaxed);
        if ((check ^ data) == key && (data >> 48 & 3) != TT_NONE) {
            *out = tt_unpack(data);
            return true;
        }
    }
    return false;
}

/* An entry without a move keeps the move that was known before. */
void tt_store(struct tt *table, uint64_t key, struct tt_entry entry);

#endif
