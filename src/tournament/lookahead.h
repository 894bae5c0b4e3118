/* lookahead: whether the rounds that are left can be paired without a rematch and with even
 * colours.
 *
 * Rounds that are each paired well can leave a small field in which the next one cannot be. So a
 * round is only decided in a way for which the search finds later rounds.
 *
 * Colours are even if no team is ever more than one game ahead with one: in two games that follow
 * each other, the first and second, the third and fourth, and so on, it has both. A team is one
 * ahead, or level. Two that are ahead with the same colour cannot meet. When two level teams meet,
 * either can be Black; the search leaves that open until a later game decides it, so that it tries
 * pairings only, not colours.
 *
 * Results do not matter: they change which of the possible pairings are preferred, and never
 * whether there are any. Teams that leave or enter are not foreseen: see colour_search.h.
 *
 * Teams are known by their position in the ranking.
 */
#ifndef TOURNAMENT_LOOKAHEAD_H
#define TOURNAMENT_LOOKAHEAD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LOOKAHEAD_MAX_TEAMS = 64,
    LOOKAHEAD_MAX_ROUNDS = 16,
    LOOKAHEAD_MAX_STEPS = 1000000, /* of all calls for a round */
    LOOKAHEAD_OPEN = -1,           /* in place of an opponent: not decided */
    LOOKAHEAD_BYE = -2,
};

struct lookahead {
    int count;                              /* teams */
    int rounds;                             /* to be paired: the next one and those after it */
    uint64_t may_meet[LOOKAHEAD_MAX_TEAMS]; /* by team: the set of opponents it may meet, once */
    int ahead[LOOKAHEAD_MAX_TEAMS];         /* games as Black minus games as White: -1, 0, 1 */
    int byes[LOOKAHEAD_MAX_TEAMS]; /* with an odd number one that had the fewest gets the next */
    uint64_t may_rest;             /* the set of teams that can get it */
    int steps;                     /* that all calls may still take */
};

/* The next round, or what is decided of it. */
struct lookahead_round {
    int opponent[LOOKAHEAD_MAX_TEAMS];
    int step[LOOKAHEAD_MAX_TEAMS]; /* 1: Black first; -1: White; 0: not decided, or a bye */
};

/* Completes `decided` in such a way that the later rounds can also be paired. False: there is no
 * such way, or none was found in a limited number of steps; `out` is untouched. */
bool lookahead_find(struct lookahead *lookahead, const struct lookahead_round *decided,
                    struct lookahead_round *out);

#endif
