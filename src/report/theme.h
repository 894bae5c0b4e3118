/* theme: mixes the colours of a game's theme, for the terminal and for pictures. */
#ifndef REPORT_THEME_H
#define REPORT_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "game/game.h"

/* The ground under a square: tone, tint of a target region, mark. */
uint32_t theme_ground(const struct game *game, int square, bool is_marked);

/* `percent` of b in a. */
uint32_t theme_blend(uint32_t a, uint32_t b, int percent);

#endif
