#include "app/bench.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"

enum { LINE_BYTES = 128 };

struct bench_search {
    const char *game;
    int depth;
    const char *position;
};

/* From the start, and from games of the engine against itself. */
static const struct bench_search searches[] = {
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

enum err bench_count(struct engine *engine, const struct game *game, uint64_t *nodes,
                     int64_t *time_ns, struct note *why)
{
    uint64_t sum = 0;
    int64_t started = clock_now_ns();
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        struct state state;
        struct engine_report report;
        struct engine_limits limits = {.depth = searches[i].depth};
        if (strcmp(searches[i].game, game->name) != 0) {
            continue;
        }
        enum err err = game_read_position(game, searches[i].position, &state, why);
        if (err) {
            return err;
        }
        engine_clear(engine); /* searches do not depend on each other */
        engine_search(engine, game, &state, &limits, NULL, NULL, NULL, &report);
        sum += report.nodes;
    }
    *nodes = sum;
    *time_ns = clock_now_ns() - started;
    return ERR_NONE;
}

enum err bench_read_signature(const char *path, const char *game, int64_t *out, struct note *why)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        note_set(why, "cannot read '%.200s'; --signatures names the file", path);
        return ERR_ENVIRONMENT;
    }
    char line[LINE_BYTES];
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
