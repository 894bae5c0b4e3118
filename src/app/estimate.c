#include "app/estimate.h"

#include <math.h>

#include "app/tournament_session.h"
#include "base/rng.h"
#include "tournament/pairing.h"
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

/* The teams below `end` that are paired, in a swiss tournament those that entered by this round. */
static int count_teams(const struct roster *roster, const bool *is_in, int end, int round)
{
    int teams = 0;
    for (int i = 0; i < end; i++) {
        bool has_entered =
            roster->format != ROSTER_SWISS || roster->teams[i].entered_after <= round;
        teams += has_entered && (!is_in || is_in[i]);
    }
    return teams;
}

/* The teams that have the usual rounds; of the others each has one. */
static int count_starters(const struct roster *roster, const bool *is_in)
{
    int starters = count_teams(roster, is_in, roster->starter_count, roster->rounds);
    return starters > 1 ? starters : 1;
}

int estimate_rounds(const struct roster *roster, const bool *is_in)
{
    int teams = count_teams(roster, is_in, roster->team_count, roster->rounds);
    int starters = count_starters(roster, is_in);
    bool is_gauntlet = roster->format == ROSTER_GAUNTLET;
    if (teams < 2 || (is_gauntlet && is_in && !is_in[0])) {
        return 0;
    }
    if (roster->format == ROSTER_SWISS || teams == roster->team_count) {
        return roster->rounds;
    }
    return roster->format == ROSTER_KNOCKOUT ? pairing_knockout_rounds(teams)
           : is_gauntlet                     ? (starters > 1) + teams - starters
                         : pairing_round_robin_rounds(starters) + teams - starters;
}

int64_t estimate_pairings(const struct roster *roster, const bool *is_in, int round)
{
    int64_t next = 1; /* teams that a knockout has after the round */
    int rounds = estimate_rounds(roster, is_in);
    int64_t teams = count_teams(roster, is_in, roster->team_count, round);
    int64_t starters = count_starters(roster, is_in);
    int64_t late = round - (rounds - (teams - starters));
    int64_t references = round + 1 == rounds ? teams * roster->reference_count : 0;
    switch (roster->format) {
    case ROSTER_GAUNTLET:
        return references + (late < 0 ? starters - 1 : 1);
    case ROSTER_KNOCKOUT:
        for (int i = round + 1; i < rounds; i++) {
            next *= 2;
        }
        return references + (round == 0 ? teams - next : next);
    case ROSTER_DOUBLE_ROUND_ROBIN:
        return references + (late < 0 ? starters / 2 : starters + late);
    default:
        return references + teams / 2;
    }
}

/* Where the next round depends on results, its games wait for the last one of a round. */
static double queue_of(const struct roster *roster, const bool *is_in, int slots)
{
    bool waits = roster->format == ROSTER_SWISS || roster->format == ROSTER_KNOCKOUT;
    double queue = 0;
    int64_t pairings = 0;
    int rounds = estimate_rounds(roster, is_in);
    for (int round = 0; round < rounds; round++) {
        pairings += estimate_pairings(roster, is_in, round);
        if (waits || round + 1 == rounds) {
            queue += ceil((double)pairings / slots);
            pairings = 0;
        }
    }
    return queue * roster->games_per_pairing;
}

/* From games, slots and queue. `thinkers` sides take time. */
static void find_times(const struct roster *roster, int thinkers, struct estimate *e)
{
    const struct judge_rules *rules = &roster->rules;
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
    struct estimate e = {
        .games = tournament_total_games(roster),
        .slots = slots ? slots : tournament_session_concurrency(roster),
    };
    e.queue = queue_of(roster, is_in, e.slots);
    find_times(roster, 2, &e);
    return e;
}

struct estimate estimate_qualification(const struct roster *roster, int teams, int slots)
{
    struct estimate e = {
        .games = (int64_t)teams * QUALIFICATION_GAMES,
        .slots = slots ? slots : tournament_session_concurrency(roster),
    };
    e.queue = ceil((double)teams / e.slots) * QUALIFICATION_GAMES;
    find_times(roster, 1, &e);
    return e;
}
