#include "web/answer.h"

#include <string.h>

#include "engine/level.h"
#include "game/registry.h"
#include "report/caption.h"
#include "report/svg.h"
#include "web/json_text.h"

void answer_refusal(FILE *out, const char *why)
{
    json_text_field(out, "{", "error", why);
    fputc('}', out);
}

static char zone_letter(const struct game *game, int square)
{
    static const char letters[] = {[ZONE_NONE] = '.', [ZONE_BLACK] = 'X', [ZONE_WHITE] = 'O'};
    return letters[game->zone ? game->zone(square) : ZONE_NONE];
}

/* Like the board in a position: whose target region each square is. */
static void write_zones(FILE *out, const struct game *game)
{
    fputs(",\"zones\":\"", out);
    for (int square = 0; square < game->rows * game->columns; square++) {
        if (square && square % game->columns == 0) {
            fputc('/', out);
        }
        fputc(zone_letter(game, square), out);
    }
    fputc('"', out);
}

static void write_game(FILE *out, const struct game *game)
{
    char position[GAME_POSITION_BYTES];
    struct state start = game->start();
    game->write_position(&start, position);
    json_text_field(out, "{", "name", game->name);
    json_text_field(out, ",", "summary", game->summary);
    fprintf(out, ",\"rows\":%d,\"columns\":%d,\"time_limit_s\":%.3f,\"auction\":%s", game->rows,
            game->columns, game->time_limit_s, game->auction ? "true" : "false");
    write_zones(out, game);
    json_text_field(out, ",", "start", position);
    fputc('}', out);
}

static void write_level(FILE *out, int level)
{
    const struct level_words *words = level_words(level);
    fprintf(out, "{\"level\":%d", level);
    json_text_field(out, ",", "name", words->name);
    json_text_field(out, ",", "sentence", words->sentence);
    fputc('}', out);
}

static enum err write_games(const struct answerer *answerer, const struct question *question,
                            FILE *out, struct note *why)
{
    (void)question;
    (void)why;
    const struct game *game = NULL;
    fputs("{\"games\":[", out);
    for (size_t i = 0; (game = registry_at(answerer->cpu, i)); i++) {
        fputs(i ? "," : "", out);
        write_game(out, game);
    }
    fputs("],\"levels\":[", out);
    for (int level = 1; level <= LEVEL_MAX; level++) {
        fputs(level > 1 ? "," : "", out);
        write_level(out, level);
    }
    fputs("]}", out);
    return ERR_NONE;
}

static void write_moves(FILE *out, const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    char text[GAME_MOVE_BYTES];
    size_t count = game->moves(state, moves);
    fputs(",\"moves\":[", out);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        fputs(i ? "," : "", out);
        json_text_string(out, text);
    }
    fputc(']', out);
}

static void write_result(FILE *out, const struct game *game, const struct state *state)
{
    struct result result = game->result(state);
    json_text_field(out, ",\"result\":{", "outcome", outcome_name(result.outcome));
    fprintf(out, ",\"black\":%d,\"white\":%d", result.score[SIDE_BLACK], result.score[SIDE_WHITE]);
    json_text_field(out, ",", "reason", result.reason);
    fputc('}', out);
}

static enum err write_position(const struct answerer *answerer, const struct question *question,
                               FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    char text[GAME_POSITION_BYTES];
    char turn[CAPTION_BYTES];
    char status[GAME_STATUS_BYTES];
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (err) {
        return err;
    }
    game->write_position(&state, text);
    game->status(&state, status);
    caption_turn(game, &state, turn);
    json_text_field(out, "{", "game", game->name);
    json_text_field(out, ",", "position", text);
    json_text_field(out, ",", "to_move", side_name(game->to_move(&state)));
    json_text_field(out, ",", "turn", turn);
    json_text_field(out, ",", "status", status);
    fprintf(out, ",\"over\":%s", game_is_over(game, &state) ? "true" : "false");
    write_result(out, game, &state);
    write_moves(out, game, &state);
    fputc('}', out);
    return ERR_NONE;
}

static enum err read_path(const struct game *game, const struct question *question,
                          struct move *out, struct note *why)
{
    const char *text = question_get(question, "path");
    *out = (struct move){.kind = MOVE_PATH};
    for (; text && *text; text += 2 + (text[2] == '-')) {
        int row = text[0] - '0';
        int column = text[1] - '0';
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns ||
            (text[2] && (text[2] != '-' || !text[3])) || out->count == GAME_MAX_PATH) {
            note_set(why, "'path' has squares joined by '-', such as 10-12, not '%.12s'", text);
            return ERR_INPUT;
        }
        out->squares[out->count++] = (uint8_t)(row * game->columns + column);
    }
    return ERR_NONE;
}

/* The position that the move leads to, or null. */
static bool write_after(FILE *out, const struct game *game, const struct state *state,
                        const struct move *move)
{
    char text[GAME_POSITION_BYTES];
    struct state after = *state;
    if (move->count < game->path_min || game->apply(&after, move, NULL)) {
        fputs("null", out);
        return false;
    }
    game->write_position(&after, text);
    json_text_string(out, text);
    return true;
}

static bool begins_a_move(const struct move *moves, size_t count, int square)
{
    for (size_t i = 0; i < count; i++) {
        if (moves[i].kind == MOVE_PATH && moves[i].squares[0] == square) {
            return true;
        }
    }
    return false;
}

static bool can_go_on(const struct game *game, const struct state *state, const struct move *path)
{
    struct state after = *state;
    return path->count >= game->path_min && !game->apply(&after, path, NULL);
}

/* Every prefix of a move that is long enough is a move itself, so trying all squares finds every
 * way on. */
static void write_ways_on(FILE *out, const struct game *game, const struct state *state,
                          struct move path)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = path.count ? 0 : game->moves(state, moves);
    char name[3];
    int written = 0;
    uint8_t last = path.count++;
    for (int square = 0; square < game->rows * game->columns && last < game->path_max; square++) {
        path.squares[last] = (uint8_t)square;
        if (last ? can_go_on(game, state, &path) : begins_a_move(moves, count, square)) {
            game_square_name(game, square, name);
            json_text_field(out, written++ ? ",{" : "{", "square", name);
            fputs(",\"position\":", out);
            write_after(out, game, state, &path);
            fputc('}', out);
        }
    }
}

/* How a move can be put together square by square. */
static enum err write_next(const struct answerer *answerer, const struct question *question,
                           FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct move path;
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (!err) {
        err = read_path(game, question, &path, why);
    }
    if (err) {
        return err;
    }
    fputs("{\"position\":", out);
    bool is_move = write_after(out, game, &state, &path);
    fprintf(out, ",\"is_move\":%s,\"next\":[", is_move ? "true" : "false");
    if (!game_is_over(game, &state)) {
        write_ways_on(out, game, &state, path);
    }
    fputs("]}", out);
    return ERR_NONE;
}

static enum err write_picture(const struct answerer *answerer, const struct question *question,
                              FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (!err) {
        svg_write(out, game, &state);
    }
    return err;
}

static const struct answer games = {
    .name = "games", .type = "application/json", .write = write_games};
static const struct answer position = {.name = "position",
                                       .type = "application/json",
                                       .fields = {"game", "position", "moves"},
                                       .write = write_position};
static const struct answer next = {.name = "next",
                                   .type = "application/json",
                                   .fields = {"game", "position", "moves", "path"},
                                   .write = write_next};
static const struct answer picture = {.name = "picture",
                                      .type = "image/svg+xml",
                                      .fields = {"game", "position", "moves"},
                                      .write = write_picture};

static const struct answer *const answers[] = {&games,          &position,       &next,
                                               &picture,        &answer_record,  &answer_bid,
                                               &answer_auction, &answer_bestmove};

const struct answer *answer_find(const char *name)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        if (strcmp(answers[i]->name, name) == 0) {
            return answers[i];
        }
    }
    return NULL;
}

static bool knows(const struct answer *answer, const char *name)
{
    const char *const *field = answer->fields;
    while (*field && strcmp(*field, name) != 0) {
        field++;
    }
    return *field;
}

enum err answer_check(const struct answer *answer, const struct question *question,
                      struct note *why)
{
    for (size_t i = 0; i < question->count; i++) {
        const char *name = question->fields[i].name;
        if (!knows(answer, name)) {
            note_set(why, "'%s' has no field '%.40s'; /api/v1/openapi.json lists them",
                     answer->name, name);
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}
