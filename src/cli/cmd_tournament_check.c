#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "app/entrants.h"
#include "cli/roster_remarks.h"
#include "store/tournament_file.h"
#include "cli/tournament_run.h"
#include "cli/tournament_screen.h"
#include "report/json_tournament.h"

enum { SAMPLES = 30 };

/* How long a game is, in turns. */
struct lengths {
    double typical;
    int longest;
};

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

/* From random games, and from one in which the judge moves for both because they are always late:
 * such a game can be the longest. */
static struct lengths measure(const struct game *game)
{
    struct rng rng = rng_make(1);
    struct lengths lengths = {0};
    bool has_replacement = game->penalties[FAULT_LATE] == PENALTY_REPLACE;
    lengths.longest = has_replacement ? play_out(game, NULL) : 0;
    for (int i = 0; i < SAMPLES; i++) {
        int plies = play_out(game, &rng);
        lengths.typical += (double)plies / (double)SAMPLES;
        lengths.longest = plies > lengths.longest ? plies : lengths.longest;
    }
    return lengths;
}

struct estimate {
    int64_t games;
    int concurrency;
    double typical_s; /* when a turn takes a tenth of its limit */
    double worst_s;   /* when every turn takes all of it */
};

/* Where late moves count a turn ends with the hard limit, and a side has a limit for the game. */
static double slowest_game_s(const struct judge_rules *rules, int turns)
{
    bool counts_late = rules->game->penalties[FAULT_LATE] == PENALTY_NOTE;
    int64_t turn_ns = (counts_late ? rules->hard_limit_ns : rules->limit_ns) + rules->grace_ns;
    double all_s = turns * (double)turn_ns / 1e9;
    double most_s = 2 * (double)rules->game_limit_ns / 1e9;
    return counts_late && all_s > most_s ? most_s : all_s;
}

static struct estimate estimate(const struct roster *roster)
{
    struct estimate e = {.games = tournament_total_games(roster)};
    struct lengths lengths = measure(roster->game);
    const struct judge_rules *rules = &roster->rules;
    e.concurrency = roster->concurrency ? roster->concurrency : tournament_run_concurrency();
    double rows = (double)e.games / e.concurrency;
    double limit_s = (double)rules->limit_ns / 1e9;
    e.typical_s = rows * lengths.typical * limit_s / 10;
    e.worst_s = rows * slowest_game_s(rules, lengths.longest);
    e.worst_s += rows * (double)rules->startup_ns / 1e9;
    return e;
}

static void print_json(const struct roster *roster, const struct estimate *e)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_tournament_plan(&json, roster);
    json_integer(&json, "total_games", e->games);
    json_integer(&json, "concurrency", e->concurrency);
    json_fixed(&json, "typical_s", e->typical_s, 3);
    json_fixed(&json, "worst_s", e->worst_s, 3);
    json_end(&json);
    putchar('\n');
}

static void print(const struct roster *roster, bool is_json)
{
    struct estimate e = estimate(roster);
    char typical[32];
    char worst[32];
    if (is_json) {
        print_json(roster, &e);
        return;
    }
    tournament_screen_duration(e.typical_s, typical, sizeof typical);
    tournament_screen_duration(e.worst_s, worst, sizeof worst);
    printf("%s: %s, %s, %d teams, %d round%s, %lld games\n", roster->name, roster->game->name,
           roster_format_name(roster->format), roster->team_count, roster->rounds,
           roster->rounds == 1 ? "" : "s", (long long)e.games);
    printf("%d game%s at once: about %s if a turn takes a tenth of its limit, %s at worst\n",
           e.concurrency, e.concurrency == 1 ? "" : "s", typical, worst);
    for (int i = 0; i < roster->team_count; i++) {
        const struct roster_team *team = &roster->teams[i];
        if (team->no_program[0]) {
            printf("team %s cannot play: %s\n", team->id, team->no_program);
        } else if (team->source[0] && team->build_log[0]) {
            printf("team %s cannot play: its source does not compile, see %s\n", team->id,
                   team->build_log);
        }
    }
}

/* Files are looked for where the roster lies. */
static enum err enter_folder(const char *path, struct note *why)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    if (chdir(dirname(copy))) {
        note_set(why, "cannot enter the folder of %.200s: %s", path, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

static enum err complain(const char *path, const struct roster_problems *problems, bool is_json,
                         struct note *why)
{
    if (!is_json) {
        roster_remarks_problems(path, problems);
        roster_problems_sum_up(problems, path, why);
        return ERR_INPUT;
    }
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "problems");
    for (int i = 0; i < problems->count && i < ROSTER_MAX_PROBLEMS; i++) {
        json_begin_object(&json, NULL);
        json_integer(&json, "line", problems->lines[i]);
        json_string(&json, "problem", problems->list[i].text);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    putchar('\n');
    note_set(why, "%d problem%s in %.200s", problems->count, problems->count == 1 ? "" : "s", path);
    return ERR_INPUT;
}

/* What is wrong in the roster and what is missing on the disk, in one list. */
static enum err check(const char *path, const char *text, size_t bytes, const struct args *args,
                      struct roster *roster, struct roster_problems *problems, struct note *why)
{
    enum err err = roster_read_anyway(text, bytes, args->cpu, roster, problems);
    if (err == ERR_ENVIRONMENT) {
        *why = problems->list[0];
        return err;
    }
    err = enter_folder(path, why);
    if (err) {
        return err;
    }
    entrants_find_missing(roster, problems);
    entrants_find_missing_logs(roster, problems);
    roster_problems_sort(problems);
    return problems->count ? complain(path, problems, args_option(args, "json"), why) : ERR_NONE;
}

static enum err run(const struct args *args, struct note *why)
{
    char *text = NULL;
    size_t bytes = 0;
    struct roster roster = {0};
    struct roster_problems *problems = calloc(1, sizeof *problems);
    enum err err = tournament_file_read_text(args->values[0], &text, &bytes, why);
    if (!problems && !err) {
        note_set(why, "no memory");
        err = ERR_ENVIRONMENT;
    }
    if (!err) {
        err = check(args->values[0], text, bytes, args, &roster, problems, why);
    }
    if (!err) {
        print(&roster, args_option(args, "json"));
    }
    roster_free(&roster);
    free(problems);
    free(text);
    return err;
}

const struct command cmd_tournament_check = {
    .name = "tournament check",
    .run = run,
    .summary = "check a roster and say how long the tournament may take",
    .operands = "FILE",
    .details = "Lists everything that is wrong with the roster at once: unknown keys, teams that\n"
               "are there twice, players that make no sense, files that are missing. Of a good\n"
               "one it says how many games it means and how long they may take: when a turn\n"
               "takes a tenth of its limit, and at worst. With --json a roster with problems\n"
               "gives {\"problems\": [{\"line\": 3, \"problem\": \"...\"}]}.",
    .options = {{"json", NULL, "print JSON"}},
    .examples = {{"plum tournament check class.ini", "before the class sees it"}},
};
