/* check_summary: what a person reads of a check, in the order and the length that help.
 *
 * What must be fixed comes first, what was not tried is one line, and nothing is said twice.
 */
#ifndef APP_CHECK_SUMMARY_H
#define APP_CHECK_SUMMARY_H

#include "app/check_list.h"

/* "3.2 ms", "1.50 s" */
enum { CHECK_TIME_BYTES = 16 };
const char *check_write_time(int64_t ns, char out[CHECK_TIME_BYTES]);

/* "won 9 to 3 against random", "12 plies against builtin:2, then stopped". */
void check_describe_game(const struct check_trial *trial, const struct check_game *game,
                         struct note *out);

/* The same with its length, its longest move and its faults. */
void check_summary_game(const struct check_trial *trial, const struct check_game *game,
                        struct note *out);

/* "2 more games and a broken connection", "up to 6 more games" */
void check_summary_rest(const struct check_rest *rest, struct note *out);

/* What must be fixed first, then what should be fixed, what is good, and what was not tried. */
void check_summary_sort(struct check_findings *findings);

/* "not tried: team, clock, because the program did not start a game"; "": everything was tried. */
void check_summary_untried(const struct check_findings *findings, struct note *out);

/* Whether the line above has it. */
bool check_summary_is_untried(const struct check_finding *finding);

/* Whether two faults have the same cause, as far as can be seen, in two games. */
bool check_summary_is_same(const struct check_finding *a, const struct check_finding *b);

/* A log that is the same lines again and again, as of a program that was started several times:
 * the length of these lines, and how often they are there. */
size_t check_summary_repeats(const char *log, int *times);

#endif
