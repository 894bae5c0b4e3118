#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "store/store.h"

static enum err run(const struct args *args, struct note *why)
{
    struct store *store = NULL;
    const char *copy = args_option(args, "output");
    if (!copy) {
        note_set(why, "-o FILE is missing: where the copy goes");
        return ERR_INPUT;
    }
    enum err err = store_open(args->values[0], STORE_READ, &store, why);
    if (!err) {
        err = store_backup(store, copy, why);
    }
    store_close(store);
    return err;
}

const struct command cmd_tournament_backup = {
    .name = "tournament backup",
    .run = run,
    .summary = "copy a tournament's database, also while it runs",
    .operands = "FILE",
    .required = "output",
    .details = "The copy is complete and checked, and has its name only then. It must not exist\n"
               "yet. Do not copy the file by other means while the tournament runs: what was\n"
               "written last is in other files next to it.",
    .options = {{"output", "FILE", "the copy; -o for short"}},
    .examples = {{"plum tournament backup class.db -o monday.db", "for the shelf"}},
};
