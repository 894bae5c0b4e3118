#include <stdio.h>
#include <stdlib.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "store/tournament_file.h"
#include "cli/tournament_table.h"

static enum err print_record(struct tournament_file *file, const char *word, bool is_json,
                             struct note *why)
{
    int game = 0;
    char *text = NULL;
    enum err err = tournament_file_game(file, word, &game, why);
    if (!err) {
        err = store_record(file->store, game, STORE_LATEST, &text, why);
    }
    if (!err && !text) {
        note_set(why, "game %d was not played yet", game + 1);
        err = ERR_NEGATIVE;
    }
    if (!err && is_json) {
        tournament_table_record_json(&file->tournament, game, text);
    } else if (!err) {
        fputs(text, stdout);
    }
    free(text);
    return err;
}

static enum err print_list(struct tournament_file *file, const struct args *args, struct note *why)
{
    const char *id = args_option(args, "team");
    int team = TABLE_ALL;
    enum err err = id ? tournament_file_team(file, id, &team, why) : ERR_NONE;
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        tournament_table_games_json(&file->tournament, team);
    } else {
        tournament_table_games(stdout, &file->tournament, team);
    }
    return ERR_NONE;
}

static enum err run(const struct args *args, struct note *why)
{
    struct tournament_file file = {0};
    enum err err = tournament_file_open(&file, args->values[0], STORE_READ, args->cpu, why);
    if (!err) {
        err = args->count > 1 ? print_record(&file, args->values[1], args_option(args, "json"), why)
                              : print_list(&file, args, why);
    }
    tournament_file_close(&file);
    return err;
}

const struct command cmd_tournament_games = {
    .name = "tournament games",
    .run = run,
    .summary = "list the games, or print the record of one",
    .operands = "FILE [NUMBER]",
    .details = "Without a NUMBER: every game with its round, teams, result, length and faults.\n"
               "With one: the record of that game, which 'plum replay' reads; with --json the\n"
               "game's entry of the list, the record in it.",
    .options = {{"team", "ID", "only the games of this team"}, {"json", NULL, "print JSON"}},
    .examples = {{"plum tournament games class.db --team 7", "all games of team 7"},
                 {"plum tournament games class.db 12 > game12.txt", "the record of game 12"}},
};
