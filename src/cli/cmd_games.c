#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "game/registry.h"

enum { NAME_COLUMNS = 12 };

static enum err print_json(enum cpu_level cpu, struct note *why)
{
    json_t *list = json_array();
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        json_t *row = json_pack("{s:s, s:s, s:i, s:i}", "name", game->name, "summary",
                                game->summary, "rows", game->rows, "columns", game->columns);
        list = json_out_append(list, row);
    }
    return json_out_take(list, why);
}

static enum err run(const struct args *args, struct note *why)
{
    if (args_option(args, "json")) {
        return print_json(args->cpu, why);
    }
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
        printf("%-*s%s\n", NAME_COLUMNS, game->name, game->summary);
    }
    return ERR_NONE;
}

const struct command cmd_games = {
    .name = "games",
    .run = run,
    .summary = "list the games",
    .operands = "",
    .details = "One game a line: the name that the other commands take, and what it is.",
    .options = {{"json", NULL, "an array of {\"name\", \"summary\", \"rows\", \"columns\"}"}},
    .examples = {{"plum games", "names and one line each"},
                 {"plum games --json", "the same for programs"}},
};
