/* cmd_tournament_change: annul, replay, enter, withdraw, disqualify, note, quarantine and backup:
 * what a teaching assistant decides, and a copy before it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/late_entry.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "report/ruling.h"
#include "store/tournament_file.h"

enum { REASON_BYTES = 300, MOST_DAYS = 1000 };

/* The option --reason, and the database that the first operand names. Close the file in any case.
 */
static enum err open_with_reason(const struct args *args, enum store_use use,
                                 struct tournament_file *file, const char **reason,
                                 struct note *why)
{
    enum err err = ARGS_FIELDS(args, why, {"reason", ARGS_TEXT, reason, 0, 0});
    size_t length = err ? 0 : strlen(*reason);
    if (!err && (length > REASON_BYTES || utf8_clean_prefix(*reason, length) != length)) {
        err = note_fail(why, ERR_INPUT, "--reason must be plain text of at most %d bytes",
                        REASON_BYTES);
    }
    return err ? err : tournament_file_open(file, args->values[0], use, args->cpu, why);
}

/* A reference is not a team: there is nothing to decide about it. */
static enum err find_team(const struct tournament_file *file, const char *id, int *out,
                          struct note *why)
{
    enum err err = tournament_file_team(file, id, out, why);
    if (!err && roster_is_reference(&file->roster, *out)) {
        err = note_fail(why, ERR_INPUT, "%.40s is a reference opponent, not a team", id);
    }
    return err;
}

/* --- Games --- */

/* store_annul and its siblings. */
typedef enum err change_of_games(struct store *store, const int *games, size_t count,
                                 const char *reason, struct note *why);

/* Changes the games that the operands name: all of them or none, and lists them. `are_annulled`:
 * those of a team or a round that are annulled are meant, not those that count. */
static enum err change_games(const struct args *args, change_of_games *change, bool are_annulled,
                             size_t *count, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    int *games = NULL;
    enum err err = open_with_reason(args, STORE_CHANGE, &file, &reason, why);
    err = err ? err
              : tournament_file_games(&file, args->values + 1, args->count - 1, are_annulled,
                                      &games, count, why);
    err = err ? err : change(file.store, games, *count, reason, why);
    for (size_t i = 0; !err && i < *count; i++) {
        printf("%s%d", i ? ", " : *count == 1 ? "game " : "games ", games[i] + 1);
    }
    free(games);
    tournament_file_close(&file);
    return err;
}

static enum err run_annul(const struct args *args, struct note *why)
{
    bool is_taken_back = args_option(args, "undo");
    size_t count = 0;
    enum err err =
        change_games(args, is_taken_back ? store_restore : store_annul, is_taken_back, &count, why);
    if (!err && is_taken_back) {
        printf(" %s again\n", count == 1 ? "counts" : "count");
    } else if (!err) {
        printf(" %s not count any more\n", count == 1 ? "does" : "do");
    }
    return err;
}

static enum err run_replay(const struct args *args, struct note *why)
{
    size_t count = 0;
    enum err err = change_games(args, store_replay, false, &count, why);
    if (!err) {
        char word[PATH_MAX];
        printf(" will be played again by: plum tournament resume %s\n",
               shell_word(args->values[0], word, sizeof word));
    }
    return err;
}

/* --- Teams --- */

/* What was played keeps its result, so a team cannot leave before it. */
static enum err choose_rounds(const struct args *args, const struct tournament *t, int team,
                              int *out, struct note *why)
{
    const char *id = t->roster->teams[team].id;
    int last = tournament_last_played_round(t, team);
    int rounds = tournament_rounds_so_far(t, team);
    enum err err = ARGS_FIELDS(args, why, {"after", ARGS_INT, &rounds, 0, t->roster->rounds});
    if (!err && args_option(args, "after") && rounds < last) {
        err = note_fail(why, ERR_INPUT, "--after %d: team %s has played in round %d already",
                        rounds, id, last);
    }
    if (!err && rounds >= t->roster->rounds) {
        err = note_fail(why, ERR_NEGATIVE, "team %s has no game left to withdraw from", id);
    }
    *out = rounds;
    return err;
}

/* What it plays again. */
static void print_rejoined(const struct tournament_file *file, int team)
{
    const struct tournament *t = &file->tournament;
    char word[PATH_MAX];
    int games = tournament_cancelled_by(t, team);
    bool is_paired = t->roster->format == ROSTER_SWISS && t->rounds_paired < t->roster->rounds;
    printf("team %s takes part again", t->roster->teams[team].id);
    if (games) {
        printf("; %d game%s that %s cancelled %s played", games, games == 1 ? "" : "s",
               games == 1 ? "was" : "were", games == 1 ? "is" : "are");
    }
    if (is_paired) {
        printf("; it is paired from round %d on", t->rounds_paired + 1);
    }
    if (games || is_paired) {
        printf("\nTo play that: plum tournament resume %s\n",
               shell_word(store_path(file->store), word, sizeof word));
    } else {
        puts("; no game of it is left");
    }
}

static enum err rejoin(const struct args *args, const struct tournament_file *file, int team,
                       const char *reason, struct note *why)
{
    if (args_option(args, "after")) {
        return note_fail(why, ERR_INPUT, "--undo takes the whole withdrawal back: without --after");
    }
    enum err err = tournament_refuse_rejoin(&file->tournament, team, why);
    err = err ? err : store_rejoin(file->store, team, reason, why);
    if (!err) {
        print_rejoined(file, team);
    }
    return err;
}

static enum err run_withdraw(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    int team = 0;
    int rounds = 0;
    enum err err = open_with_reason(args, STORE_CHANGE, &file, &reason, why);
    err = err ? err : find_team(&file, args->values[1], &team, why);
    if (!err && args_option(args, "undo")) {
        err = rejoin(args, &file, team, reason, why);
    } else if (!err) {
        err = choose_rounds(args, &file.tournament, team, &rounds, why);
        err = err ? err : store_withdraw(file.store, team, rounds, reason, why);
        if (!err) {
            printf("team %s plays no games from round %d on; its finished games count\n",
                   args->values[1], rounds + 1);
        }
    }
    tournament_file_close(&file);
    return err;
}

/* What it plays, as the database has it now. */
static enum err print_entered(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    char word[PATH_MAX];
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    if (!err) {
        int team = roster_find(&file.roster, args->values[1]);
        printf("team %s takes part ", args->values[1]);
        if (file.roster.format == ROSTER_SWISS) {
            printf("from round %d on", file.roster.teams[team].entered_after + 1);
        } else {
            printf("in a round after all others");
        }
        printf("; continue with: plum tournament resume %s\n",
               shell_word(args->values[0], word, sizeof word));
    }
    tournament_file_close(&file);
    return err;
}

static enum err run_enter(const struct args *args, struct note *why)
{
    static struct roster_problems problems; /* too large for the stack */
    struct tournament_file file = {0};
    const char *reason = NULL;
    enum err err = open_with_reason(args, STORE_CHANGE, &file, &reason, why);
    err = err ? err
              : late_entry_add(&file, args_option(args, "roster"), args->values[1], reason,
                               args->cpu, &problems, why);
    tournament_file_close(&file);
    if (err) {
        const char *roster = args_option(args, "roster");
        tournament_args_print_problems(roster ? roster : "roster", &problems);
    }
    return err ? err : print_entered(args, why);
}

/* Its games that would count, or do if they are kept. */
static int finished_games(const struct tournament *t, int team)
{
    int count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_own = game->team[0] == team || game->team[1] == team;
        count += is_own && (game->status == GAME_PLAYED || game->is_voided);
    }
    return count;
}

static void print_reinstated(const struct tournament_file *file, int team)
{
    char word[PATH_MAX];
    printf("team %s is in the ranking again; its finished games (%d) count\n"
           "To play what it has left: plum tournament resume %s\n",
           file->roster.teams[team].id, finished_games(&file->tournament, team),
           shell_word(store_path(file->store), word, sizeof word));
}

static void print_disqualified(const struct tournament_file *file, int team,
                               enum disqualified_games games)
{
    bool are_kept = games == DISQUALIFIED_GAMES_BY_ROSTER ? file->roster.keeps_disqualified_games
                                                          : games == DISQUALIFIED_GAMES_KEEP;
    printf("team %s is disqualified; its finished games (%d) %s\n", file->roster.teams[team].id,
           finished_games(&file->tournament, team),
           are_kept ? "count for its opponents" : "are void");
}

static enum err choose_disqualified_games(const struct args *args, enum disqualified_games *out,
                                          struct note *why)
{
    const char *games = args_option(args, "games");
    if (games && args_option(args, "undo")) {
        return note_fail(why, ERR_INPUT, "--undo lets all its games count again: without --games");
    }
    *out = !games                       ? DISQUALIFIED_GAMES_BY_ROSTER
           : strcmp(games, "keep") == 0 ? DISQUALIFIED_GAMES_KEEP
                                        : DISQUALIFIED_GAMES_VOID;
    return ERR_NONE;
}

static enum err run_disqualify(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    int team = 0;
    bool is_taken_back = args_option(args, "undo");
    enum disqualified_games games = DISQUALIFIED_GAMES_BY_ROSTER;
    enum err err = choose_disqualified_games(args, &games, why);
    err = err ? err : open_with_reason(args, STORE_CHANGE, &file, &reason, why);
    err = err ? err : find_team(&file, args->values[1], &team, why);
    if (!err && file.tournament.disqualifications[team].is_set != is_taken_back) {
        err = note_fail(why, ERR_NEGATIVE, "team %s is %s", args->values[1],
                        is_taken_back ? "not disqualified" : "disqualified already");
    }
    if (!err && is_taken_back) {
        err = store_reinstate(file.store, team, reason, why);
    } else if (!err) {
        err = store_disqualify(file.store, team, games, reason, why);
    }
    if (!err && is_taken_back) {
        print_reinstated(&file, team);
    } else if (!err) {
        print_disqualified(&file, team, games);
    }
    tournament_file_close(&file);
    return err;
}

static const char *const note_options[RULING_KEYS] = {
    [RULING_DAYS_LATE] = "days-late",
    [RULING_PLAGIARISM] = "plagiarism",
    [RULING_WRONG_NAME] = "wrong-name",
    [RULING_MISSING_REPORT] = "missing-report",
};

static enum err add_note(const struct args *args, struct store *store, int team, int key, int days,
                         const char *reason, struct note *why)
{
    const char *text = args_option(args, note_options[key]);
    char entry[RULING_BYTES];
    if (!text) {
        return ERR_NONE;
    }
    int value = key == RULING_DAYS_LATE ? days : strcmp(text, "yes") == 0;
    ruling_write((enum ruling_key)key, value, entry);
    enum err err = store_audit_team(store, team, entry, reason, why);
    if (!err) {
        printf("team %s: %s\n", args->values[1], entry);
    }
    return err;
}

static enum err run_note(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    int team = 0;
    int days = 0;
    int given = 0;
    for (int key = 0; key < RULING_KEYS; key++) {
        given += args_option(args, note_options[key]) != NULL;
    }
    enum err err = ARGS_FIELDS(args, why, {"reason", ARGS_TEXT, &reason, 0, 0},
                               {"days-late", ARGS_INT, &days, 0, MOST_DAYS});
    if (!err && !given) {
        err = note_fail(why, ERR_INPUT,
                        "nothing to note: use an option such as --days-late 2 or --plagiarism yes");
    }
    err = err ? err : open_with_reason(args, STORE_ANNOTATE, &file, &reason, why);
    err = err ? err : find_team(&file, args->values[1], &team, why);
    for (int key = 0; !err && key < RULING_KEYS; key++) {
        err = add_note(args, file.store, team, key, days, reason, why);
    }
    if (!err) {
        printf("It counts when you grade: plum tournament grade %s -o grades.csv\n",
               args->values[0]);
    }
    tournament_file_close(&file);
    return err;
}

/* --- Machines --- */

struct machine_search {
    const char *name;
    bool is_found;
    bool is_quarantined;
    struct note known; /* names */
};

static bool look_at_machine(void *owner, const struct store_machine *machine)
{
    struct machine_search *search = owner;
    if (strcmp(machine->name, search->name) == 0) {
        search->is_found = true;
        search->is_quarantined = machine->quarantine;
    } else if (*machine->name) {
        struct note others = search->known;
        note_set(&search->known, "%.300s%s%s", others.text, *others.text ? ", " : "",
                 machine->name);
    }
    return true;
}

/* ERR_NEGATIVE: there is nothing to do. ERR_INPUT: no such machine has played. */
static enum err find_machine(struct store *store, const char *name, bool is_taken_back,
                             struct note *why)
{
    struct machine_search search = {.name = name};
    enum err err = store_each_machine(store, look_at_machine, &search, why);
    if (!err && (!search.is_found || !*name)) {
        err = note_fail(why, ERR_INPUT, "no machine '%.60s' has played; %s%.250s", name,
                        *search.known.text ? "those that have: " : "no worker has",
                        search.known.text);
    } else if (!err && search.is_quarantined != is_taken_back) {
        err = note_fail(why, ERR_NEGATIVE, "the machine %.60s is %s", name,
                        is_taken_back ? "not in quarantine" : "in quarantine already");
    }
    return err;
}

static enum err run_quarantine(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    const char *machine = args->values[1];
    bool is_taken_back = args_option(args, "undo");
    size_t games = 0;
    char word[PATH_MAX];
    enum err err = open_with_reason(args, STORE_CHANGE, &file, &reason, why);
    err = err ? err : find_machine(file.store, machine, is_taken_back, why);
    err = err ? err : store_quarantine(file.store, machine, is_taken_back, reason, &games, why);
    tournament_file_close(&file);
    if (!err && is_taken_back) {
        printf("the machine %s may play again\n", machine);
    } else if (!err) {
        printf("the machine %s may not play any more; %zu of its games will be played again by: "
               "plum tournament resume %s --workers\n",
               machine, games, shell_word(args->values[0], word, sizeof word));
    }
    return err;
}

/* --- A copy --- */

static enum err run_backup(const struct args *args, struct note *why)
{
    struct store *store = NULL;
    const char *copy = NULL;
    enum err err = ARGS_FIELDS(args, why, {"output", ARGS_TEXT, &copy, 0, 0});
    err = err ? err : store_open(args->values[0], STORE_READ, &store, why);
    err = err ? err : store_backup(store, copy, why);
    store_close(store);
    return err;
}

/* --- The commands --- */

const struct command cmd_tournament_annul = {
    .name = "tournament annul",
    .run = run_annul,
    .summary = "annul results: of games, a team or a round",
    .operands = "FILE GAME...",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log"},
                {"undo", NULL, "let annulled games count again"}},
};

const struct command cmd_tournament_replay = {
    .name = "tournament replay",
    .run = run_replay,
    .summary = "have games played again: games, a team's or a round's",
    .operands = "FILE GAME...",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log"}},
};

const struct command cmd_tournament_enter = {
    .name = "tournament enter",
    .run = run_enter,
    .summary = "let a team enter that was not there at the start",
    .operands = "FILE TEAM",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log"},
                {"roster", "FILE", "the file that has its section (the tournament's roster)"}},
};

const struct command cmd_tournament_withdraw = {
    .name = "tournament withdraw",
    .run = run_withdraw,
    .summary = "let a team play no more games",
    .operands = "FILE TEAM",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log"},
                {"after", "ROUND", "the last round that it plays (what it has played)"},
                {"undo", NULL, "let the team take part again"}},
};

const struct command cmd_tournament_disqualify = {
    .name = "tournament disqualify",
    .run = run_disqualify,
    .summary = "take a team out of the ranking",
    .operands = "FILE TEAM",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log and the class"},
                {"games", "void|keep", "its finished games (disqualified_games of the roster)"},
                {"undo", NULL, "take the disqualification back"}},
};

const struct command cmd_tournament_note = {
    .name = "tournament note",
    .run = run_note,
    .summary = "note what was found out later about a submission, for its marks",
    .operands = "FILE TEAM",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log; the team can read it"},
                {"days-late", "N", "handed in N days late"},
                {"plagiarism", "yes|no", "it is the work of another person"},
                {"wrong-name", "yes|no", "a file has a wrong name"},
                {"missing-report", "yes|no", "there is no report"}},
};

const struct command cmd_tournament_quarantine = {
    .name = "tournament quarantine",
    .run = run_quarantine,
    .summary = "refuse a machine, and have its games played again elsewhere",
    .operands = "FILE MACHINE",
    .required = "reason",
    .options = {{"reason", "TEXT", "the reason, for the audit log and the worker"},
                {"undo", NULL, "let the machine play again"}},
};

const struct command cmd_tournament_backup = {
    .name = "tournament backup",
    .run = run_backup,
    .summary = "copy a tournament's database, also while it runs",
    .operands = "FILE",
    .required = "output",
    .options = {{"output", "FILE", "the copy; -o for short"}},
};
