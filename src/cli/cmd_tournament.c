#include <stddef.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/help.h"

extern const struct command cmd_tournament, cmd_tournament_annul, cmd_tournament_backup,
    cmd_tournament_check, cmd_tournament_crosstable, cmd_tournament_disqualify,
    cmd_tournament_enter, cmd_tournament_export, cmd_tournament_games, cmd_tournament_grade,
    cmd_tournament_init, cmd_tournament_note, cmd_tournament_plan, cmd_tournament_qualify,
    cmd_tournament_quarantine, cmd_tournament_replay, cmd_tournament_report, cmd_tournament_resume,
    cmd_tournament_run, cmd_tournament_standings, cmd_tournament_status, cmd_tournament_withdraw,
    cmd_tournament_worker_file;

static const struct command *const subcommands[] = {
    &cmd_tournament_init,
    &cmd_tournament_check,
    &cmd_tournament_plan,
    &cmd_tournament_qualify,
    &cmd_tournament_run,
    &cmd_tournament_resume,
    &cmd_tournament_status,
    &cmd_tournament_standings,
    &cmd_tournament_crosstable,
    &cmd_tournament_games,
    &cmd_tournament_enter,
    &cmd_tournament_withdraw,
    &cmd_tournament_disqualify,
    &cmd_tournament_annul,
    &cmd_tournament_replay,
    &cmd_tournament_note,
    &cmd_tournament_quarantine,
    &cmd_tournament_report,
    &cmd_tournament_grade,
    &cmd_tournament_backup,
    &cmd_tournament_export,
    &cmd_tournament_worker_file,
    NULL,
};

static enum err run(const struct args *args, struct note *why)
{
    (void)why;
    help_command(args->command);
    return ERR_NONE;
}

const struct command cmd_tournament = {
    .name = "tournament",
    .run = run,
    .summary = "run a tournament and rank its teams",
    .operands = "",
    .subcommands = subcommands,
};
