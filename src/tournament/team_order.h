/* team_order: the order of teams in lists that are no ranking: ids that are numbers by number, then
 * the others by their letters.
 *
 * Pairings and seeds follow the order of the roster, which this does not change.
 */
#ifndef TOURNAMENT_TEAM_ORDER_H
#define TOURNAMENT_TEAM_ORDER_H

#include "tournament/roster.h"

/* As strcmp, for ids: "2" is before "10", and both are before "a2", which is before "a10". */
int team_order_compare(const char *id, const char *other);

/* The teams without the references. `out` has room for ROSTER_MAX_TEAMS. */
void team_order_list(const struct roster *roster, int *out);

#endif
