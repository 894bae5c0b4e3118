#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "store/tournament_file.h"
#include "cli/tournament_table.h"
#include "report/json_tournament.h"

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

static void print_withdrawn(const struct tournament *t)
{
    for (int i = 0; i < t->roster->team_count; i++) {
        if (t->withdrawn_after[i] >= 0) {
            printf("team %s has withdrawn after round %d\n", t->roster->teams[i].id,
                   t->withdrawn_after[i]);
        }
    }
}

static bool is_all_annulled(const struct tournament *t, const struct tournament_pairing *pairing)
{
    for (int i = 0; i < pairing->games; i++) {
        if (t->games[pairing->first_game + i].status != GAME_ANNULLED) {
            return false;
        }
    }
    return pairing->games > 0;
}

/* Nobody won there, and still somebody goes on. */
static void print_by_seed(const struct tournament *t)
{
    for (size_t i = 0; t->roster->format == ROSTER_KNOCKOUT && i < t->pairing_count; i++) {
        const int *team = t->pairings[i].teams.team;
        if (is_all_annulled(t, &t->pairings[i])) {
            const struct roster_team *teams = t->roster->teams;
            printf("round %d: no game of %s and %s counts, so %s stands above as the better seed\n",
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

static enum err print(struct tournament_file *file, struct note *why)
{
    struct tournament *t = &file->tournament;
    struct roster *roster = &file->roster;
    size_t annulled = tournament_table_count(t, GAME_ANNULLED);
    size_t cancelled = tournament_table_count(t, GAME_CANCELLED);
    printf("%s: %s, %s, %d teams, %s\n", roster->name, roster->game->name,
           roster_format_name(roster->format), roster->team_count, state_of(file));
    printf("round %d of %d; %zu of %" PRId64 " games played", tournament_table_round(t),
           roster->rounds, tournament_table_count(t, GAME_PLAYED), tournament_expected_games(t));
    if (annulled) {
        printf(", %zu annulled", annulled);
    }
    if (cancelled) {
        printf(", %zu cancelled", cancelled);
    }
    putchar('\n');
    print_withdrawn(t);
    print_by_seed(t);
    enum err err = store_each_build(file->store, print_build, roster, why);
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

static enum err print_json(struct tournament_file *file, struct note *why)
{
    struct audit_json audit = {&file->roster, json_make(stdout, JSON_LINE)};
    struct json *json = &audit.json;
    json_begin_object(json, NULL);
    json_tournament_head(json, &file->tournament);
    json_string(json, "state", state_of(file));
    json_integer(json, "round", tournament_table_round(&file->tournament));
    json_begin_array(json, "audit");
    enum err err = store_each_audit_entry(file->store, add_entry, &audit, why);
    json_end(json);
    json_end(json);
    putchar('\n');
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    if (!err) {
        err = args_option(args, "json") ? print_json(&file, why) : print(&file, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_status = {
    .name = "tournament status",
    .run = run,
    .summary = "say how far a tournament is, and who did what when",
    .operands = "FILE",
    .details = "FILE is the database; it may be running. Shows rounds and games, who withdrew,\n"
               "whose program could not be built, and the audit log.",
    .options = {{"json", NULL, "print JSON"}},
    .examples = {{"plum tournament status class.db", "how far is it?"}},
};
