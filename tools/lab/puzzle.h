/* puzzle: whether a position has one good move, and which level of the engine finds it.
 *
 * A puzzle is good when its solution is certain. Either every legal move is solved and one alone
 * wins, or the two best moves differ by the margin of the game, and still do so with ten times the
 * nodes. tools/lab/puzzles.c makes the sets of the games with it; a test proves some of them again.
 * It knows nothing of files and pages.
 */
#ifndef LAB_PUZZLE_H
#define LAB_PUZZLE_H

#include <stdbool.h>

#include "engine/engine.h"
#include "game/game.h"

enum {
    PUZZLE_NODES = 40 * 1000, /* of the first search */
    PUZZLE_MORE_NODES = 10 * PUZZLE_NODES,
    PUZZLE_HASH_MB = 2,  /* of the engine: it is cleared before each of many small searches */
    PUZZLE_SEEDS = 3,    /* with each of these a level must find the move */
    PUZZLE_MARGIN = 150, /* in hundredths, where the game has none (game/about.h) */
};

enum puzzle_kind {
    PUZZLE_NONE,      /* not a puzzle */
    PUZZLE_PROVED,    /* solved: only this move wins */
    PUZZLE_CONFIRMED, /* the second best move is worse by the margin */
};

/* "proved" or "confirmed". */
const char *puzzle_kind_name(enum puzzle_kind kind);

/* By how much the second best move must be worse. */
int puzzle_margin(const struct game *game);

/* Whether a search of `nodes` finds the best move better than the second by the margin, and the
 * game neither lost with the best nor won with the second. The engine is cleared first. */
bool puzzle_is_likely(struct engine *engine, const struct game *game, const struct state *state,
                      uint64_t nodes, struct move *best);

/* Whether `move` alone wins: every legal move is solved. */
bool puzzle_is_proved(struct engine *engine, const struct game *game, const struct state *state,
                      const struct move *move);

/* The kind of puzzle that the position is, and the move. */
enum puzzle_kind puzzle_examine(struct engine *engine, const struct game *game,
                                const struct state *state, struct move *best);

/* The lowest level that plays `move` with each of PUZZLE_SEEDS seeds. */
int puzzle_level(struct engine *engine, const struct game *game, const struct state *state,
                 const struct move *move);

#endif
