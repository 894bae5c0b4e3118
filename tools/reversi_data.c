/* reversi_data: games of our engine against itself, for fitting its evaluation.
 *
 *     reversi_data reversi|othello GAMES SEED NODES >FILE
 *
 * Each game begins with 2 to 25 random moves, which are left out, and goes on with the engine
 * on NODES nodes a move. Every later position is written with the game's final difference in the
 * mover's eyes: two 64-bit sets (own, other; little endian) and one signed byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "games/reversi/state.h"

enum { HASH_MB = 4, MOST_RANDOM_MOVES = 25, LEAST_RANDOM_MOVES = 2, MAX_PLIES = 128 };

static bool play_randomly(const struct game *game, struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    uint64_t plies = LEAST_RANDOM_MOVES +
                     rng_below(rng, MOST_RANDOM_MOVES - LEAST_RANDOM_MOVES + 1);
    for (uint64_t i = 0; i < plies; i++) {
        size_t count = game->moves(state, moves);
        if (count == 0 || game->apply(state, &moves[rng_below(rng, count)], NULL)) {
            return false;
        }
    }
    return !game_is_over(game, state);
}

static void write_position(const struct reversi_state *s, int black_lead)
{
    uint64_t own = s->discs[s->to_move];
    uint64_t other = s->discs[s->to_move ^ 1];
    int8_t value = (int8_t)(s->to_move == SIDE_BLACK ? black_lead : -black_lead);
    fwrite(&own, sizeof own, 1, stdout);
    fwrite(&other, sizeof other, 1, stdout);
    fwrite(&value, sizeof value, 1, stdout);
}

static void play_game(struct engine *engine, const struct game *game, uint64_t seed, uint64_t nodes)
{
    struct rng rng = rng_make(seed);
    struct state state = game->start();
    struct state seen[MAX_PLIES];
    int count = 0;
    struct engine_limits limits = {.nodes = nodes};
    if (!play_randomly(game, &state, &rng)) {
        return;
    }
    engine_clear(engine);
    while (!game_is_over(game, &state) && count < MAX_PLIES) {
        struct engine_report report;
        struct move pass = move_pass();
        if (game->apply(&state, &pass, NULL) == ERR_NONE) {
            continue;
        }
        seen[count++] = state;
        engine_search(engine, game, &state, &limits, NULL, NULL, NULL, &report);
        if (game->apply(&state, &report.move, NULL)) {
            return;
        }
    }
    int black_lead = game->result(&state).score[SIDE_BLACK];
    for (int i = 0; i < count; i++) {
        struct reversi_state s = reversi_unpack(&seen[i]);
        write_position(&s, black_lead);
    }
}

int main(int argc, char **argv)
{
    struct note note;
    struct engine engine = {.thread_count = 0};
    const struct game *game = argc == 5 ? registry_find(cpu_best(), argv[1], &note) : NULL;
    if (!game || engine_init(&engine, HASH_MB, 1, &note)) {
        fprintf(stderr, "usage: reversi_data reversi|othello GAMES SEED NODES >FILE\n");
        return EXIT_FAILURE;
    }
    long games = strtol(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    uint64_t nodes = strtoull(argv[4], NULL, 10);
    for (long i = 0; i < games; i++) {
        play_game(&engine, game, hash_pair(seed, (uint64_t)i), nodes);
    }
    engine_free(&engine);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
