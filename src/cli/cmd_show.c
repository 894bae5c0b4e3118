#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "cli/args.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "report/caption.h"
#include "report/svg.h"

static json_t *json_cells(const struct game *game, const struct state *state)
{
    json_t *rows = json_array();
    for (int row = 0; row < game->rows; row++) {
        json_t *cells = json_array();
        for (int column = 0; column < game->columns; column++) {
            char letter = caption_letter(game->cell(state, row * game->columns + column));
            cells = json_out_append(cells, json_stringn(&letter, 1));
        }
        rows = json_out_append(rows, cells);
    }
    return rows;
}

static json_t *json_result(const struct game *game, const struct state *state)
{
    struct result result = game->result(state);
    return json_pack("{s:s, s:i, s:i, s:s}", "outcome", outcome_name(result.outcome), "black",
                     result.score[SIDE_BLACK], "white", result.score[SIDE_WHITE], "reason",
                     result.reason);
}

static enum err print_json(const struct game *game, const struct state *state, struct note *why)
{
    struct move moves[GAME_MAX_MOVES];
    char status[GAME_STATUS_BYTES];
    game->status(state, status);
    json_t *answer = json_out_position(game, state);
    json_t *rest =
        json_pack("{s:i, s:i, s:o, s:s, s:o, s:i}", "rows", game->rows, "columns", game->columns,
                  "cells", json_cells(game, state), "status", status, "result",
                  json_result(game, state), "moves", (int)game->moves(state, moves));
    if (json_object_update(answer, rest)) {
        json_decref(answer);
        answer = NULL;
    }
    json_decref(rest);
    return json_out_take(answer, why);
}

static enum err save_svg(const char *path, const struct game *game, const struct state *state,
                         struct note *why)
{
    if (strcmp(path, "-") == 0) {
        svg_write(stdout, game, state);
        return ERR_NONE;
    }
    struct atomic_file file;
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    svg_write(file.stream, game, state);
    return atomic_file_commit(&file, why);
}

static void print_board(const struct game *game, const struct state *state, enum paint paint)
{
    char position[GAME_POSITION_BYTES];
    game->write_position(state, position);
    board_draw(game, state, NULL, paint);
    printf("\n%s\n", position);
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    const char *svg_path = args_option(args, "svg");
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    bool wants_json = args_option(args, "json") != NULL;
    if (svg_path && strcmp(svg_path, "-") == 0 && wants_json) {
        note_set(why, "picture and JSON cannot both go to standard output");
        return ERR_INPUT;
    }
    if (svg_path) {
        err = save_svg(svg_path, game, &state, why);
    }
    if (err || (svg_path && !wants_json)) {
        return err;
    }
    if (wants_json) {
        return print_json(game, &state, why);
    }
    print_board(game, &state, paint_choose(args_option(args, "color")));
    return ERR_NONE;
}

const struct command cmd_show = {
    .name = "show",
    .run = run,
    .summary = "draw a position, on the terminal or as a picture",
    .operands = "GAME POSITION",
    .details = "Draws the board with row and column numbers, whose turn it is, how many moves\n"
               "there are, counters or budgets, and the result of a finished game. In colours on\n"
               "a terminal, in plain letters elsewhere.\n"
               "\n"
               "A position is one argument, in quotes, or the word start:\n"
               "  hop, hop-noloop  8 rows of . X O, b or w to move, moves used by each side\n"
               "  reversi          8 rows of . X O with # in the corners, b or w\n"
               "  othello          8 rows of . X O, b or w\n"
               "  meichu           9 rows of . F S B f s b, b or w, Black's and White's budget\n"
               "Rows are joined by '/', row 0 first. X and capitals are Black, O and small\n"
               "letters White. F is a flag, S a soldier, B a barrier.",
    .options = {{"svg", "FILE", "write a picture instead; - is standard output"},
                {"json", NULL, "an object with board, status, result and number of moves"},
                {"color", "auto|always|never", "colours: on a terminal (auto), always, never"}},
    .examples = {{"plum show hop start", "the board every game of hop begins with"},
                 {"plum show meichu start --svg meichu.svg", "a picture for a report"},
                 {"plum show othello \"......../......../......../...OX.../...XO.../......../"
                  "......../........ b\"",
                  "a position in full"},
                 {"plum show reversi start --json", "for programs"}},
};
