/* cmd_tournament_plan: games, hours and disk of a tournament before it is played. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/forecast.h"
#include "app/roster_check.h"
#include "play/tournament_session.h"
#include "base/json.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "course/roster_change.h"
#include "report/json_tournament.h"
#include "store/tournament_file.h"

enum { MOST_MACHINES = 1000 };

static struct roster_problems problems; /* too large for the stack */

/* --- For people --- */

static void write_bytes(double bytes, char *out, size_t room)
{
    if (bytes >= 1e9) {
        snprintf(out, room, "%.1f GB", bytes / 1e9);
    } else {
        snprintf(out, room, "%.0f MB", bytes / 1e6);
    }
}

static void print_row(const char *what, int64_t games, double expected_s, double worst_s)
{
    char expected[32];
    char worst[32];
    tournament_args_duration(expected_s, expected, sizeof expected);
    tournament_args_duration(worst_s, worst, sizeof worst);
    printf("%-13s %8lld games, about %s, at worst %s\n", what, (long long)games, expected, worst);
}

static void print_rounds(const struct tournament *t, const struct forecast *f)
{
    printf("%s: %s, %s, %d teams, %d round%s, pairings in a round:", t->roster->name,
           t->roster->game->name, roster_format_name(t->roster->format), f->teams, f->rounds,
           f->rounds == 1 ? "" : "s");
    for (int round = 0; round < f->rounds;) {
        int64_t pairings = forecast_pairings(t, f, round);
        int last = round;
        while (last + 1 < f->rounds && forecast_pairings(t, f, last + 1) == pairings) {
            last++;
        }
        printf("%s %lld", round ? "," : "", (long long)pairings);
        round = last + 1;
    }
    printf("; %lld in all, of %d game%s\n", (long long)f->pairings, t->roster->games_per_pairing,
           t->roster->games_per_pairing == 1 ? "" : "s");
}

/* Of a tournament that has begun. Its games are alike, so the time is in proportion. */
static void print_left(const struct tournament *t, const struct forecast *f)
{
    double share = f->tournament.games ? (double)f->left_games / (double)f->tournament.games : 0;
    char expected[32];
    char worst[32];
    tournament_args_duration(f->expected_s * share, expected, sizeof expected);
    tournament_args_duration(f->tournament.worst_s * share, worst, sizeof worst);
    printf("%-13s %8lld games, about %s, at worst %s; %zu are played\n", "left",
           (long long)f->left_games, expected, worst, tournament_count(t, GAME_PLAYED));
}

static void print_forecast(const struct tournament *t, const struct forecast *f)
{
    const struct estimate *all = &f->tournament;
    const struct estimate *first = &f->qualification;
    char late[2][32];
    char disk[2][32];
    for (int i = 0; i < 2; i++) {
        tournament_args_duration(all->late_s[i] + first->late_s[i], late[i], sizeof late[i]);
        write_bytes(i ? f->worst_disk_bytes : f->disk_bytes, disk[i], sizeof disk[i]);
    }
    print_rounds(t, f);
    if (first->games) {
        print_row("qualification", first->games, f->expected_qualification_s, first->worst_s);
    }
    print_row("tournament", all->games, f->expected_s, all->worst_s);
    print_row("in all", first->games + all->games, f->expected_qualification_s + f->expected_s,
              first->worst_s + all->worst_s);
    if (t->pairing_count) {
        print_left(t, f);
    }
    printf("%d machine%s with %d slot%s%s: %d game%s at once\n", f->machines,
           f->machines == 1 ? "" : "s", f->slots, f->slots == 1 ? "" : "s",
           f->machines == 1 ? "" : " each", f->machines * f->slots,
           f->machines * f->slots == 1 ? "" : "s");
    if (f->measured_games) {
        printf("expected: a turn of %.3f s, measured in %d games of the qualification; %.0f moves "
               "and %.2f s besides them in a game\n",
               f->turn_s, f->measured_games, f->plies, f->start_s);
    } else {
        printf("expected: a turn of %.3f s, a tenth of its limit (assumed: no qualification was "
               "played); %.0f moves in a game\n",
               f->turn_s, f->plies);
    }
    printf("at worst every turn takes all of its time. If no program is ever in time: %s; with "
           "late_limit = %d%s: %s\n",
           late[0], all->late_limit, t->roster->rules.judge.late_limit ? ", as here" : "", late[1]);
    printf("disk: about %s, at worst %s\n", disk[0], disk[1]);
}

/* --- For programs --- */

static void print_json(const struct tournament *t, const struct forecast *f)
{
    enum { DECIMALS = 3 };
    struct json json = json_make(stdout, JSON_LINE);
    const struct estimate *all = &f->tournament;
    const struct estimate *first = &f->qualification;
    bool has_limit = t->roster->rules.judge.late_limit;
    json_begin_object(&json, NULL);
    json_tournament_plan(&json, t->roster);
    json_integer(&json, "paired_teams", f->teams);
    json_begin_array(&json, "pairings");
    for (int round = 0; round < f->rounds; round++) {
        json_integer(&json, NULL, forecast_pairings(t, f, round));
    }
    json_end(&json);
    json_integer(&json, "total_games", all->games);
    json_integer(&json, "qualification_games", first->games);
    json_integer(&json, "machines", f->machines);
    json_integer(&json, "slots", f->slots);
    json_integer(&json, "measured_games", f->measured_games);
    json_fixed(&json, "turn_s", f->turn_s, DECIMALS);
    json_fixed(&json, "game_plies", f->plies, 1);
    json_fixed(&json, "expected_s", f->expected_s, DECIMALS);
    json_fixed(&json, "worst_s", all->worst_s, DECIMALS);
    json_fixed(&json, "qualification_expected_s", f->expected_qualification_s, DECIMALS);
    json_fixed(&json, "qualification_worst_s", first->worst_s, DECIMALS);
    json_integer(&json, "late_limit", t->roster->rules.judge.late_limit);
    json_fixed(&json, "late_s", all->late_s[has_limit] + first->late_s[has_limit], DECIMALS);
    json_fixed(&json, "late_without_limit_s", all->late_s[0] + first->late_s[0], DECIMALS);
    json_integer(&json, "disk_bytes", llround(f->disk_bytes));
    json_integer(&json, "worst_disk_bytes", llround(f->worst_disk_bytes));
    json_integer(&json, "left_games", f->left_games);
    json_end(&json);
    putchar('\n');
}

/* --- The command --- */

static enum err show(const struct args *args, const struct tournament *t, struct store *store,
                     struct note *why)
{
    struct forecast forecast;
    int machines = 1;
    int slots = 0;
    enum err err = ARGS_FIELDS(args, why, {"machines", ARGS_INT, &machines, 1, MOST_MACHINES},
                               {"slots", ARGS_INT, &slots, 1, TOURNAMENT_SESSION_MAX_CONCURRENCY});
    err = err ? err : forecast_make(t, store, machines, slots, &forecast, why);
    if (!err && args_option(args, "json")) {
        print_json(t, &forecast);
    } else if (!err) {
        print_forecast(t, &forecast);
    }
    return err;
}

/* The roster alone. */
static enum err show_roster(const struct args *args, struct note *why)
{
    struct roster roster = {0};
    struct tournament t = {0};
    enum err err = roster_check_read(args->values[0], args->cpu, &roster, &problems, why);
    if (err) {
        tournament_args_print_problems(args->values[0], &problems);
    }
    err = err ? err : tournament_init(&t, &roster, NULL, why);
    err = err ? err : show(args, &t, NULL, why);
    tournament_free(&t);
    roster_free(&roster);
    return err;
}

/* Whether the database is that of the roster as it is now. */
static bool is_same_roster(const char *path, const struct store *store)
{
    char *text = NULL;
    size_t bytes = 0;
    struct note ignored;
    bool is_same = !tournament_file_read_text(path, &text, &bytes, &ignored) &&
                   roster_change_is_none(store, text);
    free(text);
    return is_same;
}

static enum err run(const struct args *args, struct note *why)
{
    char database[TOURNAMENT_SESSION_PATH_BYTES];
    struct tournament_file file = {0};
    const char *path = args->values[0];
    bool is_roster = tournament_session_find(path, args_option(args, "db"), database);
    bool is_there = database[0];
    enum err err =
        is_there ? tournament_file_open(&file, database, STORE_READ, args->cpu, why) : ERR_NONE;
    bool is_used = is_there && !err && (!is_roster || is_same_roster(path, file.store));
    if (!err && is_there && !is_used) {
        fprintf(stderr,
                "plum tournament plan: %s was made with another version of %s: the times in it "
                "are not used\n",
                database, path);
    }
    err = err       ? err
          : is_used ? show(args, &file.tournament, file.store, why)
                    : show_roster(args, why);
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_plan = {
    .name = "tournament plan",
    .run = run,
    .summary = "print how many games, hours and bytes a tournament needs",
    .operands = "FILE",
    .options = {{"machines", "N", "machines that play at the same time (1)"},
                {"slots", "M", "games at once on each (as 'run' on this machine)"},
                {"db", "FILE", "the database of the roster (the roster's name with .db)"},
                {"json", NULL, "print JSON"}},
};
