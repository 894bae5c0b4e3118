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
        err = args_option(args, "json")
                  ? tournament_table_json(&file.tournament, false, why)
                  : tournament_table_standings(stdout, &file.tournament, TABLE_ALL, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_standings = {
    .name = "tournament standings",
    .run = run,
    .summary = "print who stands where, with every tie-break's figure",
    .operands = "FILE",
    .details = "FILE is the database; the tournament may be running. Teams are ranked by points\n"
               "(2 a win, 1 a draw), games won, score differential, Buchholz cut-1,\n"
               "Sonneborn-Berger, direct encounter, and a lot drawn from the seed. Teams that\n"
               "finished no game are listed below the table.",
    .options = {{"json", NULL, "print JSON"}},
    .examples = {{"plum tournament standings class.db", "the table so far"}},
};
