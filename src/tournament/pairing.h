/* pairing: the pairings of the next round.
 *
 * Teams are indexes; rounds count from 0. A pairing is all the games that two teams play against
 * each other in a round; the caller decides how many. team[0] comes first in the caller's order
 * (rank, roster), and a pairing with PAIRING_BYE as team[1] is a bye.
 */
#ifndef TOURNAMENT_PAIRING_H
#define TOURNAMENT_PAIRING_H

#include <stddef.h>

#include "base/note.h"
#include "tournament/ranking.h"

enum { PAIRING_BYE = RANKING_NOBODY };

struct pairing {
    int team[2];
};

/* The colours of a team's games so far. They matter where a pairing has an odd number of games. A
 * zeroed struct is a team that has not played. */
struct pairing_colours {
    int ahead; /* games as Black minus games as White */
    int run;   /* the latest games with one colour: 2 as Black twice, -2 as White twice */
};

void pairing_colours_add(struct pairing_colours *colours, enum side side);

/* The team that is Black in the first game comes first: the order with the fewest colours three
 * times in a row, then the more even one, then the one in which team[0], then team[1], changes its
 * colour. `colours` is by team. */
struct pairing pairing_in_order_of_colours(struct pairing teams,
                                           const struct pairing_colours *colours);

/* Whether this colour in the next game is not the third in a row, and the team is then at most
 * `tolerance` games ahead with one, or less than before. */
bool pairing_can_have(struct pairing_colours colours, enum side side, int tolerance);

/* Whether one of them can be Black and the other White. */
bool pairing_do_colours_fit(struct pairing_colours a, struct pairing_colours b, int tolerance);

/* ceil(log2 teams) + 2. */
int pairing_swiss_rounds(int teams);

/* What the pairings of the next round follow from. */
struct pairing_swiss_round {
    const int *ranked; /* the teams that play it, best first; withdrawn teams are not among them */
    int count;
    const struct pairing
        *history; /* every earlier one, including byes and annulled, in any order */
    size_t history_count;
    const bool *cannot_start;              /* by team; NULL: all can */
    const struct pairing_colours *colours; /* by team; NULL: they do not matter */
    int rounds_left;                       /* this one and those after it; for colours only */
    int games;                             /* of a pairing; likewise */
};

/* With an odd count the bye goes to a team that can start, if there is one; among those to one that
 * had the fewest, then to the one that leaves the rest with the fewest rematches, then to the
 * lowest. Then the fewest rematches that
 * can be are made (none, if there is a way), and from the top each team gets the highest opponent
 * it has not met for which this still holds; where it must meet one again, the one it met least.
 *
 * With `colours` the team that is Black in the first game comes first in each of `out`, and teams
 * are kept apart for which there is no good order of colours. The first that is possible decides:
 * 1. there is no rematch, no team is more than one game ahead with a colour or has it three times
 * in a row, and the later rounds can be paired in the same way, or most of them;
 * 2. if 1. does not reach the last round, and a team has left or entered or it does not reach this
 *    one: no team has a colour three times in a row, and all are within one game after the last
 *    round, or after more rounds than 1. reaches; until then within one game, else within two;
 * 3. no team is more than one game ahead, else two, or has a colour three times in a row;
 * 4. colours decide between opponents that a team met equally often.
 * Where all teams have met, a rematch is one of teams that met more often than others. With more
 * than LOOKAHEAD_MAX_TEAMS teams there is no view to the later rounds, and 3. is without a rematch.
 *
 * `out` has room for (count + 1) / 2 and gets that many, from the top table down, the bye last. */
MUST_USE enum err pairing_swiss(const struct pairing_swiss_round *round, struct pairing *out,
                                struct note *why);

/* Every team against every other once; with an odd number one team rests in each round. */
int pairing_round_robin_rounds(int teams);

/* `out` has room for teams / 2. Returns how many pairings that round has. */
int pairing_round_robin(int teams, int round, struct pairing *out);

/* One against all, in one round. `out` has room for teams - 1. Returns how many. */
int pairing_gauntlet(int teams, int challenger, struct pairing *out);

/* How many rounds it takes until one is left. */
int pairing_knockout_rounds(int teams);

/* The first round for the teams in `ranked`, best first: the best can meet the second best only
 * in the final, and if the number is not a power of two the best have a bye in the first round.
 * `out` is in the order of the bracket and has room for `count`. Returns how many. */
int pairing_knockout_first(const int *ranked, int count, struct pairing *out);

/* Any later round, for the winners of the round before in the order of the bracket; their number
 * is even. Returns how many pairings. */
int pairing_knockout_next(const int *winners, int count, struct pairing *out);

/* The team that continues: more points in these games, then more score, then team[0] if
 * `is_first_better`, else team[1] (the better seed). Only the games of this pairing are listed. A
 * bye: team[0]. */
int pairing_knockout_winner(const struct pairing *pairing, const struct ranking_game *games,
                            size_t game_count, bool is_first_better);

#endif
