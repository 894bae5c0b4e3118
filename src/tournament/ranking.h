/* ranking: the order of the teams, and the figure that decides each place.
 *
 * The order: tournament points (2 a win, 1 a draw), games won, score differential; then
 * Buchholz cut-1, Sonneborn-Berger, direct encounter, and a lot drawn from the seed, so that no
 * two teams ever share a place. Every figure is handed out, whether it decided anything or not.
 *
 * Teams are indexes, games a plain array in any order. What an annulled game, a withdrawal or a
 * knockout means is decided by the caller, by the games it lists and by the teams' tiers.
 */
#ifndef TOURNAMENT_RANKING_H
#define TOURNAMENT_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

enum {
    RANKING_MAX_TEAMS = 1000,
    RANKING_NOBODY = -1,
    RANKING_WIN_POINTS = 2,
    RANKING_DRAW_POINTS = 1,
};

/* One game that counts. With RANKING_NOBODY as White it is a game of a bye: the points of
 * a win, with no score, against an opponent with as many points as the team itself. A pairing of
 * two games gives its bye two of these. */
struct ranking_game {
    int team[2]; /* by enum side */
    int score[2];
    enum outcome outcome; /* OUTCOME_ONGOING: counts for nothing; both lost: no points */
    int round;            /* games of one round between the same two are one meeting */
};

/* In the order in which they decide; the greater ranks higher in each of them. */
enum ranking_figure {
    RANKING_POINTS,
    RANKING_WINS,         /* games actually won: byes are not among them */
    RANKING_DIFFERENTIAL, /* own scores minus opponents' scores */
    RANKING_BUCHHOLZ,     /* the points of the opponents, once a meeting, without the least */
    RANKING_SONNEBORN,    /* over all games: the points made times the opponent's points */
    RANKING_DIRECT,       /* points made against those that are equal so far */
    RANKING_LOT,          /* 1 … teams, no two alike */
    RANKING_FIGURES
};

struct ranking_row {
    int team;
    int place; /* from 1 */
    int tier;
    int played; /* games, byes not among them */
    int won;
    int drawn;
    int lost;
    int byes; /* games of byes: the points of a win each, but not games won */
    int64_t scored;
    int64_t conceded;
    int64_t figures[RANKING_FIGURES];
    /* Direct encounter counts only where all that are equal have met each other; else it is 0. */
    bool has_direct;
    /* What put this team below the one above it; RANKING_FIGURES: its tier, or it is the first. */
    enum ranking_figure decided_by;
};

/* `rows` gets one row a team, best first. `tiers` may be NULL; else a team of a higher tier ranks
 * above every team of a lower one: rounds survived in a knockout, -1 for a withdrawn team. */
MUST_USE enum err ranking_make(int teams, const int *tiers, const struct ranking_game *games,
                               size_t game_count, uint64_t seed, struct ranking_row *rows,
                               struct note *why);

/* "points", "wins", "differential", "buchholz", "sonneborn-berger", "direct", "lot". */
const char *ranking_figure_name(enum ranking_figure figure);

#endif
