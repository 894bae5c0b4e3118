/* opinion: what the engine thinks of a position, in words. */
#ifndef CLI_OPINION_H
#define CLI_OPINION_H

#include "engine/engine.h"
#include "game/game.h"

enum { OPINION_BYTES = 64 };

/* "finds the game even", "sees itself 1.2 men behind", "sees that it wins in 9". */
void opinion_write(const struct game *game, const struct engine_report *report,
                   char out[OPINION_BYTES]);

#endif
