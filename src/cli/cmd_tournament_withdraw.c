#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_change.h"
#include "store/tournament_file.h"

/* The first round with a game of this team that is still to be played, else the next round. */
static int rounds_so_far(const struct tournament *t, int team)
{
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_in_it = game->team[0] == team || game->team[1] == team;
        if (is_in_it && game->status == GAME_PLANNED) {
            return game->round;
        }
    }
    return t->rounds_paired;
}

/* What was played stands, so nobody can leave before it. */
static enum err refuse_past(const struct tournament *t, int team, int rounds, struct note *why)
{
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        bool is_in_it = game->team[0] == team || game->team[1] == team;
        if (is_in_it && game->status == GAME_PLAYED && game->round >= rounds) {
            note_set(why, "--after %d: team %s has played in round %d already", rounds,
                     t->roster->teams[team].id, game->round + 1);
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}

static enum err withdraw(const struct args *args, struct tournament_file *file, const char *reason,
                         struct note *why)
{
    const struct tournament *t = &file->tournament;
    int team = 0;
    enum err err = tournament_file_team(file, args->values[1], &team, why);
    if (err) {
        return err;
    }
    int64_t rounds = rounds_so_far(t, team);
    err = args_number(args, "after", 0, t->roster->rounds, &rounds, why);
    if (!err && args_option(args, "after")) {
        err = refuse_past(t, team, (int)rounds, why);
    }
    if (!err && rounds >= t->roster->rounds) {
        note_set(why, "team %s has no game left to withdraw from", args->values[1]);
        err = ERR_NEGATIVE;
    }
    if (!err) {
        err = store_withdraw(file->store, team, (int)rounds, reason, why);
    }
    if (!err) {
        printf("team %s plays no more games from round %d on; what it has played stands\n",
               args->values[1], (int)rounds + 1);
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    const char *reason = NULL;
    enum err err = tournament_change_reason(args, &reason, why);
    if (!err) {
        err = tournament_file_open(&file, args->values[0], STORE_CHANGE, args->cpu, why);
    }
    if (!err) {
        err = withdraw(args, &file, reason, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_withdraw = {
    .name = "tournament withdraw",
    .run = run,
    .summary = "let a team play no more games",
    .operands = "FILE TEAM",
    .required = "reason",
    .details = "What the team played stands. From the round in which it has games left it is not\n"
               "paired any more; an opponent whose game is cancelled by this has a bye. In the\n"
               "standings a team that withdrew is below those that did not.",
    .options = {{"reason", "TEXT", "why; it must be given"},
                {"after", "ROUND", "the last round that it plays (what it has played)"}},
    .examples = {{"plum tournament withdraw class.db 7 --reason 'left the course'",
                  "team 7 is out"}},
};
