/* tournament: which games there are, which come next, and the standings.
 *
 * A state machine without clock, file or socket. Its state is the roster, the pairings made so far
 * and the results of their games. What is played next follows from these alone, so a tournament
 * that was stopped continues when they are restored. Events go to a sink.
 *
 * Games are numbered from 0 in the order of their pairings. If a round's pairings depend on results
 * (swiss, knockout), they are made when the round before is complete. They do not change when a
 * game is annulled or played again later. A team that entered later plays from the next swiss round
 * on; in a round robin or gauntlet the games that it lacks are one more round. A game's seed
 * depends on the roster's seed and the game's number only.
 *
 * Long because it has the questions that commands, reports and the web server ask about one.
 */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"
#include "tournament/finished_game.h"
#include "tournament/pairing.h"
#include "tournament/ranking.h"
#include "tournament/roster.h"

enum {
    TOURNAMENT_RANDOM = -1, /* in place of a team: the player that teams qualify against */
    QUALIFICATION_GAMES = 2,
};

enum tournament_phase {
    PHASE_ROUNDS,        /* the games that count */
    PHASE_QUALIFICATION, /* before them, against random: tournament/qualification.h */
};

enum tournament_status {
    GAME_PLANNED,   /* still to be played */
    GAME_TAKEN,     /* handed out by tournament_next, no result yet */
    GAME_PLAYED,    /* it counts */
    GAME_ANNULLED,  /* it counts for neither team and is not played again */
    GAME_CANCELLED, /* not played because a team withdrew: the other team's bye */
};

struct tournament_game {
    enum tournament_phase phase;
    int number;  /* from 0, in its phase */
    int attempt; /* 0; one more each time it was ordered to be played again */
    int round;   /* from 0 */
    int pairing; /* index into the tournament's pairings; of the qualification: the team */
    int team[2]; /* as the pairing lists them */
    enum tournament_status status;
    bool is_voided; /* annulled, because a team of it is disqualified */

    /* Its players are the teams. Before it was played it has the colours that they get, unless an
     * auction gives them. The rest is meaningful when it was played, also if it was annulled
     * afterwards. */
    struct game_summary summary;
    int64_t started_ms; /* since 1970 */
    int64_t ended_ms;
};

/* All games of two teams in one round, or a team's bye: teams.team[1] is PAIRING_BYE. */
struct tournament_pairing {
    int round;
    struct pairing teams;
    int first_game; /* its number */
    int games;      /* 0: a bye */
};

/* A team's games against random, in the first as Black: tournament/qualification.h. They are
 * cancelled until qualification_begin; their numbers count from 0 over all teams. */
struct qualification {
    struct tournament_pairing pairing;
    struct tournament_game games[QUALIFICATION_GAMES];
    struct note last_fault[QUALIFICATION_GAMES]; /* a sentence about the last one in each; or "" */
    bool has_failed; /* all are played, and the team is not qualified: it is not paired */
};

/* A piece of work: consecutive games of one pairing. */
struct tournament_work {
    enum tournament_phase phase;
    int pairing; /* of the qualification: the team */
    int round;
    int team[2];
    int first_game; /* number of the pairing's first game */
    int from;       /* play these of the pairing's games: from … to - 1 */
    int to;
};

/* A team that is out of the ranking. */
struct disqualification {
    bool is_set;
    bool keeps_games; /* its finished games count for its opponents */
    struct note reason;
};

/* What becomes of the finished games of a disqualified team. */
enum disqualified_games {
    DISQUALIFIED_GAMES_BY_ROSTER, /* its disqualified_games */
    DISQUALIFIED_GAMES_VOID,
    DISQUALIFIED_GAMES_KEEP,
};

/* Any function may be NULL. */
struct tournament_sink {
    void *owner;
    /* These pairings were made: `count` of them from t->pairings[first] on. */
    void (*on_round)(void *owner, int round, size_t first, size_t count);
    /* The games of the qualification that were due are finished: it is known who has failed. */
    void (*on_qualified)(void *owner);
};

/* A zeroed struct is empty. Read it, but change it through the functions only. */
struct tournament {
    const struct roster *roster; /* outlives it */
    struct tournament_sink sink;
    int *withdrawn_after;                       /* by team; -1: not withdrawn */
    struct disqualification *disqualifications; /* by team */
    bool *is_absent; /* by team: it is known that there is no program to start */
    struct qualification *qualifications; /* by team */
    bool is_qualification_begun;          /* perhaps no game of it is finished yet */
    struct tournament_pairing *pairings;
    size_t pairing_count;
    size_t pairing_capacity;
    struct tournament_game *games; /* by number */
    size_t game_count;
    size_t game_capacity;
    size_t next_game;         /* none before it is planned */
    size_t open_games;        /* planned or taken */
    size_t qualifying_games;  /* the same of the qualification: they come before all others */
    int rounds_paired;        /* rounds whose pairings are made */
    bool has_reference_games; /* their pairings are made, as far as teams play */
};

MUST_USE enum err tournament_init(struct tournament *t, const struct roster *roster,
                                  const struct tournament_sink *sink, struct note *why);
void tournament_free(struct tournament *t);

/* Restoring what was stored; the sink gets no events. */
MUST_USE enum err tournament_restore_pairing(struct tournament *t, int round,
                                             const struct pairing *teams, struct note *why);
/* A game that is to be played again has no result, but its number and attempt. ERR_INPUT: there is
 * no such game. */
MUST_USE enum err tournament_restore_game(struct tournament *t, const struct tournament_game *game,
                                          struct note *why);
/* It plays no game of round `rounds` or later; from ROSTER_MAX_ROUNDS on it plays all, also if the
 * roster has withdrawn it: then before its pairings are restored. Games that it played nevertheless
 * are restored after this call. */
void tournament_restore_withdrawal(struct tournament *t, int team, int rounds);

/* ERR_NEGATIVE: the team has not withdrawn; or the bracket of a knockout continued without it. */
MUST_USE enum err tournament_refuse_rejoin(const struct tournament *t, int team, struct note *why);

/* How many games are cancelled only because this team has withdrawn. */
int tournament_cancelled_by(const struct tournament *t, int team);

/* The team leaves the ranking and plays no more games. Its finished games are annulled, unless they
 * are kept. To be called again after games were restored. */
void tournament_restore_disqualification(struct tournament *t, int team,
                                         enum disqualified_games games, const char *reason);

/* Whether the team has no program that could be started. At first that is what the roster says. */
void tournament_set_absent(struct tournament *t, int team, bool is_absent);

/* NULL: there is none with this number. */
struct tournament_game *tournament_find_game(const struct tournament *t,
                                             enum tournament_phase phase, int number);

/* Makes the pairings that can be made by now: none while there are qualifying games. */
MUST_USE enum err tournament_plan(struct tournament *t, struct note *why);

/* The next piece of work, whose games are then taken; false: there is none now. The
 * qualification comes first. */
bool tournament_next(struct tournament *t, struct tournament_work *out);

/* Takes this piece of work, as tournament_next would; false: there is no such work now, or not all
 * of its games are planned. */
bool tournament_take(struct tournament *t, const struct tournament_work *work);

/* Its taken games are planned again. */
void tournament_untake(struct tournament *t, const struct tournament_work *work);

/* A game of that work is over: what is to be stored of it. Of the qualification its last fault is
 * kept; else it changes nothing before it is stored. */
struct tournament_game tournament_note_result(struct tournament *t,
                                              const struct tournament_work *work,
                                              const struct finished_game *finished,
                                              int64_t ended_ms);

/* A taken game is over and safely stored. Its number, attempt and teams are those it was given. */
void tournament_finish_game(struct tournament *t, const struct tournament_game *game);

/* How many games have this status. */
size_t tournament_count(const struct tournament *t, enum tournament_status status);

/* How many games are annulled only because a team is disqualified. */
size_t tournament_voided(const struct tournament *t);

/* The first round that has games to play, from 1; the last one when there are none. */
int tournament_round(const struct tournament *t);

/* The rounds that a team has played if it withdraws now: those before its first game that is still
 * to be played. */
int tournament_rounds_so_far(const struct tournament *t, int team);

/* The last round in which the team has played a game that counts, from 1; 0: none. */
int tournament_last_played_round(const struct tournament *t, int team);

/* Whether a team that withdraws has played its last round. Until then it is ranked by its points.
 */
bool tournament_has_left(const struct tournament *t, int team);

/* Whether a pairing had games and all of them are annulled. */
bool tournament_is_annulled(const struct tournament *t, const struct tournament_pairing *pairing);

/* Nothing is left to play, now or later. */
bool tournament_is_over(const struct tournament *t);

/* ERR_NEGATIVE: no team can enter any more, because the pairings of the last round, or the bracket,
 * are made. */
MUST_USE enum err tournament_refuse_entry(const struct tournament *t, struct note *why);

/* How many games the whole tournament has if no team withdraws. */
int64_t tournament_total_games(const struct roster *roster);

/* The same as far as it is known now: without the games that do not exist because teams withdrew
 * before a swiss round. Each of them is played, annulled, cancelled or left. */
int64_t tournament_expected_games(const struct tournament *t);

/* `rows` has room for every entrant: the teams, best first, then the references, which have no
 * place and no figures. */
MUST_USE enum err tournament_standings(const struct tournament *t, struct ranking_row *rows,
                                       struct note *why);

/* By team: whether its program cannot start. It has none, or it started in none of the games that
 * it should have played. Such a team gets no bye, and those that it had do not count. */
void tournament_cannot_start(const struct tournament *t, bool *out);

/* A game that was played but that a program did not start for: one of them, or both. */
bool tournament_is_unstarted(const struct tournament_game *game);

/* The games that count, byes among them, as the ranking takes them. The caller frees. */
MUST_USE enum err tournament_counted(const struct tournament *t, struct ranking_game **out,
                                     size_t *count, struct note *why);

/* The games that ratings are made of: those against references also, no byes. Entrants are numbered
 * in the order of roster_entrant. The caller frees. */
MUST_USE enum err tournament_rated(const struct tournament *t, struct ranking_game **out,
                                   size_t *count, struct note *why);

/* Whether it is a game against a reference: it gives no points and changes no pairing. */
bool tournament_is_reference_game(const struct tournament *t, const struct tournament_game *game);

/* Whether a team plays no game of that round or a later one: it has withdrawn or is disqualified;
 * or none of that swiss round, because it entered later. */
bool tournament_is_out(const struct tournament *t, int team, int round);

/* The rounds that it has if no more teams fail to qualify: fewer than the roster's if some did, but
 * not in a swiss tournament. */
int tournament_rounds(const struct tournament *t);

#endif
