/* deepen: how long it takes to finish a depth.
 *
 * usage: deepen GAME A DEPTH POSITIONS SEED
 *
 * A is as in versus.h. Prints the time and the nodes for all positions together; they come from
 * random play.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "game/registry.h"
#include "random_plies.h"
#include "versus.h"

enum { PLIES = 8, PLIES_MORE = 16 };

static struct state random_position(const struct game *game, struct rng *rng)
{
    struct state state;
    int plies = 0;
    do {
        state = game->start();
        plies = PLIES + (int)rng_below(rng, PLIES_MORE);
    } while (!random_plies(game, rng, plies, &state));
    return state;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: deepen GAME A DEPTH POSITIONS SEED\n");
        return 2;
    }
    struct note why = {""};
    const struct game *game = registry_find(CPU_BASELINE, argv[1], &why);
    if (!game) {
        fprintf(stderr, "deepen: %s\n", why.text);
        return 2;
    }
    struct versus a = versus_load(argv[2], argv[1]);
    a.limits.depth = (int)strtol(argv[3], NULL, 10);
    struct rng rng = rng_make(strtoul(argv[5], NULL, 10));
    int64_t time_ns = 0;
    uint64_t nodes = 0;
    for (long left = strtol(argv[4], NULL, 10); left > 0; left--) {
        struct state state = random_position(game, &rng);
        versus_clear(&a, 1);
        int64_t started_ns = clock_now_ns();
        struct engine_report report = versus_think(&a, &state);
        time_ns += clock_now_ns() - started_ns;
        nodes += report.nodes;
    }
    printf("%s %s depth %s: %.1f s, %.1f million nodes\n", argv[1], argv[2], argv[3],
           (double)time_ns / CLOCK_NS_PER_S, (double)nodes / 1e6);
    return 0;
}
