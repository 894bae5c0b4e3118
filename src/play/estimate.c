#include "play/estimate.h"

#include <math.h>

#include "play/tournament_session.h"
#include "base/rng.h"
#include "tournament/schedule.h"
#include "tournament/tournament.h"

enum { SAMPLES = 30, SUGGESTED_LATE_LIMIT = 3 };

/* Random moves; without `rng` those that a judge makes for a side that is late. */
static int play_out(const struct game *game, struct rng *rng)
{
    struct state state = game->start();
    struct move moves[GAME_MAX_MOVES];
    int plies = 0;
    while (!game_is_over(game, &state)) {
        size_t count = rng ? game->moves(&state, moves) : 0;
        struct move move = rng ? moves[rng_below(rng, count)] : game->replacement(&state);
        if (game->apply(&state, &move, NULL)) {
            break;
        }
        plies++;
    }
    return plies;
}

static void find_length(const struct game *game, struct estimate *e)
{
    struct rng rng = rng_make(1);
    bool has_replacement = game->penalties[FAULT_LATE] == PENALTY_REPLACE;
    e->most_plies = has_replacement ? play_out(game, NULL) : 0;
    for (int i = 0; i < SAMPLES; i++) {
        int plies = play_out(game, &rng);
        e->plies += (double)plies / (double)SAMPLES;
        e->most_plies = plies > e->most_plies ? plies : e->most_plies;
    }
}

/* A side's time in a game in which all its turns are as slow as they can be. Where late moves count
 * a turn ends with the hard limit, and a side has a limit for the game. */
static double slowest_side_s(const struct judge_rules *rules, double turns)
{
    bool counts_late = rules->game->penalties[FAULT_LATE] == PENALTY_NOTE;
    int64_t turn_ns = (counts_late ? rules->hard_limit_ns : rules->limit_ns) + rules->grace_ns;
    double all_s = turns * (double)turn_ns / 1e9;
    double most_s = (double)rules->game_limit_ns / 1e9;
    return counts_late ? fmin(all_s, most_s) : all_s;
}

/* The same with a limit on late moves in a row: the last one is not waited for longer than that it
 * is late. */
static double late_side_s(const struct judge_rules *rules, double turns, int late_limit)
{
    double all_s = slowest_side_s(rules, turns);
    double last_s = (double)(rules->limit_ns + rules->grace_ns) / 1e9;
    return late_limit ? fmin(all_s, slowest_side_s(rules, late_limit - 1) + last_s) : all_s;
}

/* Where the next round depends on results, its games wait for the last one of a round. */
static double queue_of(const struct schedule *schedule, int slots)
{
    const struct roster *roster = schedule->roster;
    bool waits = roster->format == ROSTER_SWISS || roster->format == ROSTER_KNOCKOUT;
    double queue = 0;
    int64_t pairings = 0;
    for (int round = 0; round < schedule->rounds; round++) {
        pairings += schedule_pairings(schedule, round);
        if (waits || round + 1 == schedule->rounds) {
            queue += ceil((double)pairings / slots);
            pairings = 0;
        }
    }
    return queue * roster->games_per_pairing;
}

/* From games, slots and queue. `thinkers` sides take time. */
static void find_times(const struct roster *roster, int thinkers, struct estimate *e)
{
    const struct judge_rules *rules = &roster->rules.judge;
    find_length(roster->game, e);
    double turns = (double)e->most_plies / 2;
    double startup_s = e->queue * (double)rules->startup_ns / 1e9;
    e->typical_s = e->queue * thinkers * e->plies / 2 * ((double)rules->limit_ns / 1e9) / 10;
    e->worst_s = e->queue * thinkers * slowest_side_s(rules, turns) + startup_s;
    e->late_limit = rules->late_limit ? rules->late_limit : SUGGESTED_LATE_LIMIT;
    for (int i = 0; i < 2; i++) {
        int limit = i ? e->late_limit : 0;
        /* The side that was late first loses; the other had one turn fewer. */
        double other_s = limit ? late_side_s(rules, limit - 1, 0) : late_side_s(rules, turns, 0);
        e->late_game_s[i] = late_side_s(rules, turns, limit);
        double both_s = e->late_game_s[i] + (thinkers > 1 ? fmin(e->late_game_s[i], other_s) : 0);
        e->late_s[i] = e->queue * both_s + startup_s;
    }
}

struct estimate estimate_tournament(const struct roster *roster, const bool *is_in, int slots)
{
    const struct schedule schedule = schedule_make(roster, is_in);
    struct estimate e = {
        .games = schedule_games(&schedule),
        .slots = slots ? slots : tournament_session_concurrency(roster),
    };
    e.queue = queue_of(&schedule, e.slots);
    find_times(roster, 2, &e);
    return e;
}

struct estimate estimate_qualification(const struct roster *roster, int teams, int slots)
{
    struct estimate e = {
        .games = (int64_t)teams * QUALIFICATION_GAMES,
        .slots = slots ? slots : tournament_session_concurrency(roster),
    };
    e.queue = ceil((double)teams / e.slots) * (double)QUALIFICATION_GAMES;
    find_times(roster, 1, &e);
    return e;
}
