/* matching: as many disjoint pairs as can be made when only some pairs are allowed.
 *
 * Jack Edmonds, "Paths, trees, and flowers" (1965): from a node without a mate search outwards
 * along alternating paths; an odd cycle met on the way (a blossom) is shrunk into one node; a path
 * that ends at another node without a mate is turned over, which makes one pair more.
 */
#ifndef TOURNAMENT_MATCHING_H
#define TOURNAMENT_MATCHING_H

#include <stdbool.h>

enum {
    MATCHING_MAX_NODES = 1000,
    MATCHING_NONE = -1,
};

/* Copy freely: a copy can be grown without changing the original. */
struct matching {
    int count;
    const bool *is_allowed; /* count × count, symmetric; the caller's */
    bool is_out[MATCHING_MAX_NODES];
    int mate[MATCHING_MAX_NODES]; /* MATCHING_NONE: has none */
};

/* No node is out, and none has a mate. */
void matching_init(struct matching *matching, int count, const bool *is_allowed);

/* This node has no part in what follows; its mate, if any, becomes free. */
void matching_take_out(struct matching *matching, int node);

/* Makes the pairs as many as can be, starting from those there are. Returns how many nodes that
 * are not out have no mate. */
int matching_grow(struct matching *matching);

#endif
