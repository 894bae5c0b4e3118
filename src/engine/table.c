#include "engine/table.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_MB = 1 << 20, AGE_WORTH_PLIES = 8, KEEP_DEEPER_BY = 3 };

enum err table_init(struct table *table, int megabytes, struct note *why)
{
    size_t bytes = (size_t)megabytes * BYTES_PER_MB;
    struct table made = {.count = bytes / sizeof(struct table_line)};
    made.lines = aligned_alloc(sizeof(struct table_line), bytes);
    if (!made.lines) {
        note_set(why, "there is not enough memory for a table of %d MiB", megabytes);
        return ERR_ENVIRONMENT;
    }
    table_clear(&made);
    *table = made;
    return ERR_NONE;
}

void table_free(struct table *table)
{
    free(table->lines);
    *table = (struct table){0};
}

void table_clear(struct table *table)
{
    memset((void *)table->lines, 0, table->count * sizeof *table->lines);
    table->generation = 0;
}

void table_age(struct table *table)
{
    table->generation = (table->generation + 1) % TABLE_GENERATIONS;
}

/* What it costs to lose an entry: its depth, less for every search since it was written. */
static int worth(const struct table *table, uint64_t data)
{
    unsigned written = (unsigned)(data >> 50);
    int age = (int)((table->generation + TABLE_GENERATIONS - written) % TABLE_GENERATIONS);
    return table_unpack(data).depth - AGE_WORTH_PLIES * age;
}

/* A much shallower result about the same position adds nothing, unless it is exact. */
static bool adds_something(const struct table *table, uint64_t old, struct table_entry entry)
{
    return entry.bound == BOUND_EXACT || (unsigned)(old >> 50) != table->generation ||
           entry.depth + KEEP_DEEPER_BY >= table_unpack(old).depth;
}

void table_store(struct table *table, uint64_t key, struct table_entry entry)
{
    struct table_line *line = table_line_of(table, key);
    struct table_slot *victim = NULL;
    int least = 0;
    for (int i = 0; i < TABLE_WAYS; i++) {
        struct table_slot *slot = &line->slots[i];
        uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
        if ((check ^ data) == key && data) {
            if (!adds_something(table, data, entry)) {
                return;
            }
            if (entry.move == TABLE_NO_MOVE) {
                entry.move = table_unpack(data).move;
            }
            victim = slot;
            break;
        }
        if (!victim || worth(table, data) < least) {
            victim = slot;
            least = worth(table, data);
        }
    }
    uint64_t data = table_pack(entry, table->generation);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}
