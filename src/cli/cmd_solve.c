#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/thinking.h"

static enum err print_json(const struct game *game, const struct engine_solution *solution,
                           struct note *why)
{
    char text[GAME_MOVE_BYTES];
    json_t *moves = json_array();
    for (size_t i = 0; i < solution->count; i++) {
        game_write_move(game, &solution->moves[i], text);
        moves = json_out_append(moves, json_string(text));
    }
    return json_out_take(json_pack("{s:i, s:o, s:I, s:I}", "value", solution->value, "moves", moves,
                                   "nodes", (json_int_t)solution->nodes, "time_ms",
                                   (json_int_t)(solution->time_ns / CLOCK_NS_PER_MS)),
                         why);
}

static void print_plain(const struct game *game, const struct engine_solution *solution)
{
    char text[GAME_MOVE_BYTES];
    printf("%+d", solution->value);
    for (size_t i = 0; i < solution->count; i++) {
        game_write_move(game, &solution->moves[i], text);
        printf(" %s", text);
    }
    double seconds = (double)solution->time_ns / (double)CLOCK_NS_PER_S;
    printf("\n");
    fprintf(stderr, "%" PRIu64 " nodes in %.3f s (%.2f million/s)\n", solution->nodes, seconds,
            seconds > 0 ? (double)solution->nodes * 1e-6 / seconds : 0);
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine engine = {0};
    enum err err = args_position(args, &game, &state, why);
    if (!err) {
        err = thinking_needs_move(game, &state, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    if (err) {
        return err;
    }
    struct engine_solution solution;
    bool is_solved =
        engine_solve(&engine, game, &state, args_option(args, "all") != NULL, NULL, &solution);
    engine_free(&engine);
    if (!is_solved) {
        note_set(why, "this position is too far from the end of the game to be solved");
        return ERR_NEGATIVE;
    }
    if (args_option(args, "json")) {
        return print_json(game, &solution, why);
    }
    print_plain(game, &solution);
    return ERR_NONE;
}

const struct command cmd_solve = {
    .name = "solve",
    .run = run,
    .summary = "the exact value of a position",
    .operands = "GAME POSITION",
    .details =
        "Prints the final difference for the side to move when both play perfectly, and a move\n"
        "that reaches it: discs in reversi and othello, men at home in hop, in meichu 1 for a\n"
        "win, -1 for a loss and 0 for a draw. Reversi and othello take about three times as long\n"
        "for each more empty square: 20 are seconds, 26 minutes. Hop and meichu give up after\n"
        "100 million positions and say so: hop can be solved when about eight moves of the\n"
        "200 are left to each side, meichu when both sides are nearly out of money or when\n"
        "somebody wins by force.",
    .options = {{"all", NULL, "every optimal move"},
                THINKING_OPTIONS,
                {"json", NULL, "{\"value\", \"moves\": [...], \"nodes\", \"time_ms\"}"}},
    .examples = {{"plum solve othello "
                  "'O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ b'",
                  "+38 10"}},
};
