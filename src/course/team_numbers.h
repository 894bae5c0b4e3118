/* team_numbers: the numbers that a program may use for its team, by its code.
 *
 * What is set in `idTeam`, and for a program that opens state_N.txt and move_N.txt itself what is
 * in these names. Values that the program computes or reads are not known here: `is_open`.
 */
#ifndef COURSE_TEAM_NUMBERS_H
#define COURSE_TEAM_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

enum { TEAM_NUMBERS_MAX = 8 };

/* A zeroed struct has none. */
struct team_numbers {
    int list[TEAM_NUMBERS_MAX]; /* each once, as found; -1: "not set" */
    size_t count;
    bool is_open; /* there may be others, or it is not certain that this is the number */
};

/* Adds those of one source. `code` is it without comments, `bare` also without text in quotes. */
void team_numbers_add(struct team_numbers *numbers, const char *code, const char *bare,
                      bool opens_files);

/* Adds those of `other`. */
void team_numbers_join(struct team_numbers *numbers, const struct team_numbers *other);

bool team_numbers_have(const struct team_numbers *numbers, int number);

/* After all were added: "not set" goes if anything sets it. */
void team_numbers_finish(struct team_numbers *numbers);

/* There is one, and nothing else sets it. */
bool team_numbers_are_certain(const struct team_numbers *numbers);

#endif
