/* reversi_data: games of our engine against itself, for fitting its evaluation.
 *
 *     reversi_data reversi|othello GAMES SEED NODES >FILE
 *
 * A game begins with a prefix that is not written; mostly it is short, so that the beginning of
 * the game is well covered. There every second move of a side on average is random and the others
 * are the engine's, or, as drawn for each side and game, those that take the most discs within a
 * few plies: without greedy players the evaluation would never learn what happens to a side with
 * hardly a disc left. After it the engine plays on NODES nodes a move; in some games a greedy side
 * stays greedy for longer, against the engine. The last squares are played without error. Every
 * position after the prefix is written, from the mover's point of view: two 64-bit sets (own,
 * other; little endian) and one signed byte, the mean of the game's final difference and of what
 * the engine expected, which is biased but far less noisy. Where one side has hardly any discs the
 * engine's opinion is not asked: that is what it has to learn from the results.
 *
 * The same arguments give the same file. A file that was cut off can still be used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "games/reversi/board.h"
#include "games/reversi/engine_variant.h"
#include "games/reversi/state.h"

enum {
    HASH_MB = 2,
    SHORT_PREFIX = 14,
    LONG_PREFIX = 36,
    LONG_ONE_IN = 4,
    GREEDY_ONE_IN = 3, /* sides, in the prefix */
    LEAST_GREEDY_PLIES = 2,
    MORE_GREEDY_PLIES = 3,
    STAYING_ONE_IN = 2,  /* of them afterwards, */
    STAYING_PLIES = 40,  /* for so many plies at most */
    SOLVED_SQUARES = 12, /* empty, from which on play is exact */
    LOPSIDED = 6,        /* times as many discs in all as one side has */
    MAX_PLIES = 128,
};

struct playing {
    struct engine engine;
    const struct game *game;
    uint64_t nodes;
    struct reversi_variant variant;
    bool is_greedy[2]; /* by side */
    int greedy_plies;
};

static int empty_squares(const struct game *game, const struct state *state)
{
    int count = 0;
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        count += game->cell(state, square).piece == PIECE_NONE;
    }
    return count;
}

static bool take_forced_pass(const struct game *game, struct state *state)
{
    struct move pass = move_pass();
    return game->apply(state, &pass, NULL) == ERR_NONE;
}

struct choice {
    struct move move;
    bool has_score;
    int score; /* discs, for the side to move */
};

static struct choice best_move(struct playing *p, const struct state *state)
{
    struct engine_limits limits = {.nodes = p->nodes};
    struct engine_report report;
    struct engine_solution solution;
    if (empty_squares(p->game, state) <= SOLVED_SQUARES &&
        engine_solve(&p->engine, p->game, state, false, NULL, &solution)) {
        return (struct choice){solution.moves[0], true, solution.value};
    }
    engine_search(&p->engine, p->game, state, &limits, NULL, NULL, NULL, &report);
    return (struct choice){report.move, true, report.score / 100};
}

static struct move random_move(const struct game *game, const struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    return moves[rng_below(rng, count)];
}

/* The lead in discs after so many more plies of nothing but greed. */
static int greedy_value(const struct reversi_variant *v, uint64_t own, uint64_t other, int plies,
                        int alpha, int beta)
{
    uint64_t legal = plies > 0 ? variant_legal(v, own, other) : 0;
    if (!legal) {
        return bits_count(own) - bits_count(other);
    }
    while (legal && alpha < beta) {
        int square = bits_pop(&legal);
        uint64_t flips = board_flips(own, other, square);
        int value = -greedy_value(v, other ^ flips, own ^ flips ^ bits_one(square), plies - 1,
                                  -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

static struct move greedy_move(const struct playing *p, const struct state *state, struct rng *rng)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = p->game->moves(state, moves);
    struct move best = moves[0];
    int most = -2 * REVERSI_SQUARES;
    size_t first = rng_below(rng, count);
    for (size_t i = 0; i < count; i++) {
        struct state next = *state;
        const struct move *move = &moves[(first + i) % count];
        (void)!p->game->apply(&next, move, NULL);
        struct reversi_state s = reversi_unpack(&next);
        int value = -greedy_value(&p->variant, s.discs[s.to_move], s.discs[s.to_move ^ 1],
                                  p->greedy_plies - 1, -2 * REVERSI_SQUARES, -most);
        if (value > most) {
            most = value;
            best = *move;
        }
    }
    return best;
}

static struct choice choose(struct playing *p, const struct state *state, struct rng *rng)
{
    return p->is_greedy[p->game->to_move(state)]
               ? (struct choice){.move = greedy_move(p, state, rng)}
               : best_move(p, state);
}

static void play_prefix(struct playing *p, struct state *state, struct rng *rng)
{
    uint64_t longest = rng_below(rng, LONG_ONE_IN) ? SHORT_PREFIX : LONG_PREFIX;
    uint64_t plies = 1 + rng_below(rng, longest);
    for (uint64_t i = 0; i < plies && !game_is_over(p->game, state); i++) {
        if (!take_forced_pass(p->game, state)) {
            struct move move = i + 1 == plies || rng_below(rng, 2)
                                   ? random_move(p->game, state, rng)
                                   : choose(p, state, rng).move;
            (void)!p->game->apply(state, &move, NULL);
        }
    }
}

static void write_position(const struct state *state, const struct choice *choice, int black_lead)
{
    struct reversi_state s = reversi_unpack(state);
    uint64_t own = s.discs[s.to_move];
    uint64_t other = s.discs[s.to_move ^ 1];
    int result = s.to_move == SIDE_BLACK ? black_lead : -black_lead;
    bool is_lopsided = bits_count(own | other) > LOPSIDED * bits_count(own) ||
                       bits_count(own | other) > LOPSIDED * bits_count(other);
    bool is_mean = choice->has_score && !is_lopsided;
    int8_t value = (int8_t)(is_mean ? (result + choice->score) / 2 : result);
    fwrite(&own, sizeof own, 1, stdout);
    fwrite(&other, sizeof other, 1, stdout);
    fwrite(&value, sizeof value, 1, stdout);
}

static void draw_greed(struct playing *p, struct rng *rng)
{
    for (int side = 0; side < 2; side++) {
        p->is_greedy[side] = rng_below(rng, GREEDY_ONE_IN) == 0;
    }
    p->greedy_plies = LEAST_GREEDY_PLIES + (int)rng_below(rng, MORE_GREEDY_PLIES);
}

/* At most one side goes on being greedy. */
static void end_greed(struct playing *p, struct rng *rng)
{
    bool stays = p->is_greedy[0] != p->is_greedy[1] && rng_below(rng, STAYING_ONE_IN) == 0;
    for (int side = 0; side < 2; side++) {
        p->is_greedy[side] = p->is_greedy[side] && stays;
    }
}

static void play_game(struct playing *p, uint64_t seed)
{
    struct rng rng = rng_make(seed);
    struct state state = p->game->start();
    struct state seen[MAX_PLIES];
    struct choice choices[MAX_PLIES];
    int count = 0;
    engine_clear(&p->engine);
    draw_greed(p, &rng);
    play_prefix(p, &state, &rng);
    end_greed(p, &rng);
    while (!game_is_over(p->game, &state)) {
        if (!take_forced_pass(p->game, &state)) {
            seen[count] = state;
            choices[count] = count < STAYING_PLIES ? choose(p, &state, &rng) : best_move(p, &state);
            (void)!p->game->apply(&state, &choices[count++].move, NULL);
        }
    }
    int black_lead = p->game->result(&state).score[SIDE_BLACK];
    for (int i = 0; i < count; i++) {
        write_position(&seen[i], &choices[i], black_lead);
    }
}

int main(int argc, char **argv)
{
    struct note note;
    struct playing p = {.game = argc == 5 ? registry_find(cpu_best(), argv[1], &note) : NULL};
    if (!p.game || engine_init(&p.engine, HASH_MB, 1, &note)) {
        fprintf(stderr, "usage: reversi_data reversi|othello GAMES SEED NODES >FILE\n");
        return EXIT_FAILURE;
    }
    long games = strtol(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    p.nodes = strtoull(argv[4], NULL, 10);
    if (strcmp(p.game->name, "reversi") == 0) {
        p.variant =
            (struct reversi_variant){.holes = REVERSI_CORNERS, .free_squares = REVERSI_CENTRE};
    }
    for (long i = 0; i < games && !ferror(stdout); i++) {
        play_game(&p, hash_pair(seed, (uint64_t)i));
    }
    engine_free(&p.engine);
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
