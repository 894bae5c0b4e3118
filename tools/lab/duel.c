/* duel: two builds of the engine play pairs of games, colours swapped.
 *
 * usage: duel GAME A B SECONDS SEED [MOST_PAIRS]
 *
 * A and B are as in versus.h; A is a build. Each pair starts from one random opening that A
 * thinks balanced. Stops after the pair in which the seconds are over. Prints how many pairs
 * gave A 0, 1, 2, 3 and 4 half points, then wins, draws and losses; duel.sh runs many of
 * these at once and adds them up.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "random_plies.h"
#include "versus.h"

enum {
    OPENING_PLIES = 6,
    OPENING_PLIES_MORE = 6,
    BALANCED = 80, /* hundredths */
    BALANCE_NODES = 20000,
};

struct tally {
    long pairs[5];
    long games[3]; /* lost, drawn, won */
};

static bool is_balanced(struct versus *judge, const struct state *state)
{
    struct engine_limits limits = {.nodes = BALANCE_NODES};
    struct engine_report report;
    judge->clear(&judge->engine);
    judge->search(&judge->engine, judge->game, state, &limits, NULL, NULL, NULL, &report);
    return report.score <= BALANCED && report.score >= -BALANCED;
}

static struct state balanced_opening(struct versus *judge, struct rng *rng)
{
    struct state state;
    int plies = 0;
    do {
        state = judge->game->start();
        plies = OPENING_PLIES + (int)rng_below(rng, OPENING_PLIES_MORE);
    } while (!random_plies(judge->game, rng, plies, &state) || !is_balanced(judge, &state));
    return state;
}

/* Half points of the first player: 0, 1 or 2. */
static int play_game(struct versus *const players[2], struct state state, int first_side)
{
    const struct game *game = players[0]->game;
    while (!game_is_over(game, &state)) {
        int player = (int)game->to_move(&state) == first_side ? 0 : 1;
        struct engine_report report = versus_think(players[player], &state);
        struct note why = {""};
        if (game->apply(&state, &report.move, &why)) {
            fprintf(stderr, "duel: illegal move: %s\n", why.text);
            exit(1);
        }
    }
    enum outcome outcome = game->result(&state).outcome;
    enum outcome win = first_side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return outcome == OUTCOME_DRAW ? 1 : outcome == win ? 2 : 0;
}

static void play_pair(struct versus *const players[2], struct rng *rng, struct tally *tally)
{
    struct state opening = balanced_opening(players[0], rng);
    int sum = 0;
    for (int side = 0; side < 2; side++) {
        uint64_t seed = rng_next(rng);
        versus_clear(players[0], seed);
        versus_clear(players[1], seed + 1);
        int points = play_game(players, opening, side);
        tally->games[points]++;
        sum += points;
    }
    tally->pairs[sum]++;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: duel GAME A B SECONDS SEED [MOST_PAIRS]\n");
        return 2;
    }
    struct versus a = versus_load(argv[2], argv[1]);
    struct versus b = versus_load(argv[3], argv[1]);
    b.game = b.is_sparring ? a.game : b.game;
    struct versus *const players[2] = {&a, &b};
    int64_t end_ns = clock_now_ns() + strtol(argv[4], NULL, 10) * CLOCK_NS_PER_S;
    struct rng rng = rng_make(strtoul(argv[5], NULL, 10));
    long most = argc > 6 ? strtol(argv[6], NULL, 10) : INT32_MAX;
    struct tally tally = {{0}, {0}};
    for (long pair = 0; pair < most && clock_now_ns() < end_ns; pair++) {
        play_pair(players, &rng, &tally);
    }
    for (int i = 0; i < 5; i++) {
        printf("%ld ", tally.pairs[i]);
    }
    printf("%ld %ld %ld\n", tally.games[2], tally.games[1], tally.games[0]);
    return 0;
}
