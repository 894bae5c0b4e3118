/* engine_support: what the engine's tests share. */
#ifndef ENGINE_SUPPORT_H
#define ENGINE_SUPPORT_H

#include <stdint.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "game/game.h"

/* One thread, a small table. */
struct engine make_engine(void);

/* engine_search without a stop flag and reports of depths. */
struct engine_report search(struct engine *engine, const struct game *game,
                            const struct state *state, struct engine_limits limits);

/* Fails the test unless the move is legal; returns the position after it. */
struct state play(const struct game *game, const struct state *state, const struct move *move);

/* The start after this many random moves, fewer in a game that is over by then; the game is not
 * over. */
struct state random_opening(const struct game *game, struct rng *rng, int plies);

/* Random play until at most that many squares are empty; the game is not over. */
struct state random_end(const struct game *game, struct rng *rng, int empty);

/* A fresh search of a position given as text. */
struct engine_report think(const char *game, const char *position, struct engine_limits limits);

/* The best move's text, "" when the search found none of that name. */
void expect_best_move(const char *game, const char *position, int depth, const char *move);

/* The score says so: won in that many plies; a negative number: lost. */
void expect_decided(const char *game, const char *position, int depth, int plies);

#endif
