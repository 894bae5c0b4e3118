/* svg: a position as a picture in one file.
 *
 * Everything is drawn from the game's cells and zones: no other fonts, files or
 * scripts. It suits light and dark pages, and a screen reader can read its description.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdio.h>

#include "game/game.h"

/* Failed writes show in the stream's error flag. */
void svg_write(FILE *out, const struct game *game, const struct state *state);

/* One piece around the middle of a square from -30 to 30; nothing where there is none. */
void svg_write_piece(FILE *out, const struct game *game, struct cell cell);

#endif
