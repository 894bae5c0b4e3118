/* duel: two builds of the engine play pairs of games, colours swapped.
 *
 * usage: duel GAME A B SECONDS SEED [MOST_PAIRS]
 *        duel GAME A B SECONDS - <OPENINGS
 *
 * A and B are as in versus.h; A is a build. Each pair starts from one random opening that A
 * thinks balanced, or from the next line of OPENINGS (a file of openings.c). Stops after the pair
 * in which the seconds are over. Prints how many pairs gave A 0, 1, 2, 3 and 4 half points, then
 * wins, draws and losses; duel.sh runs many of these at once and adds them up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "game/registry.h"
#include "opening.h"
#include "versus.h"

struct tally {
    long pairs[5];
    long games[3]; /* lost, drawn, won */
};

/* The next line of `file` that is not a comment, or without a file a random opening. False: there
 * are no more. */
static bool next_opening(FILE *file, const struct game *game, struct versus *judge, struct rng *rng,
                         struct state *out)
{
    if (!file) {
        *out = opening_draw(game, judge, rng);
        return true;
    }
    char line[GAME_POSITION_BYTES + 1]; /* and a newline */
    do {
        if (!fgets(line, sizeof line, file)) {
            return false;
        }
    } while (strncmp(line, "# ", 2) == 0);
    struct note why = {""};
    line[strcspn(line, "\n")] = '\0';
    if (game->read_position(line, out, &why)) {
        fprintf(stderr, "duel: an opening is not a position: '%s': %s\n", line, why.text);
        exit(1);
    }
    return true;
}

/* Half points of the first player: 0, 1 or 2. */
static int play_game(const struct game *game, struct versus *const players[2], struct state state,
                     int first_side)
{
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

static void play_pair(const struct game *game, struct versus *const players[2],
                      struct state opening, struct rng *rng, struct tally *tally)
{
    int sum = 0;
    for (int side = 0; side < 2; side++) {
        uint64_t seed = rng_next(rng);
        versus_clear(players[0], seed);
        versus_clear(players[1], seed + 1);
        int points = play_game(game, players, opening, side);
        tally->games[points]++;
        sum += points;
    }
    tally->pairs[sum]++;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: duel GAME A B SECONDS SEED [MOST_PAIRS]\n"
                        "       duel GAME A B SECONDS - <OPENINGS\n");
        return 2;
    }
    struct note why = {""};
    const struct game *game = registry_find(CPU_BASELINE, argv[1], &why);
    if (!game) {
        fprintf(stderr, "duel: %s\n", why.text);
        return 2;
    }
    struct versus a = versus_load(argv[2], argv[1]);
    struct versus b = versus_load(argv[3], argv[1]);
    b.game = b.is_sparring ? game : b.game;
    struct versus *const players[2] = {&a, &b};
    int64_t end_ns = clock_now_ns() + strtol(argv[4], NULL, 10) * CLOCK_NS_PER_S;
    FILE *openings = strcmp(argv[5], "-") == 0 ? stdin : NULL;
    struct rng rng = rng_make(strtoul(argv[5], NULL, 10));
    long most = argc > 6 ? strtol(argv[6], NULL, 10) : INT32_MAX;
    struct tally tally = {{0}, {0}};
    struct state opening;
    for (long pair = 0;
         pair < most && clock_now_ns() < end_ns && next_opening(openings, game, &a, &rng, &opening);
         pair++) {
        play_pair(game, players, opening, &rng, &tally);
    }
    for (int i = 0; i < 5; i++) {
        printf("%ld ", tally.pairs[i]);
    }
    printf("%ld %ld %ld\n", tally.games[2], tally.games[1], tally.games[0]);
    return 0;
}
