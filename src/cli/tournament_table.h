/* tournament_table: standings, cross-table and games of a tournament, for people and programs. */
#ifndef CLI_TOURNAMENT_TABLE_H
#define CLI_TOURNAMENT_TABLE_H

#include <jansson.h>
#include <stdio.h>

#include "base/err.h"
#include "base/note.h"
#include "tournament/tournament.h"

enum { TABLE_ALL = -1 };

/* The first `limit` rows, or all. Below stand the teams that finished no game. */
MUST_USE enum err tournament_table_standings(FILE *out, const struct tournament *t, int limit,
                                             struct note *why);

/* Points that each team made against each other one, best team first. */
MUST_USE enum err tournament_table_cross(FILE *out, const struct tournament *t, struct note *why);

/* The games of one team, or all. */
void tournament_table_games(FILE *out, const struct tournament *t, int team);

/* NULL: no memory. */
json_t *tournament_table_standings_json(const struct tournament *t, const struct ranking_row *rows);
json_t *tournament_table_cross_json(const struct tournament *t, const struct ranking_row *rows);
json_t *tournament_table_games_json(const struct tournament *t, int team);
/* One game, as in that list, with its record. */
json_t *tournament_table_record_json(const struct tournament *t, int game, const char *record);

/* Prints what `make`, one of the first two above, makes of the standings' rows. */
MUST_USE enum err tournament_table_print_json(const struct tournament *t,
                                              json_t *(*make)(const struct tournament *,
                                                              const struct ranking_row *),
                                              struct note *why);

/* Prints as much of a line as fits into so many columns; returns how many it took. */
size_t tournament_table_cut(FILE *out, const char *text, size_t columns);

size_t tournament_table_count(const struct tournament *t, enum tournament_status status);

/* The first round that has games to play, from 1; the last one when there are none. */
int tournament_table_round(const struct tournament *t);

#endif
