/* colour_search: a round after which the colours of all teams can be even in the end, where the
 * look-ahead finds none.
 *
 * A team that leaves or enters between rounds can make rematches, or a team that is two games ahead
 * with a colour, necessary in a later round. This is a plain search over the rounds that are left,
 * by the rules of pairing.h: in each of them the bye goes to a team that had the fewest, the
 * rematches are as few as can be in that round, and no team has a colour three times in a row. It
 * is meant for small fields, where this happens.
 *
 * Teams are known by their position in the ranking.
 */
#ifndef TOURNAMENT_COLOUR_SEARCH_H
#define TOURNAMENT_COLOUR_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tournament/pairing.h"

enum { COLOUR_SEARCH_MAX_TEAMS = 64 };

struct colour_search_team {
    struct pairing_colours colours;
    int byes;
    bool cannot_rest;
    uint16_t meetings[COLOUR_SEARCH_MAX_TEAMS]; /* by opponent */
};

struct colour_search {
    int count; /* teams */
    int games; /* of a pairing */
    struct colour_search_team team[COLOUR_SEARCH_MAX_TEAMS];
};

/* How many games a team may be ahead with a colour. */
struct colour_search_limits {
    int meanwhile; /* or less than before */
    int in_the_end;
};

/* Pairs the next of `rounds` rounds, the first way in the order of preference: the lowest team has
 * the bye; from the top each team meets the one that it met least, among those the highest; from
 * the top each pairing has the colours that pairing_in_order_of_colours() gives. `out` is as that
 * of pairing_swiss().
 *
 * False: there is no such way, or none was found in a limited number of steps; `out` is untouched.
 */
bool colour_search_find(const struct colour_search *start, int rounds,
                        struct colour_search_limits limits, struct pairing *out);

#endif
