#include "cli/args.h"
#include "cli/cli.h"
#include "cli/thinking.h"
#include "cli/ugi_session.h"

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct engine engine = {0};
    enum err err = args_game(args, &game, why);
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    return err ? err : ugi_session_take(game, engine, ENGINE_MAX_LEVEL, why);
}

const struct command cmd_engine = {
    .name = "engine",
    .run = run,
    .summary = "the engine as a UGI program on stdin and stdout",
    .operands = "GAME",
    .details = "Speaks the Universal Game Interface, line by line: ugi, isready, setoption,\n"
               "uginewgame, position, query, go, stop, quit. Positions and moves are written as\n"
               "everywhere in plum; Black is p1. A line that makes no sense is answered by\n"
               "'info string' and forgotten.",
    .options = {THINKING_OPTIONS},
    .examples = {{"printf 'position startpos moves 34\\ngo depth 6\\n' | plum engine reversi",
                  "White's answer"}},
};
