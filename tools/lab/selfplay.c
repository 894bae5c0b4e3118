/* selfplay: games of the engine against itself, as samples for fit.c.
 *
 * usage: selfplay GAME NODES SECONDS SEED FILE
 *
 * Openings are random, of random length, and from every second one random pieces are taken
 * away, so that the samples know what it means to be behind and how games end.
 * Only positions in which the engine moves without capturing, and sees no forced end, are
 * kept, at most MOST_OF_A_GAME of each game. One process, one core: start several with
 * different seeds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "random_plies.h"
#include "sample.h"

enum {
    HASH_MB = 16,
    MOST_RANDOM_PLIES = 16,
    MOST_PLIES = 512,
    MOST_OF_A_GAME = 40,
    BUDGETS_FROM = 10, /* every second game with an auction starts with less money */
    BUDGETS_STEP = 140,
    MOST_TAKEN_PERCENT = 80,
};

static int count_fighters(const struct game *game, const struct state *state)
{
    int count = 0;
    for (int square = 0; square < game->rows * game->columns; square++) {
        enum piece piece = game->cell(state, square).piece;
        count += piece == PIECE_MAN || piece == PIECE_SOLDIER;
    }
    return count;
}

static struct state start(const struct game *game, struct rng *rng)
{
    if (!game->start_with || rng_below(rng, 2)) {
        return game->start();
    }
    int budget = BUDGETS_FROM + (int)rng_below(rng, BUDGETS_STEP);
    return game->start_with((int[2]){budget, budget + (int)rng_below(rng, 21) - 10});
}

static bool take_pieces(const struct game *game, struct rng *rng, struct state *state)
{
    char text[GAME_POSITION_BYTES];
    uint64_t percent = rng_below(rng, MOST_TAKEN_PERCENT);
    game->write_position(state, text);
    for (char *cell = text; *cell != ' '; cell++) {
        bool is_piece = strchr("XOSsBb", *cell);
        *cell = is_piece && rng_below(rng, 100) < percent ? '.' : *cell;
    }
    return game->read_position(text, state, NULL) == ERR_NONE;
}

static bool try_opening(const struct game *game, struct rng *rng, struct state *out)
{
    *out = start(game, rng);
    return random_plies(game, rng, (int)rng_below(rng, MOST_RANDOM_PLIES), out) &&
           (rng_below(rng, 2) || take_pieces(game, rng, out)) && !game_is_over(game, out);
}

/* Plays to the end and keeps the quiet positions; returns how many. */
static size_t play_game(struct engine *engine, const struct game *game, struct rng *rng,
                        uint64_t nodes, struct state *state, struct sample *samples)
{
    size_t count = 0;
    while (!game_is_over(game, state)) {
        struct engine_limits limits = {.nodes = nodes / 2 + rng_below(rng, nodes)};
        struct engine_report report;
        engine_search(engine, game, state, &limits, NULL, NULL, NULL, &report);
        struct state before = *state;
        if (game->apply(state, &report.move, NULL)) {
            fprintf(stderr, "selfplay: the engine made an illegal move\n");
            exit(1);
        }
        bool is_decided = report.score > ENGINE_WIN_BOUND || report.score < -ENGINE_WIN_BOUND;
        bool is_quiet = count_fighters(game, state) == count_fighters(game, &before);
        if (is_quiet && !is_decided && report.move.kind == MOVE_PATH && count < MOST_PLIES) {
            samples[count++] = (struct sample){.state = before, .score = report.score};
        }
    }
    return count;
}

/* Moves a random choice to the front; returns its size. */
static size_t choose(struct sample *samples, size_t count, struct rng *rng)
{
    size_t chosen = count < MOST_OF_A_GAME ? count : MOST_OF_A_GAME;
    for (size_t i = 0; i < chosen; i++) {
        size_t other = i + rng_below(rng, count - i);
        struct sample sample = samples[i];
        samples[i] = samples[other];
        samples[other] = sample;
    }
    return chosen;
}

static void judge(const struct game *game, const struct state *end, struct sample *samples,
                  size_t count)
{
    enum outcome outcome = game->result(end).outcome;
    for (size_t i = 0; i < count; i++) {
        enum side side = game->to_move(&samples[i].state);
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        samples[i].points = outcome == OUTCOME_DRAW ? 1 : outcome == win ? 2 : 0;
    }
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: selfplay GAME NODES SECONDS SEED FILE\n");
        return 2;
    }
    struct note why = {""};
    struct engine engine;
    const struct game *game = registry_find(CPU_BASELINE, argv[1], &why);
    FILE *file = fopen(argv[5], "wb");
    if (!game || !file || engine_init(&engine, HASH_MB, 1, &why)) {
        fprintf(stderr, "selfplay: %s %s\n", why.text, file ? "" : argv[5]);
        return 2;
    }
    uint64_t nodes = strtoul(argv[2], NULL, 10);
    int64_t end_ns = clock_now_ns() + strtol(argv[3], NULL, 10) * CLOCK_NS_PER_S;
    struct rng rng = rng_make(strtoul(argv[4], NULL, 10));
    long games = 0;
    long kept = 0;
    long outcomes[4] = {0};
    static struct sample samples[MOST_PLIES];
    for (; clock_now_ns() < end_ns; games++) {
        struct state state;
        while (!try_opening(game, &rng, &state)) {
        }
        engine_clear(&engine);
        size_t count = play_game(&engine, game, &rng, nodes, &state, samples);
        count = choose(samples, count, &rng);
        judge(game, &state, samples, count);
        kept += (long)fwrite(samples, sizeof samples[0], count, file);
        outcomes[game->result(&state).outcome]++;
    }
    engine_free(&engine);
    printf("%s: %ld games (black %ld, white %ld, draw %ld), %ld samples\n", argv[1], games,
           outcomes[OUTCOME_BLACK], outcomes[OUTCOME_WHITE], outcomes[OUTCOME_DRAW], kept);
    return fclose(file) != 0;
}
