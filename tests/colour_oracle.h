/* colour_oracle: whether all teams of a Swiss tournament can end within one game of even colours,
 * by trying everything that the rules allow.
 *
 * In each round that is left the bye is one of a team that had the fewest, the rematches are as few
 * as can be in that round, and no team has a colour three times in a row. The field stays as it is.
 * One game a pairing; all teams can start. For small fields and few rounds.
 */
#ifndef TESTS_COLOUR_ORACLE_H
#define TESTS_COLOUR_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

#include "tournament/pairing.h"

/* `teams` play the next of `rounds` rounds; `history` has all earlier pairings in their order,
 * Black first. */
bool colour_oracle_can_be_even(const int *teams, int count, const struct pairing *history,
                               size_t history_count, int rounds);

#endif
