/* cores: the processor cores of this machine, and how games share them. */
#ifndef BASE_CORES_H
#define BASE_CORES_H

#include <stdbool.h>

#include "base/note.h"

/* The number of cores that this process may use. */
int cores_count(void);

/* The number of concurrent games that leaves a core to the judge: cores - 1, at least one. */
int cores_default_games(void);

/* Whether players share a core with each other or the judge, in this many games with this many
 * players that need a core. The note then has a sentence for a person; `is_chosen`: the number of
 * games is not the smallest. */
bool cores_are_shared(int slots, int thinkers, bool is_chosen, struct note *sentence);

/* The core of a program: each gets its own while there are enough, with one more for the judge.
 * Else -1: the system distributes them; a program that shares a core with its opponent could use
 * the opponent's time. */
int cores_pick(int slots, int slot, int player);

#endif
