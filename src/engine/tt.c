#include "engine/tt.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { BYTES_PER_MB = 1 << 20, AGE_WORTH_PLIES = 8, KEEP_DEEPER_BY = 3 };

/* Entries are read at random, and with pages of 4 KiB most reads also miss the TLB. A kernel that
 * refuses huge pages only makes the table slower. WebAssembly has no madvise. */
static void request_huge_pages(void *memory, size_t bytes)
{
#ifdef __linux__
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skipped = (page - (uintptr_t)memory % page) % page;
    (void)madvise((char *)memory + skipped, bytes - skipped, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

enum err tt_init(struct tt *table, int megabytes, struct note *why)
{
    size_t bytes = (size_t)megabytes * BYTES_PER_MB;
    struct tt made = {.count = bytes / sizeof(struct tt_line)};
    made.lines = aligned_alloc(sizeof(struct tt_line), bytes);
    if (!made.lines) {
        return note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for a table of %d MiB",
                         megabytes);
    }
    request_huge_pages(made.lines, bytes);
    tt_clear(&made);
    *table = made;
    return ERR_NONE;
}

void tt_free(struct tt *table)
{
    free(table->lines);
    *table = (struct tt){0};
}

void tt_clear(struct tt *table)
{
    memset((void *)table->lines, 0, table->count * sizeof *table->lines);
    table->generation = 0;
}

void tt_age(struct tt *table) { table->generation = (table->generation + 1) % TT_GENERATIONS; }

/* What it costs to lose an entry: its depth, less for every search since it was written. */
static int worth(const struct tt *table, uint64_t data)
{
    unsigned written = (unsigned)(data >> 50);
    int age = (int)((table->generation + TT_GENERATIONS - written) % TT_GENERATIONS);
    return tt_unpack(data).depth - AGE_WORTH_PLIES * age;
}

/* A much shallower result about the same position adds nothing, unless it is exact. */
static bool adds_something(const struct tt *table, uint64_t old, struct tt_entry entry)
{
    return entry.bound == TT_EXACT || (unsigned)(old >> 50) != table->generation ||
           entry.depth + KEEP_DEEPER_BY >= tt_unpack(old).depth;
}

void tt_store(struct tt *table, uint64_t key, struct tt_entry entry)
{
    struct tt_line *line = tt_line_of(table, key);
    struct tt_slot *victim = NULL;
    int least = 0;
    for (int i = 0; i < TT_WAYS; i++) {
        struct tt_slot *slot = &line->slots[i];
        uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
        if ((check ^ data) == key && data) {
            if (!adds_something(table, data, entry)) {
                return;
            }
            if (entry.move == TT_NO_MOVE) {
                entry.move = tt_unpack(data).move;
            }
            victim = slot;
            break;
        }
        if (!victim || worth(table, data) < least) {
            victim = slot;
            least = worth(table, data);
        }
    }
    uint64_t data = tt_pack(entry, table->generation);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}
