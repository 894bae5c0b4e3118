#include "app/bench.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "game/about.h"

enum { LINE_BYTES = 128 };

enum err bench_count(struct engine *engine, const struct game *game, uint64_t *nodes,
                     int64_t *time_ns, struct note *why)
{
    uint64_t sum = 0;
    int64_t started = clock_now_ns();
    for (const struct game_search *row = game->about->bench; row->depth; row++) {
        struct state state;
        struct engine_report report;
        struct engine_limits limits = {.depth = row->depth};
        enum err err = game_read_position(game, row->position, &state, why);
        if (err) {
            return err;
        }
        engine_clear(engine); /* searches do not depend on each other */
        engine_search(engine,
                      &(struct engine_request){.game = game, .state = &state, .limits = limits},
                      &report);
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
        return note_fail(why, ERR_ENVIRONMENT, "cannot read '%.200s'; --signatures names the file",
                         path);
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
