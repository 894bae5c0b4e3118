/* text: the pieces of position text that games share.
 *
 * A reader walks over a line field by field; every refusal says which field,
 * which row and column, and what was expected there.
 */
#ifndef GAME_TEXT_H
#define GAME_TEXT_H

#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

/* Reads `rows` × `columns` letters of `alphabet` joined by '/', up to the first space
 * or the end. cells[i] becomes the letter's index in the alphabet. *text moves past it. */
MUST_USE enum err text_read_board(const char **text, int rows, int columns, const char *alphabet,
                                  uint8_t *cells, struct note *why);

/* Reads one space and then `b` or `w`. */
MUST_USE enum err text_read_side(const char **text, enum side *out, struct note *why);

/* Reads one space and then a number without sign or leading zero in 0…high. */
MUST_USE enum err text_read_number(const char **text, const char *what, int high, int *out,
                                   struct note *why);

/* Nothing may follow. */
MUST_USE enum err text_read_end(const char *text, struct note *why);

/* Writes the board, a space and the side; returns where the text ends (a NUL is there). */
char *text_write_board(char *out, int rows, int columns, const char *alphabet, const uint8_t *cells,
                       enum side to_move);

/* Writes a space and the number; returns where the text ends. */
char *text_write_number(char *out, int number);

#endif
