/* caption: a position in words. */
#ifndef REPORT_CAPTION_H
#define REPORT_CAPTION_H

#include "game/game.h"

enum { CAPTION_BYTES = 96 };

/* "Black to move", "White must pass", "Black wins 5 to 3: all men of one side are home". */
void caption_turn(const struct game *game, const struct state *state, char out[CAPTION_BYTES]);

/* The reasons that the board does not show (judge/game_event.h, and `time` in records of the
 * pages), for any game. "both-WORD" is WORD in a game without a winner. */
extern const struct game_reason caption_losses[];

/* "all men of one side are home", "Black did not start". A reason that is not known stays as it is.
 */
void caption_ending(const struct game *game, enum outcome outcome, const char *reason,
                    char out[CAPTION_BYTES]);

/* "9 men", "1 flag, 5 soldiers, 12 barriers", "no pieces". */
void caption_pieces(const struct game *game, const struct state *state, enum side side,
                    char out[CAPTION_BYTES]);

/* The letter of the text form: X, O, #, F, s, … */
char caption_letter(const struct game *game, struct cell cell);

#endif
