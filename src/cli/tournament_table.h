/* tournament_table: standings, cross-table and games of a tournament, for people and programs. */
#ifndef CLI_TOURNAMENT_TABLE_H
#define CLI_TOURNAMENT_TABLE_H

#include <stdio.h>

#include "base/note.h"
#include "tournament/tournament.h"
#include "store/store.h"

enum { TABLE_ALL = -1 };

/* The first `limit` rows, or all. The teams that are not qualified are listed below. */
MUST_USE enum err tournament_table_standings(FILE *out, const struct tournament *t, int limit,
                                             struct note *why);

/* A line with the points and tie-breaks of a roster that has its own, with `before` before it. */
void tournament_table_rules(FILE *out, const char *before, const struct roster *roster);

/* A line for each reference opponent. */
void tournament_table_references(FILE *out, const struct roster *roster);

/* A line for each team whose programs tried what the sandbox refuses, with `before` before the
 * first. */
MUST_USE enum err tournament_table_attempts(FILE *out, const char *before, struct store *store,
                                            const struct roster *roster, struct note *why);

/* What each machine did, with `before` before the first line; nothing if no worker has played. */
MUST_USE enum err tournament_table_machines(FILE *out, const char *before, struct store *store,
                                            struct note *why);

/* Points that each team made against each other one, best team first. */
MUST_USE enum err tournament_table_cross(FILE *out, const struct tournament *t, struct note *why);

/* The games of one team, or all. */
void tournament_table_games(FILE *out, const struct tournament *t, int team);

/* On stdout, a line each: the standings or the cross-table; the games of one team, or all; one game
 * with its record. */
MUST_USE enum err tournament_table_json(const struct tournament *t, bool is_crosstable,
                                        struct note *why);
void tournament_table_games_json(const struct tournament *t, int team);
void tournament_table_record_json(const struct tournament *t, int game, const char *record);

/* On stdout: what each team showed against random, and how many are qualified. */
void tournament_table_qualification(const struct tournament *t);
void tournament_table_qualification_json(const struct tournament *t);

/* A line for each team that has failed, with the reason. */
void tournament_table_failed(FILE *out, const struct tournament *t);

#endif
