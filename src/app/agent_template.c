/* agent_template: our engine as a program of the course's template, with a person at the keyboard.
 *
 * Bids first, then moves; passes are silent.
 */
#include <stdio.h>

#include "base/number.h"
#include "engine/bid.h"
#include "protocol/template_text.h"
#include "app/agent.h"

enum { WORD_BYTES = 32 };

static enum err read_number(FILE *in, const char *what, int64_t low, int64_t high, int64_t *out,
                            struct note *why)
{
    char word[WORD_BYTES];
    if (fscanf(in, "%31s", word) != 1) {
        return note_fail(why, ERR_INPUT, "the input ended where %s was expected", what);
    }
    return number_read(word, what, low, high, out, why);
}

/* The auction's price has no bounds of its own; these are those of the numbers people send. */
static enum err read_bid(FILE *in, struct bid *out, struct note *why)
{
    int64_t colour = 0;
    enum err err = read_number(in, "the opponent's colour", 0, 1, &colour, why);
    out->colour = (int)colour;
    return err ? err
               : read_number(in, "the opponent's price", INT32_MIN, INT32_MAX, &out->price, why);
}

static enum err hold_auction(const struct agent *agent, FILE *in, FILE *out, enum side *own,
                             struct state *start, struct note *why)
{
    struct bid bids[2] = {engine_bid(agent->game)};
    int64_t lot = -1;
    char text[TEMPLATE_INPUT_BYTES];
    template_print_bid(&bids[0], text);
    fprintf(out, "%sEnter the opponent's bid: ", text);
    fflush(out);
    enum err err = read_bid(in, &bids[1], why);
    if (err) {
        return err;
    }
    struct auction_outcome outcome = agent->game->auction(bids, -1);
    if (outcome.needs_lot) {
        fprintf(out, "The bids are equal. Enter my colour: ");
        fflush(out);
        err = read_number(in, "my colour", 0, 1, &lot, why);
        if (err) {
            return err;
        }
        outcome = agent->game->auction(bids, (int)lot);
    }
    *own = outcome.colour[0];
    *start = agent->game->start_with(outcome.budget);
    return ERR_NONE;
}

static enum err play_own(const struct agent *agent, FILE *out, struct state *state,
                         struct note *why)
{
    struct move move = agent_think(agent, state);
    char text[TEMPLATE_INPUT_BYTES];
    template_print_move(agent->game, &move, text);
    fputs(text, out);
    fflush(out);
    return agent->game->apply(state, &move, why);
}

static enum err play_other(const struct agent *agent, FILE *in, FILE *out, struct state *state,
                           struct note *why)
{
    const struct game *game = agent->game;
    struct move move = {.kind = MOVE_PATH, .count = 2};
    fprintf(out, "Enter the opponent's move: ");
    fflush(out);
    for (int i = 0; i < move.count; i++) {
        int64_t row = 0;
        int64_t column = 0;
        enum err err = read_number(in, "a row", 0, game->rows - 1, &row, why);
        if (err || (err = read_number(in, "a column", 0, game->columns - 1, &column, why))) {
            return err;
        }
        move.squares[i] = (uint8_t)(row * game->columns + column);
    }
    enum err err = game->apply(state, &move, why);
    if (err) {
        note_prefix(why, "the opponent's move is not legal");
    }
    return err;
}

enum err agent_template(const struct agent *agent, FILE *in, FILE *out, struct note *why)
{
    static const char *const endings[] = {
        [OUTCOME_BLACK] = "BLACK wins!", [OUTCOME_WHITE] = "WHITE wins!", [OUTCOME_DRAW] = "Draw!"};
    enum side own = SIDE_BLACK;
    struct state state;
    enum err err = hold_auction(agent, in, out, &own, &state, why);
    while (!err && !game_is_over(agent->game, &state)) {
        struct move pass = move_pass();
        if (agent->game->apply(&state, &pass, NULL) == ERR_NONE) {
            continue;
        }
        err = agent->game->to_move(&state) == own ? play_own(agent, out, &state, why)
                                                  : play_other(agent, in, out, &state, why);
    }
    if (!err) {
        fprintf(out, "%s\n", endings[agent->game->result(&state).outcome]);
        fflush(out);
    }
    return err;
}
