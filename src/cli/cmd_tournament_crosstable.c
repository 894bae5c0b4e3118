#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "store/tournament_file.h"
#include "cli/tournament_table.h"

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    if (!err) {
        err = args_option(args, "json") ? tournament_table_json(&file.tournament, true, why)
                                        : tournament_table_cross(stdout, &file.tournament, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_crosstable = {
    .name = "tournament crosstable",
    .run = run,
    .summary = "print what each team made against each other one",
    .operands = "FILE",
    .details = "A row and a column for each team, in the order of the standings; in a row stand\n"
               "the tournament points that this team made against the others. A dot: they have\n"
               "not met.",
    .options = {{"json", NULL, "print JSON"}},
    .examples = {{"plum tournament crosstable class.db", "who beat whom"}},
};
