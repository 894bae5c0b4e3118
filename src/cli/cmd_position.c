/* cmd_position: games, show, moves, result, apply. */
#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "cli/args.h"
#include "cli/board.h"
#include "game/registry.h"
#include "report/json_game.h"
#include "report/svg.h"

/* --- games --- */

static enum err run_games(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    size_t longest = 0;
    (void)why;
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_begin_array(&json, NULL);
        for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
            json_game_info(&json, game);
        }
        json_end(&json);
        putchar('\n');
        return ERR_NONE;
    }
    for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
        size_t length = strlen(game->name);
        longest = length > longest ? length : longest;
    }
    for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
        printf("%-*s  %s\n", (int)longest, game->name, game->summary);
    }
    return ERR_NONE;
}

/* --- show --- */

static void position_json(const struct game *game, const struct state *state)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_game_position(&json, game, state);
    putchar('\n');
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

static void print_position(const struct game *game, const struct state *state)
{
    char position[GAME_POSITION_BYTES];
    game->write_position(state, position);
    puts(position);
}

static enum err run_show(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    const char *svg_path = args_option(args, "svg");
    bool is_json = args_option(args, "json");
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    if (svg_path && strcmp(svg_path, "-") == 0 && is_json) {
        return note_fail(why, ERR_INPUT, "picture and JSON cannot both go to standard output");
    }
    if (svg_path) {
        err = save_svg(svg_path, game, &state, why);
    }
    if (err || (svg_path && !is_json)) {
        return err;
    }
    if (is_json) {
        position_json(game, &state);
        return ERR_NONE;
    }
    board_draw(game, &state, NULL, paint_choose(args_option(args, "color")));
    putchar('\n');
    print_position(game, &state);
    return ERR_NONE;
}

/* --- moves --- */

static enum err run_moves(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        position_json(game, &state);
        return ERR_NONE;
    }
    struct move moves[GAME_MAX_MOVES];
    char text[GAME_MOVE_BYTES];
    size_t count = game->moves(&state, moves);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        puts(text);
    }
    return ERR_NONE;
}

/* --- result, apply --- */

static enum err run_result(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    struct result result = game->result(&state);
    fputs(outcome_name(result.outcome), stdout);
    if (result.outcome != OUTCOME_ONGOING) {
        printf(" %d %d", result.score[SIDE_BLACK], result.score[SIDE_WHITE]);
    }
    putchar('\n');
    return ERR_NONE;
}

static enum err run_apply(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    for (int i = 2; i < args->count; i++) {
        struct move move;
        const char *text = args->values[i];
        if (game_read_move(game, text, &move, why) || game->apply(&state, &move, why)) {
            note_prefix(why, "move %d, '%.40s'", i - 1, text);
            return ERR_NEGATIVE;
        }
    }
    print_position(game, &state);
    return ERR_NONE;
}

const struct command cmd_games = {
    .name = "games",
    .run = run_games,
    .summary = "list the games",
    .operands = "",
    .options = {{"json", NULL,
                 "an array of {\"name\", \"summary\", \"rows\", \"columns\", \"time_limit_s\", "
                 "\"auction\", \"zones\", \"start\"}"}},
};

const struct command cmd_show = {
    .name = "show",
    .run = run_show,
    .summary = "draw a position, on the terminal or as a picture",
    .operands = "GAME POSITION",
    .options = {{"svg", "FILE", "write a picture instead; - is standard output"},
                {"json", NULL,
                 "{\"game\", \"position\", \"to_move\", \"turn\", \"status\", \"over\", "
                 "\"result\", \"moves\": [...]}"},
                {"color", "auto|always|never", "colours: on a terminal (auto), always, never"}},
};

const struct command cmd_moves = {
    .name = "moves",
    .run = run_moves,
    .summary = "list the legal moves",
    .operands = "GAME POSITION",
    .options = {{"json", NULL,
                 "{\"game\", \"position\", \"to_move\", \"turn\", \"status\", \"over\", "
                 "\"result\", \"moves\": [...]}"}},
};

const struct command cmd_result = {
    .name = "result",
    .run = run_result,
    .summary = "print the result of a position",
    .operands = "GAME POSITION",
};

const struct command cmd_apply = {
    .name = "apply",
    .run = run_apply,
    .summary = "play moves and print the position after them",
    .operands = "GAME POSITION MOVE...",
};
