#include "game/game.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

enum side game_draw_lot(uint64_t seed) { return hash_word(seed) & 1 ? SIDE_WHITE : SIDE_BLACK; }

const char *side_name(enum side side) { return side == SIDE_BLACK ? "black" : "white"; }
const char *side_title(enum side side) { return side == SIDE_BLACK ? "Black" : "White"; }

const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {
        [OUTCOME_ONGOING] = "ongoing", [OUTCOME_BLACK] = "black",         [OUTCOME_WHITE] = "white",
        [OUTCOME_DRAW] = "draw",       [OUTCOME_BOTH_LOST] = "both-lost",
    };
    return names[outcome];
}

const char *fault_name(enum fault fault)
{
    static const char *const names[FAULT_KINDS] = {
        [FAULT_LATE] = "late",           [FAULT_INVALID] = "invalid", [FAULT_CRASHED] = "crashed",
        [FAULT_MALFORMED] = "malformed", [FAULT_HOSTILE] = "hostile",
    };
    return names[fault];
}

int cell_wire(struct cell cell)
{
    return cell.piece == PIECE_HOLE ? -1 : cell.piece == PIECE_NONE ? 0 : cell.side + 1;
}

enum err game_read_position(const struct game *game, const char *text, struct state *out,
                            struct note *why)
{
    if (strcmp(text, "start") == 0) {
        *out = game->start();
        return ERR_NONE;
    }
    return game->read_position(text, out, why);
}

/* Reads two digits. ERR_INPUT: not two digits; ERR_NEGATIVE: not on the board. */
static enum err read_square(const struct game *game, const char *text, uint8_t *out,
                            struct note *why)
{
    for (int i = 0; i < 2; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return note_fail(why, ERR_INPUT, "a square is two digits, row then column, not '%.8s'",
                             text);
        }
    }
    int row = text[0] - '0';
    int column = text[1] - '0';
    if (row >= game->rows || column >= game->columns) {
        return note_fail(why, ERR_NEGATIVE,
                         "square %d%d is off the board: rows go from 0 to %d, columns from 0 to %d",
                         row, column, game->rows - 1, game->columns - 1);
    }
    *out = (uint8_t)(row * game->columns + column);
    return ERR_NONE;
}

enum err game_read_move(const struct game *game, const char *text, struct move *out,
                        struct note *why)
{
    if (strcmp(text, "pass") == 0) {
        *out = move_pass();
        return ERR_NONE;
    }
    if (strcmp(text, "skip") == 0 && game->is_move_skippable) {
        *out = move_skip();
        return ERR_NONE;
    }
    struct move move = {.kind = MOVE_PATH};
    for (const char *at = text;; at += 3) {
        if (move.count == GAME_MAX_PATH || move.count == game->path_max) {
            return note_fail(why, ERR_NEGATIVE, "a move in %s names at most %d square%s",
                             game->name, game->path_max, game->path_max == 1 ? "" : "s");
        }
        enum err err = read_square(game, at, &move.squares[move.count], why);
        if (err) {
            return err;
        }
        move.count++;
        if (at[2] == '\0') {
            break;
        }
        if (at[2] != '-') {
            return note_fail(why, ERR_INPUT,
                             "squares of a move are joined by '-', but '%.8s' follows square %.2s",
                             at + 2, at);
        }
    }
    if (move.count < game->path_min) {
        return note_fail(why, ERR_NEGATIVE, "a move in %s names at least %d squares, not only '%s'",
                         game->name, game->path_min, text);
    }
    *out = move;
    return ERR_NONE;
}

void game_square_name(const struct game *game, int square, char out[3])
{
    out[0] = (char)('0' + square / game->columns);
    out[1] = (char)('0' + square % game->columns);
    out[2] = '\0';
}

void game_write_move(const struct game *game, const struct move *move, char out[GAME_MOVE_BYTES])
{
    if (move->kind != MOVE_PATH) {
        memcpy(out, move->kind == MOVE_PASS ? "pass" : "skip", sizeof "pass");
        return;
    }
    for (int i = 0; i < move->count; i++) {
        game_square_name(game, move->squares[i], out + 3 * i);
        out[3 * i + 2] = i + 1 < move->count ? '-' : '\0';
    }
}

bool game_is_over(const struct game *game, const struct state *state)
{
    return game->result(state).outcome != OUTCOME_ONGOING;
}

bool game_is_legal(const struct game *game, const struct state *state, const struct move *move)
{
    struct state after = *state;
    return game->apply(&after, move, NULL) == ERR_NONE;
}

bool game_must_pass(const struct game *game, const struct state *state)
{
    struct move pass = move_pass();
    return game_is_legal(game, state, &pass);
}

struct state game_after(const struct game *game, const struct state *state, const struct move *move)
{
    struct state after = *state;
    enum err err = game->apply(&after, move, NULL);
    assert(!err);
    (void)err;
    return after;
}

int move_compare(const struct move *a, const struct move *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    size_t shared = a->count < b->count ? a->count : b->count;
    int order = memcmp(a->squares, b->squares, shared);
    return order ? order : (int)a->count - (int)b->count;
}
