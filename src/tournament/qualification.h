/* qualification: which teams have shown that their program can play a game.
 *
 * One definition for pairings, grades and every table: a team is qualified if it has completed at
 * least one game. Games of the tournament count, and those that each team plays against `random`
 * beforehand: the qualification, with each colour once. These give no points. A team that completed
 * neither of them is not paired. docs/tournaments.md has the words for people.
 *
 * Pure, as the tournament is, which hands these games out before all others.
 */
#ifndef TOURNAMENT_QUALIFICATION_H
#define TOURNAMENT_QUALIFICATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "tournament/tournament.h"

/* Whether the player in that place lost the game by a fault of its own. */
bool qualification_is_own_forfeit(const struct tournament_game *game, int place);

/* By team: whether it is qualified. Disqualified teams are not. Returns how many are.
 *
 * To complete a game means: no loss by its own fault, no crash, no malformed or hostile message,
 * and the judge did not have to move for it in more than nine of ten turns. A team that won without
 * a move, because the others failed, qualifies if all its games ended like this. */
int qualification_list(const struct tournament *t, bool *out);

/* Whether a team has failed in its games, of the qualification or the tournament, and made no move
 * in any of them: what was played for it, the judge has played. */
bool qualification_never_moved(const struct tournament *t, int team);

/* Whether the tournament has a qualification: the roster says so, or it has begun. */
bool qualification_is_on(const struct tournament *t);

/* Whether a team has games of the qualification to play. A team that was paired before it could
 * have played them has none, unless it is ordered to play them again. */
bool qualification_is_due(const struct tournament *t, int team);

/* Whether a team has played one of its games, also if it is to play it again. */
bool qualification_has_played(const struct tournament *t, int team);

/* Why a team has failed, in one sentence. */
void qualification_explain(const struct tournament *t, int team, struct note *out);

/* How many games are played. */
int qualification_games(const struct tournament *t);

/* The seed of the games of a phase: those of the qualification must not be those of the first
 * round. */
uint64_t qualification_seed(const struct roster *roster, enum tournament_phase phase);

/* --- For the tournament, and for the store that restores it --- */

/* There is a game for every number, and none to play. */
void qualification_init(struct tournament *t);

/* NULL: there is none with this number. */
struct tournament_game *qualification_find_game(const struct tournament *t, int number);

/* Keeps the sentence about the last fault in a game. */
void qualification_keep_fault(struct tournament *t, int number, const char *why);

/* The games that are due are planned. Returns how many teams have any. */
int qualification_begin(struct tournament *t);

/* The first game to play; NULL: there is none now. */
const struct tournament_game *qualification_find_planned(const struct tournament *t);

/* Finds out which teams have failed, after games were put back and before a round is paired. */
void qualification_settle(struct tournament *t);

#endif
