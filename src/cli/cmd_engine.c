#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/thinking.h"
#include "app/ugi_session.h"

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct engine engine = {0};
    struct ugi_settings settings = {.level = ENGINE_MAX_LEVEL};
    enum err err = args_game(args, &game, why);
    if (!err) {
        err = args_number(args, "nodes", 1, INT64_MAX, &settings.nodes, why);
    }
    if (!err) {
        err = args_number(args, "level", 1, ENGINE_MAX_LEVEL, &settings.level, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    return err ? err : ugi_session_run(stdin, stdout, game, engine, settings, why);
}

const struct command cmd_engine = {
    .name = "engine",
    .run = run,
    .summary = "the engine as a UGI program on stdin and stdout",
    .operands = "GAME",
    .details = "Speaks the Universal Game Interface, line by line: ugi, isready, setoption,\n"
               "uginewgame, position, query, go, stop, quit. Positions and moves are written as\n"
               "everywhere in plum; Black is p1. A line that makes no sense is answered by\n"
               "'info string' and forgotten.\n"
               "\n"
               "'go' always gets its 'bestmove': words that it does not know are passed over,\n"
               "absurd numbers are cut, and where no limit is left it thinks for a second. Alone\n"
               "or with 'infinite' it waits for 'stop'. After a position that was refused it is\n"
               "about the one before, and says so.",
    .options = {{"nodes", "N", "at most so many nodes a move, whatever is asked"},
                {"level", "1..10", "how strong: plum levels lists them (10)"},
                THINKING_OPTIONS},
    .examples = {{"printf 'position startpos moves 34\\ngo depth 6\\n' | plum engine reversi",
                  "White's answer"}},
};
