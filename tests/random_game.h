/* random_game: complete game records with random moves and random faults, as a judge would
 * write them. */
#ifndef TESTS_RANDOM_GAME_H
#define TESTS_RANDOM_GAME_H

#include "base/rng.h"
#include "game/game.h"
#include "judge/record.h"

/* Plays until the board or a fault ends the game. *out is an initialised record. */
void random_game(const struct game *game, struct rng *rng, struct record *out);

#endif
