/* engine_solve: the exact end of reversi and othello. */
#ifndef GAMES_REVERSI_ENGINE_SOLVE_H
#define GAMES_REVERSI_ENGINE_SOLVE_H

#include <stdint.h>

#include "base/cpu.h"
#include "base/hash.h"
#include "engine/search.h"
#include "games/reversi/variant.h"

#define reversi_solve CPU_VARIANT(reversi_solve)

/* Entries of the table at least this deep are exact; the empty squares are added to it. */
enum { SOLVE_TABLE_DEPTH = 128 };

/* The key under which search and solver keep a position in the table. */
static inline uint64_t reversi_key(const struct reversi_variant *v, uint64_t own, uint64_t other)
{
    return hash_pair(own, other) ^ v->free_squares;
}

/* The final difference in discs for the side of `own`, which is to move: exact inside
 * alpha…beta, a bound outside. Meaningless when thread->is_stopped afterwards. */
int reversi_solve(struct search_thread *thread, const struct reversi_variant *v, uint64_t own,
                  uint64_t other, int alpha, int beta);

#endif
