#include <stdio.h>
#include <stdlib.h>

#include "app/roster_check.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "report/json_tournament.h"

static void print_json(const struct roster *roster, const struct roster_estimate *e)
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
    struct roster_estimate e = roster_check_estimate(roster);
    char typical[32];
    char worst[32];
    if (is_json) {
        print_json(roster, &e);
        return;
    }
    tournament_args_duration(e.typical_s, typical, sizeof typical);
    tournament_args_duration(e.worst_s, worst, sizeof worst);
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

static void print_problems_json(const struct roster_problems *problems)
{
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
}

static enum err run(const struct args *args, struct note *why)
{
    const char *path = args->values[0];
    struct roster roster = {0};
    struct roster_problems *problems = calloc(1, sizeof *problems);
    if (!problems) {
        note_set(why, "no memory to read %.200s", path);
        return ERR_ENVIRONMENT;
    }
    enum err err = roster_check_read(path, args->cpu, &roster, problems, why);
    bool is_json = args_option(args, "json");
    if (!err) {
        print(&roster, is_json);
    } else if (is_json && problems->count) {
        print_problems_json(problems);
        note_set(why, "%d problem%s in %.200s", problems->count, problems->count == 1 ? "" : "s",
                 path);
    } else {
        tournament_args_print_problems(path, problems);
    }
    roster_free(&roster);
    free(problems);
    return err;
}

const struct command cmd_tournament_check = {
    .name = "tournament check",
    .run = run,
    .summary = "check a roster and estimate how long the tournament may take",
    .operands = "FILE",
    .details = "Lists everything that is wrong with the roster at once: unknown keys, teams that\n"
               "are there twice, players that are not valid, files that are missing. For a roster\n"
               "without problems it prints how many games there are and how long they may take:\n"
               "when a turn takes a tenth of its limit, and at worst. With --json a roster with\n"
               "problems gives {\"problems\": [{\"line\": 3, \"problem\": \"...\"}]}.",
    .options = {{"json", NULL, "print JSON"}},
    .examples = {{"plum tournament check class.ini", "before the class sees it"}},
};
