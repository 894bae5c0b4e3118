/* check_guess: what a program's author may have got wrong, guessed from one fault.
 *
 * A guess is a question to the author, never a verdict. Pure functions of the fault.
 */
#ifndef APP_CHECK_GUESS_H
#define APP_CHECK_GUESS_H

#include "app/check_trial.h"

/* Leaves `out` empty where nothing fits. */
void check_guess(const struct game *game, enum player_kind kind, const struct check_fault *fault,
                 struct note *out);

#endif
