/* json_tournament: the JSON forms of a tournament, its standings, cross-table, games and byes, and
 * of a match.
 *
 * Command line, web API and report write these with the functions here and nowhere else.
 * web/api/v1/openapi.json describes each form under the name in the comment. Rounds and games
 * count from 1, and a team is known by its id.
 */
#ifndef REPORT_JSON_TOURNAMENT_H
#define REPORT_JSON_TOURNAMENT_H

#include "base/json.h"
#include "base/note.h"
#include "store/store.h"
#include "tournament/match_score.h"
#include "tournament/ranking.h"
#include "tournament/tournament.h"

/* A tournament, and what its teams are called. */
struct json_tournament {
    const struct tournament *tournament;
    const char *const *labels; /* by team, in place of id and name; NULL: as in the roster */
};

const char *json_tournament_team(const struct json_tournament *view, int team); /* its id */

/* The teams in the order of a list: that of the labels, which must not show the order of the
 * roster, or that of the roster. `out` has room for all teams. */
void json_tournament_order(const struct json_tournament *view, int *out);

/* Members of an object: name, game, format, rounds, games_per_pairing, team_count; references if
 * there are any; points and tiebreaks if they are not the course's. */
void json_tournament_plan(struct json *json, const struct roster *roster);

/* Members of an object: those of the plan, played_games, annulled_games, cancelled_games,
 * total_games, over. */
void json_tournament_head(struct json *json, const struct tournament *t);

/* Members of a Standing. */
void json_tournament_standing(struct json *json, const struct json_tournament *view,
                              const struct ranking_row *row, bool is_qualified);

/* A list of Standing, and of CrosstableRow, in the order of `rows`, which has every entrant. */
void json_tournament_standings(struct json *json, const char *name,
                               const struct json_tournament *view, const struct ranking_row *rows);
MUST_USE enum err json_tournament_crosstable(struct json *json, const struct tournament *t,
                                             const struct ranking_row *rows, struct note *why);

/* Points that each entrant made against each other one, by number: [a * slots + b] is what a made
 * against b, with the roster's slot_count; -1 where they have not met. Those of games against
 * references count nowhere else. The caller frees; NULL: out of memory. */
int *json_tournament_cross_points(const struct tournament *t);

/* Members of a TournamentGame. `running_black` is NULL, or for a running game the place in
 * game->team of the team that has Black. */
void json_tournament_game(struct json *json, const struct json_tournament *view,
                          const struct tournament_game *game, const int *running_black);

/* Whether the game has a result, annulled or not. */
bool json_tournament_has_result(const struct tournament_game *game);

/* Which place in game->team has Black, or will have it unless an auction decides. */
int json_tournament_black(const struct tournament_game *game);

/* A list of Bye: of pairings and of cancelled games; all of a team in a round are one. */
MUST_USE enum err json_tournament_byes(struct json *json, const char *name,
                                       const struct json_tournament *view, struct note *why);

/* Violation; only if it `is_whole` with what was tried, which quotes a path that may be anything,
 * and when; else these are null.
 */
void json_tournament_violation(struct json *json, const struct json_tournament *view, int team,
                               const struct violation *violation, bool is_whole);

/* AuditEntry */
void json_tournament_audit(struct json *json, const struct roster *roster,
                           const struct store_audit_entry *entry);

/* Machine */
void json_tournament_machine(struct json *json, const struct store_machine *machine);

/* Match: `names` are the players', clean text; `records` is the JSON list of the records' texts. */
void json_tournament_match(struct json *json, const struct match_score *score,
                           const char *const names[2], const struct violation_list violations[2],
                           const char *records, size_t bytes);

/* What each team showed against random. `shows_why`: sentences may quote what a program sent. With
 * labels there are no moments: the games are played in the order of the roster. */
void json_tournament_qualification(struct json *json, const char *name,
                                   const struct json_tournament *view, bool shows_why);

#endif
