/* match: games of two players, one after the other.
 *
 * Games come in units. A unit is a pair of games on one opening with the players' places exchanged
 * (or a single game without exchange), played by the same two player objects; each unit has new
 * ones. A match with many games at once is many of these.
 *
 * Like the judge, a match touches no clock, file or socket: the host makes the players, provides
 * the time and wakes it.
 */
#ifndef TOURNAMENT_MATCH_H
#define TOURNAMENT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/judge.h"
#include "tournament/finished_game.h"
#include "tournament/pairing_rules.h"

enum {
    MATCH_MAX_GAMES = 1000000,
    MATCH_MAX_CONCURRENCY = 1000,
};

struct match_options {
    struct pairing_rules rules;
    int games;
    int from;       /* begin with this game: those before it were played already */
    int first_game; /* the number of the match's first game: seeds, random openings and records
                       count from it */
    uint64_t seed;
    const struct state *openings; /* instead of random moves, taken in turn; NULL: none */
    size_t opening_count;
    const char *event;   /* of the records; NULL: left out */
    const char *round;   /* likewise; the number of the game follows it; NULL: that number only */
    const char *date;    /* likewise */
    const char *sandbox; /* likewise; NULL: left out */
    const char *machine; /* likewise */
    bool keeps_records;  /* and lists of faults, in the finished games */
};

struct match_host {
    void *owner;
    int64_t (*now)(void *owner);
    /* Call match_wake at that time or later, never at once; replaces the last request. */
    void (*wake_at)(void *owner, int64_t when_ns);
    /* A fresh player 0 or 1 for a unit; NULL: see `why`. */
    struct player *(*make_player)(void *owner, int player, struct note *why);
    /* Nothing is left running, and no wake has to follow. `err` is ERR_NONE, or why it stopped
     * early. */
    void (*on_done)(void *owner, enum err err, const struct note *why);
};

struct match;

/* `sink` receives every event but GAME_EVENT_FAILED and GAME_EVENT_REMARK. */
MUST_USE enum err match_start(struct match **out, const struct match_options *options,
                              const struct match_host *host, const struct game_sink *sink,
                              struct note *why);
void match_wake(struct match *match);

/* Abandons the game that is running; on_done follows with ERR_INTERRUPTED. May be called from
 * the sink. */
void match_stop(struct match *match);

void match_free(struct match *match); /* after on_done */

/* The opening of a unit: the same for a seed whatever else happens. Units are counted from game 0,
 * not from first_game. */
struct state match_opening(const struct match_options *options, int unit);

/* Game number `game`, from 0, of a match with that seed. */
uint64_t match_game_seed(uint64_t seed, int game);

#endif
