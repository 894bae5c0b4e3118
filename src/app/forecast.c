#include "app/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "play/tournament_session.h"
#include "base/rng.h"
#include "sandbox/process.h"
#include "tournament/qualification.h"
#include "tournament/schedule.h"

enum { SAMPLES = 10 };

/* Bytes of the database. Measured with 240 games of random players in each of three games: 2.5 kB a
 * game where a record has 1.7 kB, 4.3 with 2.8, 11.7 with 10.4. */
static const double bytes_per_record_byte = 1.25;
static const double bytes_per_game = 1000;
static const double bytes_per_file = 5e6; /* with its journal */
static const double record_head_bytes = 300;
static const double ply_bytes = 40;        /* with its time, and what an engine reports */
static const double worst_ply_bytes = 310; /* with a fault and its position */
static const double log_bytes =
    4.0 * (double)PROCESS_STDERR_BYTES; /* two streams of both programs */

/* --- What was measured --- */

/* By team, while the games of the qualification are added up. */
struct forecast_sums {
    double thinking_s;
    double turns;
};

/* Sums of all games. */
struct forecast_totals {
    struct forecast_sums turns;
    double start_s;
    double plies;
    int games;
};

static void add_game(const struct tournament_game *game, int place, struct forecast_sums *own,
                     struct forecast_totals *all)
{
    double thinking_s = (double)game->summary.thinking_ms[place] / 1000;
    int turns = (game->summary.plies + (game->summary.colour[place] == SIDE_BLACK)) / 2;
    double both_s = (double)(game->summary.thinking_ms[0] + game->summary.thinking_ms[1]) / 1000;
    own->thinking_s += thinking_s;
    own->turns += turns;
    all->turns.thinking_s += thinking_s;
    all->turns.turns += turns;
    all->plies += game->summary.plies;
    all->start_s += fmax(0, (double)(game->ended_ms - game->started_ms) / 1000 - both_s);
    all->games++;
}

/* Games that ended early by a fault show little. */
static void measure(const struct tournament *t, struct forecast_sums *by_team,
                    struct forecast_totals *all)
{
    for (int team = 0; team < t->roster->team_count; team++) {
        for (int i = 0; i < QUALIFICATION_GAMES; i++) {
            const struct tournament_game *game = &t->qualifications[team].games[i];
            if (game->status == GAME_PLAYED && !game->summary.is_forfeit && game->summary.plies) {
                add_game(game, 0, &by_team[team], all);
            }
        }
    }
}

/* --- The expected time --- */

/* Seconds of each team that is paired in one game. */
struct forecast_teams {
    double *side_s;
    int count;
};

/* Until when each slot is busy. */
struct forecast_slots {
    double *until_s;
    int count;
};

static double last_of(const struct forecast_slots *slots)
{
    double last = 0;
    for (int i = 0; i < slots->count; i++) {
        last = fmax(last, slots->until_s[i]);
    }
    return last;
}

static void take_slot(struct forecast_slots *slots, double seconds)
{
    int first = 0;
    for (int i = 1; i < slots->count; i++) {
        first = slots->until_s[i] < slots->until_s[first] ? i : first;
    }
    slots->until_s[first] += seconds;
}

static void shuffle(double *list, int count, struct rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int other = (int)rng_below(rng, (uint64_t)i + 1);
        double kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
}

/* One tournament. Which teams meet, and which win, is drawn where it depends on results. */
static double simulate(const struct roster *roster, const struct forecast *f,
                       struct forecast_teams teams, struct forecast_slots *slots, struct rng *rng)
{
    const struct schedule schedule = schedule_make(roster, f->is_in);
    bool waits = roster->format == ROSTER_SWISS || roster->format == ROSTER_KNOCKOUT;
    int first = roster->format == ROSTER_GAUNTLET; /* its first team stays in place */
    memset(slots->until_s, 0, (size_t)slots->count * sizeof *slots->until_s);
    shuffle(teams.side_s + first, teams.count - first, rng);
    for (int round = 0; round < schedule.rounds; round++) {
        int64_t pairings = schedule_pairings(&schedule, round);
        for (int64_t i = 0; i < pairings; i++) {
            /* A gauntlet's first team meets all; elsewhere neighbours in a random order meet. With
             * references, or a team that entered later, a round has more pairings than that. */
            int64_t one = first ? 0 : 2 * i % teams.count;
            int64_t other = first ? 1 + i % (teams.count - 1) : (2 * i + 1) % teams.count;
            double game_s = teams.side_s[one] + teams.side_s[other] + f->start_s;
            take_slot(slots, game_s * roster->games_per_pairing);
        }
        if (waits) {
            double last = last_of(slots);
            for (int i = 0; i < slots->count; i++) {
                slots->until_s[i] = last;
            }
        }
        shuffle(teams.side_s + first, teams.count - first, rng);
    }
    return last_of(slots);
}

static enum err expect(const struct roster *roster, const struct forecast_sums *by_team,
                       struct forecast *f, struct note *why)
{
    struct rng rng = rng_make(1);
    int games = f->machines * f->slots;
    struct forecast_teams teams = {calloc((size_t)roster->team_count + 1, sizeof(double)), 0};
    struct forecast_slots slots = {calloc((size_t)games, sizeof(double)), games};
    enum err err = ERR_ENVIRONMENT;
    if (!teams.side_s || !slots.until_s) {
        note_set(why, "no memory for the forecast");
        goto out;
    }
    for (int i = 0; i < roster->team_count; i++) {
        double turn_s = by_team[i].turns > 0 ? by_team[i].thinking_s / by_team[i].turns : f->turn_s;
        if (f->is_in[i]) {
            teams.side_s[teams.count++] = turn_s * f->plies / 2;
        }
    }
    for (int i = 0; i < SAMPLES && f->teams > 1; i++) {
        f->expected_s += simulate(roster, f, teams, &slots, &rng) / (double)SAMPLES;
    }
    err = ERR_NONE;
out:
    free(teams.side_s);
    free(slots.until_s);
    return err;
}

/* --- Disk --- */

static bool add_log(void *owner, const struct store_log *log)
{
    double *bytes = owner;
    *bytes += log->phase == PHASE_QUALIFICATION ? (double)strlen(log->text) : 0;
    return true;
}

/* Of a game: its record, and what programs wrote. */
static enum err measure_disk(const struct tournament *t, struct store *store, double *out,
                             struct note *why)
{
    double records = 0;
    double logs = 0;
    int games = 0;
    enum err err = store_each_log(store, add_log, &logs, why);
    for (int i = 0; !err && i < t->roster->team_count * QUALIFICATION_GAMES; i++) {
        char *text = NULL;
        if (qualification_find_game(t, i)->status != GAME_PLAYED) {
            continue;
        }
        err = store_record(store, PHASE_QUALIFICATION, i, &text, why);
        records += text ? (double)strlen(text) : 0;
        games++;
        free(text);
    }
    if (!err && games) { /* random writes nothing, an opponent does */
        *out = (records * bytes_per_record_byte + 2 * logs) / games;
    }
    return err;
}

/* --- What is left --- */

/* Whether the games of a team, or of a reference, are part of the forecast. */
static bool is_part(const struct tournament *t, const struct forecast *f, int team)
{
    return team >= t->roster->team_count || f->is_in[team];
}

/* A team that withdrew later has fewer games than the forecast. */
static int64_t count_left(const struct tournament *t, const struct forecast *f)
{
    int64_t done = 0;
    int64_t own = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_done = game->status != GAME_PLANNED && game->status != GAME_TAKEN;
        done += is_done;
        own += is_done && is_part(t, f, game->team[0]) && is_part(t, f, game->team[1]);
    }
    int64_t left = tournament_expected_games(t) - done;
    int64_t own_left = f->tournament.games - own;
    left = left < own_left ? left : own_left;
    return left > 0 ? left : 0;
}

/* --- Public --- */

int64_t forecast_pairings(const struct tournament *t, const struct forecast *f, int round)
{
    const struct schedule schedule = schedule_make(t->roster, f->is_in);
    return schedule_pairings(&schedule, round);
}

enum err forecast_make(const struct tournament *t, struct store *store, int machines, int slots,
                       struct forecast *out, struct note *why)
{
    const struct roster *roster = t->roster;
    struct forecast f = {
        .machines = machines,
        .slots = slots ? slots : tournament_session_concurrency(roster),
    };
    int due = 0;
    struct forecast_totals all = {.games = 0};
    struct forecast_sums *by_team = calloc((size_t)roster->team_count, sizeof *by_team);
    enum err err = ERR_ENVIRONMENT;
    if (!by_team) {
        return note_fail(why, err, "no memory for the forecast");
    }
    for (int i = 0; i < roster->team_count; i++) {
        int round = roster->teams[i].entered_after > 0 ? roster->teams[i].entered_after : 0;
        f.is_in[i] = !t->qualifications[i].has_failed && !tournament_is_out(t, i, round) &&
                     !roster_refuses(roster, i);
        f.teams += f.is_in[i];
        due += qualification_is_on(t) && qualification_is_due(t, i);
    }
    measure(t, by_team, &all);
    f.rounds = schedule_make(roster, f.is_in).rounds;
    f.tournament = estimate_tournament(roster, f.is_in, f.machines * f.slots);
    f.qualification = estimate_qualification(roster, due, f.machines * f.slots);
    f.measured_games = all.games;
    f.turn_s = all.games ? all.turns.thinking_s / all.turns.turns
                         : (double)roster->rules.judge.limit_ns / 1e9 / 10;
    f.plies = all.games ? all.plies / all.games : f.tournament.plies;
    f.start_s = all.games ? all.start_s / all.games : 0;
    f.expected_qualification_s = f.qualification.queue * (f.turn_s * f.plies / 2 + f.start_s);
    f.pairings = f.tournament.games / roster->games_per_pairing;
    f.left_games = count_left(t, &f);
    double games = (double)(f.tournament.games + f.qualification.games);
    double game_bytes = (record_head_bytes + ply_bytes * f.plies) * bytes_per_record_byte;
    double worst_bytes =
        (record_head_bytes + worst_ply_bytes * f.tournament.most_plies) * bytes_per_record_byte;
    err = store ? measure_disk(t, store, &game_bytes, why) : ERR_NONE;
    f.disk_bytes = games * (game_bytes + bytes_per_game) + bytes_per_file;
    f.worst_disk_bytes = games * (worst_bytes + bytes_per_game) + bytes_per_file +
                         ((double)f.pairings + due) * log_bytes;
    err = err ? err : expect(roster, by_team, &f, why);
    free(by_team);
    if (!err) {
        *out = f;
    }
    return err;
}
