/* rules_support: claims about a game's rules, made in the text forms of positions and moves.
 *
 * Every claim is checked on each processor level this machine can run, and fails
 * the running cmocka test with the game, the level and the position.
 */
#ifndef TESTS_RULES_SUPPORT_H
#define TESTS_RULES_SUPPORT_H

#include <stdbool.h>

#include "base/cpu.h"
#include "game/game.h"

/* The named game at this level; an unknown name fails the test. */
const struct game *find_game(enum cpu_level level, const char *name);

/* A position that must be readable. */
struct state read_state(const struct game *game, const char *position);

/* Whether the text has `word` in it, in any mixture of upper and lower case. */
bool mentions(const char *text, const char *word);

/* Fails the test unless the note reads like a sentence and mentions each of the
 * blank-separated words. `claim` is printed when it does not. */
void expect_note(const struct note *note, const char *words, const char *claim);

/* The moves, separated by blanks, lead from one position to the other. The state reached
 * must also have the bytes and the key of the position as it is read. */
void expect_play(const char *game, const char *from, const char *moves, const char *to);

/* The move is a clear "no" whose note mentions the words; the state stays as it was. */
void expect_refused(const char *game, const char *position, const char *move, const char *words);

/* As above, for a move that no text can express. */
void expect_bytes_refused(const char *game, const char *position, const struct move *move);

/* The whole list of legal moves, separated by blanks, in its order. */
void expect_moves(const char *game, const char *position, const char *moves);

/* Whether the move is among the legal moves as they are listed. */
void expect_listed(const char *game, const char *position, const char *move);
void expect_unlisted(const char *game, const char *position, const char *move);

/* "ongoing", or "black", "white", "draw" and both scores. A finished game has a reason,
 * no move is listed and none accepted. */
void expect_result(const char *game, const char *position, const char *result);

/* The word for how the game ended. */
void expect_reason(const char *game, const char *position, const char *reason);

#endif
