/* ranking: the order of the teams, and the figure that decides each place.
 *
 * Tournament points come first, then the tie-breaks in the order of the rules, and last a lot drawn
 * from the seed, so that no two teams ever share a place. Every figure is handed out, whether it
 * decided anything or not.
 *
 * Teams are indexes, games a plain array in any order. What an annulled game, a withdrawal or a
 * knockout means is decided by the caller, by the games it lists and by the teams' tiers.
 */
#ifndef TOURNAMENT_RANKING_H
#define TOURNAMENT_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

enum {
    RANKING_MAX_TEAMS = 1000,
    RANKING_NOBODY = -1,
    RANKING_MOST_POINTS = 1000, /* of a game */
};

/* One game that counts. With RANKING_NOBODY as White it is a game of a bye: the points of
 * a bye, with no score, against an opponent with as many points as the team itself. A pairing of
 * two games gives its bye two of these. */
struct ranking_game {
    int team[2]; /* by enum side */
    int score[2];
    enum outcome outcome; /* OUTCOME_ONGOING: counts for nothing; both lost: no points */
    int round;            /* games of one round between the same two are one meeting */
};

/* In the usual order; the greater ranks higher in each of them. */
enum ranking_figure {
    RANKING_POINTS,
    RANKING_WINS,         /* games actually won: byes are not among them */
    RANKING_DIFFERENTIAL, /* own scores minus opponents' scores */
    RANKING_BUCHHOLZ,     /* the points of the opponents, once a meeting, without the least */
    RANKING_SONNEBORN,    /* over all games: the points made times the opponent's points */
    RANKING_DIRECT,       /* points made against those that are equal so far; if it is not among the
                             tie-breaks: in all of them */
    RANKING_LOT,          /* 1 … teams, no two alike */
    RANKING_FIGURES
};

/* The points of a game, and the figures that decide between teams with equal points: a list in the
 * order in which they decide, without points and lot. */
struct ranking_rules {
    int win;
    int draw;
    int loss;
    int bye;
    enum ranking_figure tie_breaks[RANKING_FIGURES];
    int tie_break_count;
    int late_teams; /* the last ones entered later: their lots leave the order of the others */
};

/* The course's: 2, 1, 0 and 2 points; all figures in the order of the enum. */
struct ranking_rules ranking_rules_usual(void);
bool ranking_rules_are_usual(const struct ranking_rules *rules);

/* What a side gets for a game: nothing for one that both lost or that is not over. */
int ranking_points(const struct ranking_rules *rules, enum outcome outcome, enum side side);

/* For a person: "3 points a win, 1 a draw, 0 a loss, 3 a game of a bye; then wins, direct, lot". */
enum { RANKING_RULES_BYTES = 256 };
void ranking_rules_describe(const struct ranking_rules *rules, char out[RANKING_RULES_BYTES]);

struct ranking_row {
    int team;
    int place; /* from 1 */
    int tier;
    int played; /* games, byes not among them */
    int won;
    int drawn;
    int lost;
    int byes; /* games of byes: points, but not games won */
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
MUST_USE enum err ranking_make(int teams, const struct ranking_rules *rules, const int *tiers,
                               const struct ranking_game *games, size_t game_count, uint64_t seed,
                               struct ranking_row *rows, struct note *why);

/* "points", "wins", "differential", "buchholz", "sonneborn-berger", "direct", "lot". */
const char *ranking_figure_name(enum ranking_figure figure);

/* RANKING_FIGURES: none has that name. */
enum ranking_figure ranking_figure_find(const char *name);

#endif
