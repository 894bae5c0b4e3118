#include "app/typed_move.h"

#include <stdbool.h>
#include <string.h>

static bool is_between(char c) { return strchr(" \t-,;:>()", c) != NULL; }

/* The digits, two for each square. */
static enum err read_squares(const struct game *game, const char *text, struct move *out,
                             struct note *why)
{
    struct move move = {.kind = MOVE_PATH};
    int row = -1;
    for (const char *at = text; *at; at++) {
        int digit = *at - '0';
        if (is_between(*at)) {
            continue;
        }
        if (digit < 0 || digit > 9 || move.count == GAME_MAX_PATH) {
            return note_fail(why, ERR_INPUT,
                             "a move is at most %d squares, each a row and a column: %s",
                             GAME_MAX_PATH, game->path_min > 1 ? "10-12" : "23");
        }
        if (row < 0) {
            row = digit;
            continue;
        }
        if (row >= game->rows || digit >= game->columns) {
            return note_fail(why, ERR_INPUT,
                             "square %d%d is off the board: rows are 0 to %d, columns 0 to %d", row,
                             digit, game->rows - 1, game->columns - 1);
        }
        move.squares[move.count++] = (uint8_t)(row * game->columns + digit);
        row = -1;
    }
    if (row >= 0 || move.count == 0) {
        return note_fail(why, ERR_INPUT, "a square is two digits, its row and its column");
    }
    *out = move;
    return ERR_NONE;
}

static bool has_ends_of(const struct move *move, const struct move *wanted)
{
    return move->kind == MOVE_PATH && move->squares[0] == wanted->squares[0] &&
           move->squares[move->count - 1] == wanted->squares[wanted->count - 1];
}

static size_t keep_from(struct move *moves, size_t count, int square)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (moves[i].kind == MOVE_PATH && moves[i].squares[0] == square) {
            moves[kept++] = moves[i];
        }
    }
    return kept;
}

enum err typed_move_read(const struct game *game, const struct state *state, const char *text,
                         struct move *out, size_t *count, struct note *why)
{
    struct move typed;
    struct state after = *state;
    enum err err = read_squares(game, text, &typed, why);
    if (err) {
        return err;
    }
    err = game->apply(&after, &typed, why);
    if (!err) {
        out[0] = typed;
        *count = 1;
        return ERR_NONE;
    }
    size_t legal = typed.count == 2 ? game->moves(state, out) : 0;
    size_t found = 0;
    for (size_t i = 0; i < legal; i++) {
        if (has_ends_of(&out[i], &typed)) {
            out[found++] = out[i];
        }
    }
    *count = found;
    return found ? ERR_NONE : err;
}

enum err typed_move_from(const struct game *game, const struct state *state, const char *text,
                         struct move *out, size_t *count, struct note *why)
{
    struct move typed;
    enum err err = read_squares(game, text, &typed, why);
    if (!err && typed.count != 1) {
        err = note_fail(why, ERR_INPUT, "name one square to see the moves from there");
    }
    if (err) {
        return err;
    }
    *count = keep_from(out, game->moves(state, out), typed.squares[0]);
    return ERR_NONE;
}
