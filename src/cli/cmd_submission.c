/* cmd_submission: submission. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/shell_word.h"
#include "cli/args.h"
#include "course/agent_submission.h"

static const int64_t longest_limit_ns = 86400 * CLOCK_NS_PER_S;

/* The game's report that `make reports` wrote: in plum's own folder, or where `make install` puts
 * it. */
static enum err find_report(const struct game *game, char path[PATH_MAX], struct note *why)
{
    static const char *const places[] = {"reports", "../share/plum/reports"};
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int needed = snprintf(path + folder, PATH_MAX - folder, "%s/%s.pdf", places[i],
                              game->assignment.kit);
        if (needed < (int)(PATH_MAX - folder) && access(path, F_OK) == 0) {
            return ERR_NONE;
        }
    }
    return note_fail(why, ERR_ENVIRONMENT,
                     "there is no report of %.40s yet: run 'make reports' in plum's sources (it "
                     "needs Chromium), or name one with --report FILE.pdf",
                     game->name);
}

static enum err run_submission(const struct args *args, struct note *why)
{
    struct agent_submission submission = {.source = {.language = "cpp", .has_client_file = true}};
    struct agent_source *source = &submission.source;
    char report[PATH_MAX];
    char path[PATH_MAX];
    char word[4 * PATH_MAX];
    struct note files;
    enum err err = args_game(args, &source->game, why);
    if (err) {
        return err;
    }
    source->limit_ns = (int64_t)(source->game->time_limit_s * (double)CLOCK_NS_PER_S);
    err = ARGS_FIELDS(
        args, why, {"id", ARGS_TEXT, &source->team, 0, 0},
        {"output", ARGS_TEXT, &submission.folder, 0, 0},
        {"source", ARGS_TEXT, &source->language, 0, 0},
        {"report", ARGS_TEXT, &submission.report, 0, 0},
        {"time-limit", ARGS_SECONDS, &source->limit_ns, CLOCK_NS_PER_MS, longest_limit_ns});
    if (!err && !submission.report) {
        err = find_report(source->game, report, why);
        submission.report = report;
    }
    if (err || (err = agent_submission_write(&submission, path, sizeof path, &files, why))) {
        return err;
    }
    printf("%s: %s\n", path, files.text);
    printf("Check it: plum tournament init %s %s -o class.ini\n", source->game->name,
           shell_word(submission.folder, word, sizeof word));
    return ERR_NONE;
}

const struct command cmd_submission = {
    .name = "submission",
    .run = run_submission,
    .summary = "write our agent as a student hands it in",
    .operands = "GAME",
    .required = "id output",
    .options = {{"id", "ID", "the student's number, or the team's"},
                {"output", "DIR", "the folder for the zip; -o for short"},
                {"source", "cpp|python", "the language (cpp)"},
                {"report", "FILE", "another report, a PDF"},
                {"time-limit", "SECONDS", "for a move (the game's own: @time-limits@)"}},
};
