#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "engine/engine.h"
#include "game/registry.h"

enum { HASH_MB = 16, MAX_LINE = 128 };

static const char default_file[] = "bench/signatures.txt";

struct row {
    const char *game;
    int depth;
    const char *position;
};

/* From the start, and from games of the engine against itself. */
static const struct row rows[] = {
    {"hop", 11, "start"},
    {"hop", 11, "......../.XX...../.XXX..OO/.XX..OO./.....OO./.X...OO./X......./......O. b 6 6"},
    {"hop", 11, "......../......../..XXOO../....OO../..XXOO../..XX..X./...O..../..O..... b 18 18"},
    {"hop-noloop", 11, "start"},
    {"hop-noloop", 11,
     "X......./.X....../X.X...O./.XXX.OO./.XX..O../.....OOO/......../.....OO. b 6 6"},
    {"hop-noloop", 11,
     "...O..../......O./......../..XX..../..XX.OO./....OO../...XOO../........ b 18 18"},
    {"meichu", 9, "start"},
    {"meichu", 9,
     "...sfb.../.b..b..b./.bs.s..b./..bbbss../...S...../S...BBB../.B....SB./.B.SBS.B./...BFB... "
     "b 140 141"},
    {"meichu", 9,
     "...bfb.../.b.sb..b./.b.....b./..bbb.b../....S..../..BB..B../.B.....B./.B..B..../...BFs... "
     "w 121 109"},
    {"othello", 12, "start"},
    {"othello", 12, ".XXXX.../..XO..../.OXXXX../OOXOX.../OOOXXX../.OOOX.../...XX.../....X... w"},
    {"othello", 60, ".XXXX.O./.OOOOX../OOOOXXOX/.XOOOOOO/XXXOOOO./OXXOOOX./.XXOOX../..OO.X.. b"},
    {"reversi", 8, "start"},
    {"reversi", 9, "#......#/...X..O./..OXXO../.OOOOOO./.XOOXOO./..XXXX../..OXX.../#......# w"},
    {"reversi", 60, "#OX..X.#/.XOOOOOO/.XXOOOO./.XXOOXX./.XXOOXXX/.XOXXOX./.OXOOXX./#..XO..# b"},
};

/* The nodes of all searches of one game, each begun afresh. */
static enum err measure(struct engine *engine, const struct game *game, uint64_t *nodes,
                        int64_t *time_ns, struct note *why)
{
    uint64_t sum = 0;
    int64_t started = clock_now_ns();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct state state;
        struct engine_report report;
        struct engine_limits limits = {.depth = rows[i].depth};
        if (strcmp(rows[i].game, game->name) != 0) {
            continue;
        }
        enum err err = game_read_position(game, rows[i].position, &state, why);
        if (err) {
            return err;
        }
        engine_clear(engine);
        engine_search(engine, game, &state, &limits, NULL, NULL, NULL, &report);
        sum += report.nodes;
    }
    *nodes = sum;
    *time_ns = clock_now_ns() - started;
    return ERR_NONE;
}

/* The number behind the game's name in the file. */
static enum err read_expected(const char *path, const char *game, int64_t *out, struct note *why)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        note_set(why, "cannot read '%.200s'; --signatures names the file", path);
        return ERR_ENVIRONMENT;
    }
    char line[MAX_LINE];
    size_t length = strlen(game);
    enum err err = ERR_NEGATIVE;
    note_set(why, "'%.200s' has no line for %s", path, game);
    while (err == ERR_NEGATIVE && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, game, length) == 0 && line[length] == ' ') {
            err = number_read(line + length + 1, "the number of nodes", 0, INT64_MAX, out, why);
        }
    }
    fclose(file);
    return err;
}

static enum err bench_game(struct engine *engine, const struct game *game, const char *path,
                           struct note *why)
{
    uint64_t nodes = 0;
    int64_t time_ns = 0;
    int64_t expected = 0;
    enum err err = measure(engine, game, &nodes, &time_ns, why);
    if (err) {
        return err;
    }
    printf("%s %" PRIu64 "\n", game->name, nodes);
    fflush(stdout);
    fprintf(stderr, "%s: %.2f million nodes/s\n", game->name,
            (double)nodes * 1e3 / (double)time_ns);
    err = read_expected(path, game->name, &expected, why);
    if (!err && (uint64_t)expected != nodes) {
        note_set(why, "%s: %" PRIu64 " nodes, but '%.200s' says %" PRId64, game->name, nodes, path,
                 expected);
        err = ERR_NEGATIVE;
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    const char *path = args_option(args, "signatures");
    const struct game *chosen = NULL;
    struct engine engine = {0};
    enum err err = args->count ? args_game(args, &chosen, why) : ERR_NONE;
    if (!err) {
        err = engine_init(&engine, HASH_MB, 1, why);
    }
    if (err) {
        return err;
    }
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
        struct note wrong;
        enum err found = ERR_NONE;
        if (!chosen || chosen == game) {
            found = bench_game(&engine, game, path ? path : default_file, &wrong);
        }
        if (found && !err) {
            err = found;
            *why = wrong;
        }
    }
    engine_free(&engine);
    return err;
}

const struct command cmd_bench = {
    .name = "bench",
    .run = run,
    .summary = "count the nodes of fixed searches and compare",
    .operands = "[GAME]",
    .details = "Searches a few positions of each game to a fixed depth and prints the number of\n"
               "nodes: the engine's signature, the same on every machine, and changed by whatever\n"
               "changes how it plays. A signature other than that in the file is an error. The\n"
               "speed goes to stderr.",
    .options = {{"signatures", "FILE", "what to compare with (bench/signatures.txt)"}},
    .examples = {{"plum bench", "all games, from the project's folder"},
                 {"plum bench hop", "one of them"}},
};
