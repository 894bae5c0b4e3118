/* cmd_tournament_show: status, standings, crosstable, games and export: what a database contains.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_table.h"
#include "report/json_tournament.h"
#include "store/tournament_file.h"
#include "tournament/qualification.h"
#include "tournament/team_order.h"

/* Opens the database of the first operand for reading and prints what `print` does of it. */
typedef enum err print_fn(const struct args *args, struct tournament_file *file, struct note *why);

static enum err open_and_print(const struct args *args, print_fn *print, bool is_anonymous,
                               struct note *why)
{
    struct tournament_file file = {0};
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    err = !err && is_anonymous ? tournament_file_anonymise(&file, why) : err;
    err = err ? err : print(args, &file, why);
    tournament_file_close(&file);
    return err;
}

static bool is_anonymous(const struct args *args) { return args_option(args, "anonymous"); }

/* --- Status --- */

static const char *state_of(const struct tournament_file *file)
{
    return store_is_busy(file->store)              ? "running"
           : tournament_is_over(&file->tournament) ? "finished"
                                                   : "stopped";
}

static void write_time(int64_t at_ms, char *out, size_t room)
{
    clock_write(at_ms, "%Y-%m-%d %H:%M:%S", out, room);
}

/* --- For people --- */

static bool print_entry(void *owner, const struct store_audit_entry *entry)
{
    const struct roster *roster = owner;
    char when[32];
    write_time(entry->at_ms, when, sizeof when);
    printf("%s  %s: %s", when, entry->who, entry->what);
    if (entry->game >= 0) {
        printf(" game %d", entry->game + 1);
    }
    if (entry->team >= 0 && entry->team < roster->team_count) {
        printf(" team %s", roster->teams[entry->team].id);
    }
    printf("%s%s\n", entry->reason[0] ? ": " : "", entry->reason);
    return true;
}

/* Teams that do not play to the end. */
static void print_gone(const struct tournament *t)
{
    int order[ROSTER_MAX_TEAMS];
    team_order_list(t->roster, order);
    for (int at = 0; at < t->roster->team_count; at++) {
        int i = order[at];
        const struct disqualification *disqualification = &t->disqualifications[i];
        if (disqualification->is_set) {
            printf("team %s is disqualified: %s%s\n", t->roster->teams[i].id,
                   disqualification->reason.text,
                   disqualification->keeps_games ? " (its games count for its opponents)" : "");
        } else if (t->withdrawn_after[i] >= 0) {
            printf("team %s %s after round %d\n", t->roster->teams[i].id,
                   tournament_has_left(t, i) ? "has withdrawn" : "will withdraw",
                   t->withdrawn_after[i]);
        }
    }
}

static void print_unmoved(const struct tournament *t)
{
    int order[ROSTER_MAX_TEAMS];
    team_order_list(t->roster, order);
    for (int at = 0; at < t->roster->team_count; at++) {
        int i = order[at];
        if (qualification_never_moved(t, i)) {
            printf("team %s never moved itself\n", t->roster->teams[i].id);
        }
    }
}

/* Pairings without a winner, where the better seed continues. */
static void print_decided_by_seed(const struct tournament *t)
{
    for (size_t i = 0; t->roster->format == ROSTER_KNOCKOUT && i < t->pairing_count; i++) {
        const int *team = t->pairings[i].teams.team;
        bool is_decided = t->disqualifications[team[0]].is_set ||
                          (team[1] >= 0 && t->disqualifications[team[1]].is_set);
        if (tournament_is_annulled(t, &t->pairings[i]) && !is_decided) {
            const struct roster_team *teams = t->roster->teams;
            printf("round %d: no game of %s and %s counts, so %s ranks higher as the better seed\n",
                   t->pairings[i].round + 1, teams[team[0]].id, teams[team[1]].id,
                   teams[team[0] < team[1] ? team[0] : team[1]].id);
        }
    }
}

static bool print_build(void *owner, const struct store_build *build)
{
    const struct roster *roster = owner;
    if (!build->is_built && build->team >= 0 && build->team < roster->team_count) {
        const struct roster_team *team = &roster->teams[build->team];
        printf("team %s cannot play: %s\n", team->id,
               team->no_program[0] ? team->no_program : "its source could not be built");
    }
    return true;
}

static void print_qualification(const struct tournament *t)
{
    bool is_qualified[ROSTER_MAX_TEAMS];
    int qualified = qualification_list(t, is_qualified);
    int failed = 0;
    int due = 0;
    int played = 0;
    int left = 0;
    if (!t->is_qualification_begun) {
        return;
    }
    for (int i = 0; i < t->roster->team_count; i++) {
        bool is_due = qualification_is_due(t, i);
        failed += t->qualifications[i].has_failed && !t->disqualifications[i].is_set;
        due += is_due;
        for (int j = 0; j < QUALIFICATION_GAMES; j++) {
            bool is_played = t->qualifications[i].games[j].status == GAME_PLAYED;
            played += is_played;
            left += is_due && !is_played;
        }
    }
    if (due) {
        printf("qualification: %d of %d games played\n", played, played + left);
    }
    printf("%d of %d teams are qualified", qualified, t->roster->team_count);
    if (due) {
        printf(", %d failed, %d still to play", failed, due);
    }
    putchar('\n');
    tournament_table_failed(stdout, t);
}

/* While teams qualify it is not known which are paired: then the games of all, so that the number
 * changes once. */
static int64_t expected_games(const struct tournament *t)
{
    bool is_due = false;
    for (int i = 0; i < t->roster->team_count; i++) {
        is_due |= qualification_is_due(t, i);
    }
    return is_due && !t->pairing_count && t->is_qualification_begun
               ? tournament_total_games(t->roster)
               : tournament_expected_games(t);
}

static enum err print_status(struct tournament_file *file, struct note *why)
{
    struct tournament *t = &file->tournament;
    struct roster *roster = &file->roster;
    size_t annulled = tournament_count(t, GAME_ANNULLED);
    size_t cancelled = tournament_count(t, GAME_CANCELLED);
    printf("%s: %s, %s, %d teams, %s\n", roster->name, roster->game->name,
           roster_format_name(roster->format), roster->team_count, state_of(file));
    printf("round %d of %d; %zu of %" PRId64 " games played", tournament_round(t),
           tournament_rounds(t), tournament_count(t, GAME_PLAYED), expected_games(t));
    if (annulled) {
        printf(", %zu annulled", annulled);
    }
    if (cancelled) {
        printf(", %zu cancelled", cancelled);
    }
    putchar('\n');
    tournament_table_rules(stdout, "", roster);
    print_qualification(t);
    tournament_table_references(stdout, roster);
    print_gone(t);
    print_unmoved(t);
    print_decided_by_seed(t);
    enum err err = store_each_build(file->store, print_build, roster, why);
    err = err ? err : tournament_table_attempts(stdout, "", file->store, roster, why);
    err = err ? err : tournament_table_machines(stdout, "\n", file->store, why);
    if (err) {
        return err;
    }
    puts("\nWhat was done (UTC):");
    return store_each_audit_entry(file->store, print_entry, roster, why);
}

/* --- For programs --- */

struct audit_json {
    const struct roster *roster;
    struct json json;
};

static bool add_entry(void *owner, const struct store_audit_entry *entry)
{
    struct audit_json *audit = owner;
    json_tournament_audit(&audit->json, audit->roster, entry);
    return true;
}

static bool add_machine(void *owner, const struct store_machine *machine)
{
    json_tournament_machine(owner, machine);
    return true;
}

static enum err print_status_json(struct tournament_file *file, struct note *why)
{
    struct audit_json audit = {&file->roster, json_make(stdout, JSON_LINE)};
    struct json *json = &audit.json;
    json_begin_object(json, NULL);
    json_tournament_head(json, &file->tournament);
    json_string(json, "state", state_of(file));
    json_integer(json, "round", tournament_round(&file->tournament));
    const struct json_tournament view = {&file->tournament, NULL};
    json_tournament_qualification(json, "qualification", &view, true);
    json_begin_array(json, "machines");
    enum err err = store_each_machine(file->store, add_machine, json, why);
    json_end(json);
    json_begin_array(json, "audit");
    err = err ? err : store_each_audit_entry(file->store, add_entry, &audit, why);
    json_end(json);
    json_end(json);
    putchar('\n');
    return err;
}

static enum err show_status(const struct args *args, struct tournament_file *file, struct note *why)
{
    return args_option(args, "json") ? print_status_json(file, why) : print_status(file, why);
}

static enum err run_status(const struct args *args, struct note *why)
{
    return open_and_print(args, show_status, false, why);
}

/* --- Tables --- */

static enum err show_standings(const struct args *args, struct tournament_file *file,
                               struct note *why)
{
    return args_option(args, "json")
               ? tournament_table_json(&file->tournament, false, why)
               : tournament_table_standings(stdout, &file->tournament, TABLE_ALL, why);
}

static enum err run_standings(const struct args *args, struct note *why)
{
    return open_and_print(args, show_standings, is_anonymous(args), why);
}

static enum err show_crosstable(const struct args *args, struct tournament_file *file,
                                struct note *why)
{
    return args_option(args, "json") ? tournament_table_json(&file->tournament, true, why)
                                     : tournament_table_cross(stdout, &file->tournament, why);
}

static enum err run_crosstable(const struct args *args, struct note *why)
{
    return open_and_print(args, show_crosstable, is_anonymous(args), why);
}

/* --- Games --- */

static enum err print_record(struct tournament_file *file, const char *word, bool is_json,
                             struct note *why)
{
    int game = 0;
    char *text = NULL;
    enum err err = tournament_file_game(file, word, &game, why);
    err = err ? err : tournament_file_record(file, game, &text, why);
    if (!err && !text) {
        err = note_fail(why, ERR_NEGATIVE, "game %d was not played yet", game + 1);
    }
    if (!err && is_json) {
        tournament_table_record_json(&file->tournament, game, text);
    } else if (!err) {
        fputs(text, stdout);
    }
    free(text);
    return err;
}

static enum err print_list(struct tournament_file *file, const struct args *args, struct note *why)
{
    const char *id = args_option(args, "team");
    int team = TABLE_ALL;
    enum err err = id ? tournament_file_team(file, id, &team, why) : ERR_NONE;
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        tournament_table_games_json(&file->tournament, team);
    } else {
        tournament_table_games(stdout, &file->tournament, team);
    }
    return ERR_NONE;
}

static enum err show_games(const struct args *args, struct tournament_file *file, struct note *why)
{
    return args->count > 1 ? print_record(file, args->values[1], args_option(args, "json"), why)
                           : print_list(file, args, why);
}

static enum err run_games(const struct args *args, struct note *why)
{
    return open_and_print(args, show_games, is_anonymous(args), why);
}

static enum err export_games(const struct args *args, struct tournament_file *file,
                             struct note *why)
{
    const char *path = args_option(args, "output");
    return path ? tournament_file_export(file, path, why)
                : tournament_file_write_records(file, stdout, NULL, why);
}

static enum err run_export(const struct args *args, struct note *why)
{
    return open_and_print(args, export_games, is_anonymous(args), why);
}

/* --- The commands --- */

const struct command cmd_tournament_status = {
    .name = "tournament status",
    .run = run_status,
    .summary = "print how far a tournament is, and its audit log",
    .operands = "FILE",
    .options = {{"json", NULL, "print JSON"}},
};

const struct command cmd_tournament_standings = {
    .name = "tournament standings",
    .run = run_standings,
    .summary = "print the standings, with every tie-break's figure",
    .operands = "FILE",
    .options = {{"anonymous", NULL, "letters in place of names"}, {"json", NULL, "print JSON"}},
};

const struct command cmd_tournament_crosstable = {
    .name = "tournament crosstable",
    .run = run_crosstable,
    .summary = "print the points of each team against each other",
    .operands = "FILE",
    .options = {{"anonymous", NULL, "letters in place of names"}, {"json", NULL, "print JSON"}},
};

const struct command cmd_tournament_games = {
    .name = "tournament games",
    .run = run_games,
    .summary = "list the games, or print the record of one",
    .operands = "FILE [NUMBER]",
    .options = {{"team", "ID", "only the games of this team"},
                {"anonymous", NULL, "letters in place of names"},
                {"json", NULL, "print JSON"}},
};

const struct command cmd_tournament_export = {
    .name = "tournament export",
    .run = run_export,
    .summary = "write the records of the qualification and of all games that count",
    .operands = "FILE",
    .options = {{"output", "FILE", "where to; -o for short (standard output)"},
                {"anonymous", NULL, "letters in place of names"}},
};
