/* cmd_worker: a machine that plays for a tournament, and the files that workers need. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "play/tournament_session.h"
#include "play/tournament_workers.h"
#include "play/worker.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cluster/cluster_codec.h"
#include "cluster/worker_file.h"

extern const struct command cmd_worker, cmd_tournament_worker_file;

/* --- plum worker --- */

/* Parts of it may come from the coordinator. */
static void print_remark(void *owner, const char *sentence)
{
    char text[NOTE_BYTES];
    (void)owner;
    utf8_clean(sentence, text, sizeof text);
    fprintf(stderr, "plum worker: %s\n", text);
}

/* 90, 90s, 5m or 2h */
static enum err read_duration(const char *text, int64_t *out_ns, struct note *why)
{
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    char number[32];
    int64_t seconds = 1;
    int64_t count = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (length && text[length - 1] == units[i].letter) {
            seconds = units[i].seconds;
            length--;
            break;
        }
    }
    snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, text);
    if (number_read(number, "", 1, 1000000, &count, why)) {
        return note_fail(why, ERR_INPUT,
                         "--idle-exit: '%.50s' is not a duration such as 90s, 5m or 2h", text);
    }
    *out_ns = count * seconds * CLOCK_NS_PER_S;
    return ERR_NONE;
}

static enum err run_worker(const struct args *args, struct note *why)
{
    char version[CLUSTER_WORD_BYTES];
    const char *idle = args_option(args, "idle-exit");
    struct worker_options options = {
        .version = version,
        .cpu = args->cpu,
        .name = args_option(args, "name"),
        .on_remark = print_remark,
    };
    snprintf(version, sizeof version, "%s %s", PLUM_VERSION, cli_commit);
    enum err err = ARGS_FIELDS(
        args, why, {"concurrency", ARGS_INT, &options.concurrency, 1, CLUSTER_MAX_CONCURRENCY});
    if (!err && idle) {
        err = read_duration(idle, &options.idle_ns, why);
    }
    err = err ? err : queue_check_build(why);
    err = err ? err : worker_file_read(args->values[0], &options.address, why);
    if (err) {
        return err;
    }
    if (!worker_file_is_private(args->values[0])) {
        struct note warning;
        char word[PATH_MAX];
        note_set(&warning,
                 "WARNING: other users of this machine can read the worker file: chmod 600 %.200s",
                 shell_word(args->values[0], word, sizeof word));
        print_remark(NULL, warning.text);
    }
    options.stop = interrupt_sets_flag();
    return worker_run(&options, why); /* its last sentence is printed in any case */
}

const struct command cmd_worker = {
    .name = "worker",
    .run = run_worker,
    .summary = "play games of a tournament, a match or self-play that another machine runs",
    .operands = "FILE",
    .options = {{"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"name", "TEXT", "the name of this machine in records and status (the host's)"},
                {"idle-exit", "TIME", "end after this time without work: 90s, 5m, 2h (never)"}},
};

/* --- plum tournament worker-file --- */

static enum err write_files(const struct args *args, struct note *why)
{
    struct tournament_workers workers = {.folder = ""};
    char database[TOURNAMENT_SESSION_PATH_BYTES];
    const char *roster = args->values[0];
    const char *address = args_option(args, "workers");
    const char *folder = NULL;
    int count = 1;
    enum err err = ARGS_FIELDS(args, why, {"output", ARGS_TEXT, &folder, 0, 0},
                               {"count", ARGS_INT, &count, 1, TOURNAMENT_WORKERS_MAX_FILES});
    err = err ? err : queue_check_build(why);
    if (err) {
        return err;
    }
    size_t length = strlen(roster);
    bool is_roster = length > 4 && strcmp(roster + length - 4, ".ini") == 0;
    if (is_roster && access(roster, F_OK)) { /* a file of self-play may come later */
        return note_fail(why, ERR_INPUT, "%.200s: %s", roster, strerror(errno));
    }
    tournament_session_name_database(roster, args_option(args, "db"), database);
    err = tournament_workers_locate(&workers, database, why);
    err =
        err ? err
            : tournament_workers_write_files(&workers, address ? address : "", folder, count, why);
    if (!err && workers.address_change.text[0]) {
        fprintf(stderr, "plum %s: %s\n", args->command->name, workers.address_change.text);
    }
    if (!err) {
        printf("wrote %d worker file%s into %s; workers will connect to %s\n", count,
               count == 1 ? "" : "s", folder, workers.place);
    }
    return err;
}

const struct command cmd_tournament_worker_file = {
    .name = "tournament worker-file",
    .run = write_files,
    .summary = "write files for workers on other machines",
    .operands = "FILE",
    .required = "output",
    .options = {{"output", "DIR", "the folder to write them into"},
                {"count", "N", "how many (1)"},
                {"workers", "HOST:PORT", "where the server will be (as before; this host, 7586)"},
                {"db", "FILE", "the database of the roster (the roster's name with .db)"}},
};
