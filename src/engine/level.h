/* level: how the weaker opponents are made.
 *
 * A level is a budget of nodes and a rate of second-best moves, so that it plays alike on
 * every machine, fast or slow, and in a browser.
 */
#ifndef ENGINE_LEVEL_H
#define ENGINE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

/* Nodes a move for levels 1…9; UINT64_MAX for the others. */
uint64_t level_nodes(int level);

/* Whether this level plays its second choice here. The same seed and position always err
 * alike. */
bool level_errs(int level, uint64_t seed, uint64_t position_key);

#endif
