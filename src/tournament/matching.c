#include "tournament/matching.h"

#include <assert.h>
#include <string.h>

/* One search from one free node. Even nodes are those at an even distance from it. */
struct path_search {
    struct matching *matching;
    bool is_even[MATCHING_MAX_NODES];
    int parent[MATCHING_MAX_NODES]; /* of an odd node, or inside a blossom; else none */
    int base[MATCHING_MAX_NODES];   /* the node that represents its blossom */
    int queue[MATCHING_MAX_NODES];
    int queued;
};

void matching_init(struct matching *matching, int count, const bool *is_allowed)
{
    assert(count >= 0 && count <= MATCHING_MAX_NODES);
    matching->count = count;
    matching->is_allowed = is_allowed;
    for (int i = 0; i < count; i++) {
        matching->is_out[i] = false;
        matching->mate[i] = MATCHING_NONE;
    }
}

void matching_take_out(struct matching *matching, int node)
{
    int mate = matching->mate[node];
    if (mate != MATCHING_NONE) {
        matching->mate[mate] = MATCHING_NONE;
        matching->mate[node] = MATCHING_NONE;
    }
    matching->is_out[node] = true;
}

static void enqueue(struct path_search *search, int node)
{
    if (!search->is_even[node]) {
        search->is_even[node] = true;
        search->queue[search->queued++] = node;
    }
}

/* The next blossom on the way back from an even one to the root, or none. */
static int base_before(const struct path_search *search, int base)
{
    int mate = search->matching->mate[base];
    return mate == MATCHING_NONE ? MATCHING_NONE : search->base[search->parent[mate]];
}

static int common_base(const struct path_search *search, int a, int b)
{
    bool is_passed[MATCHING_MAX_NODES] = {false};
    for (int at = search->base[a]; at != MATCHING_NONE; at = base_before(search, at)) {
        is_passed[at] = true;
    }
    int at = search->base[b];
    while (!is_passed[at]) {
        at = base_before(search, at);
    }
    return at;
}

/* Marks one half of the cycle: from `node` back to `base`, with a way round it to `child`. */
static void mark_half(struct path_search *search, int node, int base, int child,
                      bool *is_in_blossom)
{
    const int *mate = search->matching->mate;
    while (search->base[node] != base) {
        is_in_blossom[search->base[node]] = true;
        is_in_blossom[search->base[mate[node]]] = true;
        search->parent[node] = child;
        child = mate[node];
        node = search->parent[child];
    }
}

static void shrink(struct path_search *search, int a, int b)
{
    bool is_in_blossom[MATCHING_MAX_NODES] = {false};
    int base = common_base(search, a, b);
    mark_half(search, a, base, b, is_in_blossom);
    mark_half(search, b, base, a, is_in_blossom);
    for (int i = 0; i < search->matching->count; i++) {
        if (is_in_blossom[search->base[i]]) {
            search->base[i] = base;
            enqueue(search, i);
        }
    }
}

/* Looks at one edge. True: it ends at a free node, the end of a path. */
static bool follow(struct path_search *search, int from, int to)
{
    const struct matching *m = search->matching;
    if (m->is_out[to] || search->base[from] == search->base[to] || m->mate[from] == to) {
        return false;
    }
    if (search->is_even[to]) {
        shrink(search, from, to);
        return false;
    }
    if (search->parent[to] != MATCHING_NONE) {
        return false;
    }
    search->parent[to] = from;
    if (m->mate[to] == MATCHING_NONE) {
        return true;
    }
    enqueue(search, m->mate[to]);
    return false;
}

/* The free node at the end of a path from the root, or none. */
static int find_path(struct path_search *search, int root)
{
    const struct matching *m = search->matching;
    memset(search->is_even, 0, sizeof search->is_even);
    search->queued = 0;
    for (int i = 0; i < m->count; i++) {
        search->parent[i] = MATCHING_NONE;
        search->base[i] = i;
    }
    enqueue(search, root);
    for (int head = 0; head < search->queued; head++) {
        int from = search->queue[head];
        const bool *is_allowed = m->is_allowed + (long)from * m->count;
        for (int to = 0; to < m->count; to++) {
            if (is_allowed[to] && follow(search, from, to)) {
                return to;
            }
        }
    }
    return MATCHING_NONE;
}

/* Pairs and gaps change places along the path, from its end back to the root. */
static void turn_over(struct path_search *search, int end)
{
    int *mate = search->matching->mate;
    while (end != MATCHING_NONE) {
        int before = search->parent[end];
        int next = mate[before];
        mate[end] = before;
        mate[before] = end;
        end = next;
    }
}

int matching_grow(struct matching *matching)
{
    struct path_search search = {.matching = matching};
    int free_nodes = 0;
    for (int i = 0; i < matching->count; i++) {
        if (matching->is_out[i] || matching->mate[i] != MATCHING_NONE) {
            continue;
        }
        int end = find_path(&search, i);
        if (end == MATCHING_NONE) {
            free_nodes++; /* and it stays free, whatever other paths are turned over */
        } else {
            turn_over(&search, end);
        }
    }
    return free_nodes;
}
