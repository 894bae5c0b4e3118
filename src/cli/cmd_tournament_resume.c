#include "cli/args.h"
#include "cli/cli.h"
#include "cli/roster_remarks.h"
#include "cli/serving.h"
#include "store/tournament_file.h"
#include "cli/tournament_run.h"

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    struct web_server *server = NULL;
    enum err err = tournament_file_open(&file, args->values[0], STORE_CHANGE, args->cpu, why);
    if (!err) {
        err = serving_start(args, store_path(file.store), &server, why);
    }
    if (!err) {
        bool has_begun = false;
        roster_remarks_print(file.store);
        err = tournament_run(&file, args, &has_begun, why);
    }
    if (!err) {
        serving_linger(server);
    }
    web_server_stop(server);
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_resume = {
    .name = "tournament resume",
    .run = run,
    .summary = "go on with a tournament that was stopped",
    .operands = "FILE",
    .details = "FILE is the database. Finished games stand; a game that was interrupted is played\n"
               "again from its start with its own seed. Games that were set aside by 'plum\n"
               "tournament replay' are played, too.",
    .options = {{"concurrency", "N", "games at once (one core an agent, one for the judge)"},
                {"serve", "[PORT]", "open a page on this machine to watch it on (8080)"},
                {"json", NULL, "print the standings as JSON"}},
    .examples = {{"plum tournament resume class.db", "play what is left"}},
};
