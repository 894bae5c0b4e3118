/* array: arrays that grow.
 *
 * The items, their count and the capacity are the caller's; a zeroed set of them is an empty array.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Makes room for `wanted` items. Returns the array, moved or not; NULL without memory: the old
 * array stays valid then. */
static inline void *array_reserve(void *items, size_t *capacity, size_t wanted, size_t item_bytes)
{
    enum { FIRST_ITEMS = 16 };
    if (items && wanted <= *capacity) {
        return items;
    }
    size_t larger = *capacity ? 2 * *capacity : FIRST_ITEMS;
    larger = larger > wanted ? larger : wanted;
    void *moved = realloc(items, larger * item_bytes);
    if (moved) {
        *capacity = larger;
    }
    return moved;
}

#endif
