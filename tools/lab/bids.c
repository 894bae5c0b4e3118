/* bids: how often a colour of MeiChu wins after paying for it.
 *
 * usage: bids NODES SECONDS SEED
 *
 * Games of the engine against itself from the start, in which one side has paid something of
 * its budget; a few random plies at first make them differ. Prints `COLOUR PAYMENT GAMES
 * HALF-POINTS` of the side that has paid, for every colour and payment; bids.sh adds up many
 * of these and writes the table of chances in the game's about.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "random_plies.h"

enum { HASH_MB = 16, RANDOM_PLIES = 4, BUDGET = 150 };

static const int payments[] = {0, 20, 40, 60, 80, 100, 110, 120, 130, 140};
enum { PAYMENTS = sizeof payments / sizeof payments[0] };

static enum outcome play_game(struct engine *engine, const struct game *game, struct state state,
                              uint64_t nodes)
{
    engine_clear(engine);
    while (!game_is_over(game, &state)) {
        struct engine_limits limits = {.nodes = nodes};
        struct engine_report report;
        engine_search(engine,
                      &(struct engine_request){.game = game, .state = &state, .limits = limits},
                      &report);
        if (game->apply(&state, &report.move, NULL)) {
            fprintf(stderr, "bids: the engine made an illegal move\n");
            exit(1);
        }
    }
    return game->result(&state).outcome;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: bids NODES SECONDS SEED\n");
        return 2;
    }
    struct note why = {""};
    struct engine engine;
    const struct game *game = registry_find(CPU_BASELINE, "meichu", &why);
    if (!game || engine_init(&engine, HASH_MB, 1, &why)) {
        fprintf(stderr, "bids: %s\n", why.text);
        return 3;
    }
    uint64_t nodes = strtoul(argv[1], NULL, 10);
    int64_t end_ns = clock_now_ns() + strtol(argv[2], NULL, 10) * CLOCK_NS_PER_S;
    struct rng rng = rng_make(strtoul(argv[3], NULL, 10));
    long games[2][PAYMENTS] = {{0}};
    long points[2][PAYMENTS] = {{0}};
    while (clock_now_ns() < end_ns) {
        int side = (int)rng_below(&rng, 2);
        size_t row = rng_below(&rng, PAYMENTS);
        int budget[2] = {BUDGET, BUDGET};
        budget[side] -= payments[row];
        struct state state;
        do {
            state = game->start_with(budget);
        } while (!random_plies(game, &rng, RANDOM_PLIES, &state));
        enum outcome outcome = play_game(&engine, game, state, nodes);
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        games[side][row]++;
        points[side][row] += outcome == win ? 2 : outcome == OUTCOME_DRAW;
    }
    engine_free(&engine);
    for (int side = 0; side < 2; side++) {
        for (int row = 0; row < PAYMENTS; row++) {
            printf("%s %d %ld %ld\n", side_name((enum side)side), payments[row], games[side][row],
                   points[side][row]);
        }
    }
    return 0;
}
