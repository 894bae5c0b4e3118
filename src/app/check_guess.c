#include "app/check_guess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BUDGET = 999 };

/* --- The same answer, read differently --- */

static bool swap_rows_and_columns(const struct game *game, struct move *move)
{
    for (int i = 0; i < move->count; i++) {
        int row = move->squares[i] / game->columns;
        int column = move->squares[i] % game->columns;
        move->squares[i] = (uint8_t)(column * game->columns + row);
    }
    return game->rows == game->columns;
}

static bool count_from_one(const struct game *game, struct move *move)
{
    for (int i = 0; i < move->count; i++) {
        if (move->squares[i] < game->columns || move->squares[i] % game->columns == 0) {
            return false;
        }
        move->squares[i] = (uint8_t)(move->squares[i] - game->columns - 1);
    }
    return true;
}

/* --- The same answer in another position --- */

/* The other side to move. */
static bool flip_side(const struct game *game, struct state *state)
{
    char text[GAME_POSITION_BYTES];
    struct move skip = move_skip();
    if (game->is_move_skippable) { /* it counts moves, which have to agree with the side */
        return game->apply(state, &skip, NULL) == ERR_NONE;
    }
    game->write_position(state, text);
    char *side = strchr(text, ' ');
    if (!side) {
        return false;
    }
    side[1] = side[1] == 'b' ? 'w' : 'b';
    return game->read_position(text, state, NULL) == ERR_NONE;
}

/* As if nothing had been paid. Only games with an auction have budgets, the last two fields. */
static bool raise_budgets(const struct game *game, struct state *state)
{
    char text[GAME_POSITION_BYTES];
    char raised[GAME_POSITION_BYTES + 16];
    if (!game->auction) {
        return false;
    }
    game->write_position(state, text);
    char *side = strchr(text, ' ');
    if (!side || !side[1]) {
        return false;
    }
    side[2] = '\0';
    snprintf(raised, sizeof raised, "%s %d %d", text, LARGE_BUDGET, LARGE_BUDGET);
    return game->read_position(raised, state, NULL) == ERR_NONE;
}

/* " Black 3, White 0", where a position has budgets. */
static void write_budgets(const struct game *game, const char *text, struct note *out)
{
    *out = (struct note){""};
    const char *white = strrchr(text, ' ');
    const char *black = white;
    while (black && black > text && black[-1] != ' ') {
        black--;
    }
    if (game->auction && white && black > text) {
        note_set(out, "; compare its budgets with the judge's: Black %.*s, White %s",
                 (int)(white - black), black, white + 1);
    }
}

/* Whether a legal move begins and ends there and visits more squares. */
static bool find_way(const struct game *game, const struct state *state, const struct move *ends,
                     struct move *out)
{
    struct move *moves = ends->count == 2 ? malloc(GAME_MAX_MOVES * sizeof *moves) : NULL;
    size_t count = moves ? game->moves(state, moves) : 0;
    bool is_found = false;
    for (size_t i = 0; i < count && !is_found; i++) {
        is_found = moves[i].kind == MOVE_PATH && moves[i].count > 2 &&
                   moves[i].squares[0] == ends->squares[0] &&
                   moves[i].squares[moves[i].count - 1] == ends->squares[1];
        *out = is_found ? moves[i] : *out;
    }
    free(moves);
    return is_found;
}

/* The numbers of an answer that is not a move: a square of it is off the board. */
static void guess_from_numbers(const struct game *game, const struct state *state,
                               const char *answer, struct note *out)
{
    int n[4];
    struct move move = {.kind = MOVE_PATH, .count = 2};
    char text[GAME_MOVE_BYTES];
    /* NOLINTNEXTLINE(cert-err34-c): nine digits fit */
    if (sscanf(answer, "[%9d, %9d, %9d, %9d]", &n[0], &n[1], &n[2], &n[3]) != 4) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        int row = n[2 * i] - 1;
        int column = n[2 * i + 1] - 1;
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns) {
            return;
        }
        move.squares[i] = (uint8_t)(row * game->columns + column);
    }
    if (game_is_legal(game, state, &move)) {
        game_write_move(game, &move, text);
        note_set(out, "%.100s would be legal: rows and columns counted from 1?", text);
    }
}

static const char *question_about_colour(enum player_kind kind)
{
    switch (kind) {
    case PLAYER_TCP:
        return "is is_black used?";
    case PLAYER_FILE:
        return "is the line color used?";
    default:
        return "does the program know which colour it has?";
    }
}

static void guess_from_move(const struct game *game, enum player_kind kind,
                            const struct state *state, const struct move *move, struct note *out)
{
    char text[GAME_MOVE_BYTES];
    struct move swapped = *move;
    struct move from_one = *move;
    struct state other = *state;
    struct state rich = *state;
    char shifted_text[GAME_MOVE_BYTES];
    struct move way = {.count = 0};
    bool is_swapped = swap_rows_and_columns(game, &swapped) && game_is_legal(game, state, &swapped);
    bool is_shifted = count_from_one(game, &from_one) && game_is_legal(game, state, &from_one);
    if (find_way(game, state, move, &way)) {
        game_write_move(game, &way, text);
        note_set(out, "%.150s would be legal: name every square of the way", text);
    } else if (raise_budgets(game, &rich) && game_is_legal(game, &rich, move)) {
        note_set(out, "legal with more money: does the program pay for every move, 1 + distance?");
    } else if (flip_side(game, &other) && game_is_legal(game, &other, move)) {
        note_set(out, "legal for the other colour: %s", question_about_colour(kind));
    } else if (is_swapped && is_shifted) {
        game_write_move(game, &swapped, text);
        game_write_move(game, &from_one, shifted_text);
        note_set(out,
                 "%.100s and %.100s would be legal: rows and columns swapped, or counted from 1?",
                 text, shifted_text);
    } else if (is_swapped) {
        game_write_move(game, &swapped, text);
        note_set(out, "%.100s would be legal: rows and columns swapped?", text);
    } else if (is_shifted) {
        game_write_move(game, &from_one, text);
        note_set(out, "%.100s would be legal: rows and columns counted from 1?", text);
    }
}

void check_guess(const struct game *game, enum player_kind kind, const struct check_fault *fault,
                 struct note *out)
{
    const char *other = side_title(side_other(fault->side));
    const struct fault_cause *cause = &fault->cause;
    enum fault fault_kind = fault->fault.kind;
    struct state state;
    *out = (struct note){""};
    if (fault->phase != JUDGE_PLAYING || game->read_position(fault->fault.position, &state, NULL)) {
        return;
    }
    if (fault_kind == FAULT_INVALID && cause->has_move && cause->move.kind == MOVE_PATH &&
        cause->move.count) {
        guess_from_move(game, kind, &state, &cause->move, out);
    } else if (fault_kind == FAULT_INVALID && !cause->has_move) {
        guess_from_numbers(game, &state, cause->answer.text, out);
    } else if (fault_kind == FAULT_LATE && cause->is_idle && fault->other_passed) {
        struct note budgets;
        write_budgets(game, fault->fault.position, &budgets);
        note_set(out,
                 "%s has just passed, and a pass is not sent: does the program wait for a move "
                 "of %s?%.120s",
                 other, other, budgets.text);
    } else if (fault_kind == FAULT_HOSTILE && fault->own_passed) {
        note_set(out,
                 "%s had to pass: does the program pay for every move, 1 + distance, and pass "
                 "with a budget of 0 or 1?",
                 side_title(fault->side));
    }
}
