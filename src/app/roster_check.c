#include "app/roster_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/entrants.h"
#include "app/sandbox_setup.h"
#include "app/tournament_session.h"
#include "base/folder.h"
#include "base/rng.h"
#include "store/tournament_file.h"

enum { SAMPLES = 30, SUGGESTED_LATE_LIMIT = 3 };

/* Paths are meant from the folder of the roster. */
static enum err find_missing(const char *path, const struct roster *roster,
                             struct roster_problems *problems, struct note *why)
{
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    if (!err) {
        entrants_find_missing(roster, problems);
        entrants_find_missing_logs(roster, problems);
        roster_problems_sort(problems);
    }
    return folder_return(back, err, why);
}

enum err roster_check_read(const char *path, enum cpu_level cpu, struct roster *out,
                           struct roster_problems *problems, struct note *why)
{
    char *text = NULL;
    size_t bytes = 0;
    problems->count = 0;
    enum err err = tournament_file_read_text(path, &text, &bytes, why);
    if (err) {
        return err;
    }
    err = roster_read_anyway(text, bytes, cpu, out, problems);
    free(text);
    if (err == ERR_ENVIRONMENT) {
        *why = problems->list[0];
        return err;
    }
    err = find_missing(path, out, problems, why);
    if (!err && problems->count) {
        roster_problems_sum_up(problems, path, why);
        err = ERR_INPUT;
    }
    return err;
}

/* --- Folders --- */

/* The program of a team, seen from the folder of the roster. C and C++ sources are built into
 * folders of their own. False: there is none. */
static bool read_program(const struct roster *roster, const struct roster_team *team,
                         struct player_spec *out)
{
    char text[PLAYER_TEXT_BYTES];
    size_t length = strlen(team->source);
    bool is_python = length > 3 && strcmp(team->source + length - 3, ".py") == 0;
    snprintf(text, sizeof text, "ugi:python3 %.900s", team->source);
    return !team->no_program[0] && (is_python || team->player[0]) &&
           !player_spec_read(is_python ? text : team->player, roster->game, out, NULL);
}

static enum err find_shared(const struct roster *roster, void *owner,
                            void (*on_remark)(void *owner, const char *sentence), struct note *why)
{
    size_t count = (size_t)roster->team_count;
    struct player_spec *specs = calloc(count, sizeof *specs);
    struct sandbox_setup_player *players = calloc(count, sizeof *players);
    struct sandbox_neighbours neighbours = {0};
    enum err err = ERR_ENVIRONMENT;
    if (!specs || !players) {
        note_set(why, "no memory for %d teams", roster->team_count);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        const struct roster_team *team = &roster->teams[i];
        players[i].spec = read_program(roster, team, &specs[i]) ? &specs[i] : NULL;
        snprintf(players[i].name, sizeof players[i].name, "team %s", team->id);
    }
    err = sandbox_neighbours_add_own(&neighbours, ".", true, why);
    if (!err) {
        const struct sandbox_setup setup = {
            .mode = roster->sandbox,
            .python = roster->python,
            .players = players,
            .player_count = roster->team_count,
            .neighbours = &neighbours,
            .owner = owner,
            .on_remark = on_remark,
        };
        err = sandbox_setup_neighbours(&setup, why);
    }
out:
    sandbox_neighbours_free(&neighbours);
    free(players);
    free(specs);
    return err;
}

enum err roster_check_folders(const char *path, const struct roster *roster, void *owner,
                              void (*on_remark)(void *owner, const char *sentence),
                              struct note *why)
{
    int back = -1;
    enum err err = folder_enter_of(path, &back, why);
    if (!err) {
        err = find_shared(roster, owner, on_remark, why);
    }
    return folder_return(back, err, why);
}

/* --- How long it may take --- */

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

/* The length of a game comes from random games, and from one in which both sides are always late:
 * such a game can be the longest. */
struct roster_estimate roster_check_estimate(const struct roster *roster)
{
    const struct judge_rules *rules = &roster->rules;
    const struct game *game = roster->game;
    struct rng rng = rng_make(1);
    bool has_replacement = game->penalties[FAULT_LATE] == PENALTY_REPLACE;
    int longest = has_replacement ? play_out(game, NULL) : 0;
    double typical = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int plies = play_out(game, &rng);
        typical += (double)plies / (double)SAMPLES;
        longest = plies > longest ? plies : longest;
    }
    struct roster_estimate e = {.games = tournament_total_games(roster),
                                .concurrency = tournament_session_concurrency(roster)};
    double rows = (double)e.games / e.concurrency;
    e.typical_s = rows * typical * ((double)rules->limit_ns / 1e9) / 10;
    double startup_s = rows * (double)rules->startup_ns / 1e9;
    double turns = (double)longest / 2;
    e.worst_s = rows * 2 * slowest_side_s(rules, turns) + startup_s;
    e.late_limit = rules->late_limit ? rules->late_limit : SUGGESTED_LATE_LIMIT;
    for (int i = 0; i < 2; i++) {
        int limit = i ? e.late_limit : 0;
        /* The side that was late first loses; the other had one turn fewer. */
        double other_s = limit ? late_side_s(rules, limit - 1, 0) : late_side_s(rules, turns, 0);
        e.late_game_s[i] = late_side_s(rules, turns, limit);
        e.late_s[i] = rows * (e.late_game_s[i] + fmin(e.late_game_s[i], other_s)) + startup_s;
    }
    return e;
}
