#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "app/entrants.h"
#include "cli/roster_remarks.h"
#include "cli/serving.h"
#include "store/tournament_file.h"
#include "cli/tournament_run.h"

/* class.ini has class.db, any other name just gets the ending. */
static void name_database(const char *roster, char out[PATH_MAX])
{
    size_t length = strlen(roster);
    bool is_ini = length > 4 && strcmp(roster + length - 4, ".ini") == 0;
    snprintf(out, PATH_MAX, "%.*s.db", (int)(is_ini ? length - 4 : length), roster);
}

static enum err find_folder(const char *roster, char out[PATH_MAX], char name[NAME_MAX + 1],
                            struct note *why)
{
    if (!realpath(roster, out)) {
        note_set(why, "cannot read %.200s: %s", roster, strerror(errno));
        return ERR_INPUT;
    }
    char *slash = strrchr(out, '/');
    utf8_clean(slash + 1, name, NAME_MAX + 1);
    slash[slash == out] = '\0';
    return ERR_NONE;
}

/* Before a database is made: nobody wants to resume a tournament that could never begin. */
static enum err refuse_missing(const char *path, const struct roster *roster, const char *folder,
                               struct note *why)
{
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct roster_problems *problems = calloc(1, sizeof *problems);
    enum err err = ERR_NONE;
    if (here < 0 || !problems || chdir(folder)) {
        note_set(why, "cannot enter the folder %.200s: %s", folder, strerror(errno));
        err = ERR_ENVIRONMENT;
    } else {
        entrants_find_missing(roster, problems);
        if (fchdir(here)) {
            note_set(why, "cannot come back from the folder %.200s: %s", folder, strerror(errno));
            err = ERR_ENVIRONMENT;
        } else if (problems->count) {
            roster_remarks_problems(path, problems);
            roster_problems_sum_up(problems, path, why);
            err = ERR_INPUT;
        }
    }
    free(problems);
    if (here >= 0) {
        close(here);
    }
    return err;
}

static enum err refuse_roster(const char *roster, const char *database, struct note *why)
{
    struct stat one;
    struct stat other;
    if (stat(roster, &one) == 0 && stat(database, &other) == 0 && one.st_ino == other.st_ino &&
        one.st_dev == other.st_dev) {
        note_set(why, "--db %.200s: that is the roster; the database must be another file",
                 database);
        return ERR_INPUT;
    }
    return ERR_NONE;
}

static enum err create(const struct args *args, struct tournament_file *file, struct note *why)
{
    const char *path = args->values[0];
    const char *database = args_option(args, "db");
    char usual[PATH_MAX];
    char folder[PATH_MAX];
    char name[NAME_MAX + 1];
    char *text = NULL;
    struct roster roster = {0};
    struct roster_problems *problems = malloc(sizeof *problems);
    if (!problems) {
        note_set(why, "no memory to read %.200s", path);
        return ERR_ENVIRONMENT;
    }
    name_database(path, usual);
    enum err err = tournament_file_read_roster(path, args->cpu, &text, &roster, problems, why);
    if (err) {
        roster_remarks_problems(path, problems);
    } else {
        err = find_folder(path, folder, name, why);
    }
    if (!err) {
        err = refuse_missing(path, &roster, folder, why);
    }
    if (!err) {
        err = refuse_roster(path, database ? database : usual, why);
    }
    if (!err) {
        err = tournament_file_create(file, database ? database : usual, &roster, text, folder, name,
                                     args->cpu, why);
    }
    roster_free(&roster);
    free(problems);
    free(text);
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    struct web_server *server = NULL;
    bool has_begun = false;
    enum err err = create(args, &file, why);
    if (err) {
        tournament_file_close(&file);
        return err;
    }
    err = serving_start(args, store_path(file.store), &server, why);
    if (!err) {
        err = tournament_run(&file, args, &has_begun, why);
    }
    if (!err) {
        serving_linger(server);
    }
    web_server_stop(server);
    if (has_begun) {
        tournament_file_close(&file);
    } else { /* the corrected command must not find it there already */
        tournament_file_remove(&file);
    }
    return err;
}

const struct command cmd_tournament_run = {
    .name = "tournament run",
    .run = run,
    .summary = "play the tournament that a roster describes",
    .operands = "FILE",
    .details = "FILE is a roster. Everything is kept in a database beside it (class.ini has\n"
               "class.db) the moment it is certain: after Ctrl-C, a crash or a power cut 'plum\n"
               "tournament resume' goes on where it was, and the final table is the same.\n"
               "\n"
               "On a terminal the standings are shown while it runs. At the end they are\n"
               "printed; the page that --serve has opened then stays until Ctrl-C.",
    .options = {{"db", "FILE", "the database to make (the roster's name with .db)"},
                {"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"json", NULL, "print the standings as JSON"}},
    .examples = {{"plum tournament run class.ini", "play it all"},
                 {"plum tournament run class.ini --serve", "and watch it in a browser"},
                 {"plum tournament run class.ini --db second.db --concurrency 4",
                  "once more, four games at a time"}},
};
