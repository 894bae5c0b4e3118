#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "engine/level.h"

enum { NAME_COLUMNS = 13 };

static enum err print_json(struct note *why)
{
    json_t *list = json_array();
    for (int level = 1; level <= LEVEL_MAX; level++) {
        const struct level_words *words = level_words(level);
        json_t *row = json_pack("{s:i, s:s, s:s}", "level", level, "name", words->name, "sentence",
                                words->sentence);
        list = json_out_append(list, row);
    }
    return json_out_take(list, why);
}

static enum err run(const struct args *args, struct note *why)
{
    if (args_option(args, "json")) {
        return print_json(why);
    }
    for (int level = 1; level <= LEVEL_MAX; level++) {
        const struct level_words *words = level_words(level);
        printf("%2d  %-*s%s\n", level, NAME_COLUMNS, words->name, words->sentence);
    }
    return ERR_NONE;
}

const struct command cmd_levels = {
    .name = "levels",
    .run = run,
    .summary = "list the engine's ten levels and what to expect of each",
    .operands = "",
    .details =
        "One level a line: its number, which the option --level and builtin:LEVEL take, its\n"
        "name, and how it plays. They are the same in every game. Level 1 is as strong as a\n"
        "player that moves at random; level 10 is the full engine. A move ahead is a move\n"
        "of either side.\n"
        "\n"
        "Levels 1 to 9 err as people do: they overlook moves and misjudge them a little.\n"
        "The same level, seed and position always give the same move.",
    .options = {{"json", NULL, "an array of {\"level\", \"name\", \"sentence\"}"}},
    .examples = {{"plum levels", "from the weakest to the strongest"},
                 {"plum levels --json", "the same for programs"}},
};
