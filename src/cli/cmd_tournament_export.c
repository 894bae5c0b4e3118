#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "store/tournament_file.h"

/* `path` is NULL for standard output, whose errors are told at the end of every command. */
static enum err write_records(struct tournament_file *file, FILE *out, const char *path,
                              struct note *why)
{
    const struct tournament *t = &file->tournament;
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < t->game_count; i++) {
        char *text = NULL;
        if (t->games[i].status == GAME_PLAYED) {
            err = store_record(file->store, (int)i, STORE_LATEST, &text, why);
        }
        if (text && fputs(text, out) < 0 && path) {
            note_set(why, "cannot write %.200s: %s", path, strerror(errno));
            err = ERR_ENVIRONMENT;
        }
        free(text);
    }
    return err;
}

/* It might be a database or a roster; devices and pipes have nothing to lose. */
static enum err refuse_existing(const char *path, struct note *why)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        note_set(why, "cannot write %.200s: %s", path, strerror(EEXIST));
        return ERR_INPUT;
    }
    return ERR_NONE;
}

static enum err write_to_file(struct tournament_file *file, const char *path, struct note *why)
{
    struct atomic_file out = {0};
    enum err err = refuse_existing(path, why);
    if (!err) {
        err = atomic_file_open(&out, path, why);
    }
    if (err) {
        return err;
    }
    err = write_records(file, out.stream, path, why);
    if (err) {
        atomic_file_discard(&out);
        return err;
    }
    return atomic_file_commit(&out, why);
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *path = args_option(args, "output");
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    if (!err) {
        err = path ? write_to_file(&file, path, why) : write_records(&file, stdout, NULL, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_export = {
    .name = "tournament export",
    .run = run,
    .summary = "write the records of all games that count",
    .operands = "FILE",
    .details = "In the order of the games, one record after another; 'plum replay' reads them. A\n"
               "file that is there already is not overwritten.",
    .options = {{"output", "FILE", "where to; -o for short (standard output)"}},
    .examples = {{"plum tournament export class.db -o class.txt", "all games in one file"}},
};
