#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_change.h"
#include "store/tournament_file.h"
#include "report/ruling.h"

enum { MOST_DAYS = 1000 };

/* What is noted, by key. */
struct notes {
    bool is_given[RULING_KEYS];
    int value[RULING_KEYS];
    int count;
};

static const char *const options[RULING_KEYS] = {
    [RULING_DAYS_LATE] = "days-late",
    [RULING_PLAGIARISM] = "plagiarism",
    [RULING_WRONG_NAME] = "wrong-name",
    [RULING_MISSING_REPORT] = "missing-report",
};

static enum err read_notes(const struct args *args, struct notes *out, struct note *why)
{
    int64_t days = 0;
    enum err err = args_number(args, options[RULING_DAYS_LATE], 0, MOST_DAYS, &days, why);
    for (int key = 0; key < RULING_KEYS; key++) {
        const char *text = args_option(args, options[key]);
        out->is_given[key] = text;
        out->count += out->is_given[key];
        out->value[key] = key == RULING_DAYS_LATE ? (int)days : text && strcmp(text, "yes") == 0;
    }
    if (!err && !out->count) {
        note_set(why, "nothing to note: say what, as in --days-late 2 or --plagiarism yes");
        err = ERR_INPUT;
    }
    return err;
}

static enum err keep(const struct args *args, struct tournament_file *file,
                     const struct notes *notes, const char *reason, struct note *why)
{
    int team = 0;
    enum err err = tournament_file_team(file, args->values[1], &team, why);
    for (int key = 0; !err && key < RULING_KEYS; key++) {
        char entry[RULING_BYTES];
        if (notes->is_given[key]) {
            ruling_write((enum ruling_key)key, notes->value[key], entry);
            err = store_audit_team(file->store, team, entry, reason, why);
        }
        if (!err && notes->is_given[key]) {
            printf("team %s: %s\n", args->values[1], entry);
        }
    }
    if (!err) {
        printf("It counts when you grade: plum tournament grade %s -o grades.csv\n",
               args->values[0]);
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    struct notes notes = {0};
    const char *reason = NULL;
    enum err err = tournament_change_reason(args, &reason, why);
    if (!err) {
        err = read_notes(args, &notes, why);
    }
    if (!err) {
        err = tournament_file_open(&file, args->values[0], STORE_ANNOTATE, args->cpu, why);
    }
    if (!err) {
        err = keep(args, &file, &notes, reason, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_note = {
    .name = "tournament note",
    .run = run,
    .summary = "note what came to light about a submission, for its marks",
    .operands = "FILE TEAM",
    .required = "reason",
    .details = "The tournament keeps the roster as it was. What is found out later about how a\n"
               "team handed in is noted here, with a reason, in the audit log: 'plum tournament\n"
               "grade' goes by the latest note, and where there is none by the roster. A note\n"
               "changes no result, and spectators do not hear of it; to take one back, note 'no'\n"
               "or 0 days. It may be made while the tournament runs.",
    .options = {{"reason", "TEXT", "why; it must be given, and the team gets to read it"},
                {"days-late", "N", "handed in so many days late"},
                {"plagiarism", "yes|no", "it is somebody else's work"},
                {"wrong-name", "yes|no", "a file has a wrong name"},
                {"missing-report", "yes|no", "there is no report"}},
    .examples = {{"plum tournament note class.db 7 --days-late 2 --reason 'came on Wednesday'",
                  "two days late"},
                 {"plum tournament note class.db 7 --plagiarism no --reason 'appeal accepted'",
                  "taken back"}},
};
