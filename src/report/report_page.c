#include "report/report_page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "report/caption.h"
#include "report/game_viewer.h"
#include "report/html.h"
#include "report/json_tournament.h"
#include "report/report_json.h"
#include "report/svg.h"
#include "report/theme.h"

struct report_page {
    FILE *out;
    const struct report_data *data;
    bool is_public;
    struct note *why;
};

static const char *embedded_text(const char *name)
{
    const struct embedded_file *file = embedded_find(name);
    assert(file);
    return file->bytes;
}

/* --- What fills the gaps. --- */

static enum err write_title(const struct report_page *page)
{
    html_text(page->out, page->data->roster.name, SIZE_MAX);
    return ERR_NONE;
}

static enum err write_style(const struct report_page *page)
{
    fputs(embedded_text("src/report/page/report.css"), page->out);
    return ERR_NONE;
}

static enum err write_script(const struct report_page *page)
{
    fputs(embedded_text("src/report/page/page.js"), page->out);
    fputs(embedded_text("src/report/page/tables.js"), page->out);
    fputs(embedded_text("src/report/page/replay.js"), page->out);
    return ERR_NONE;
}

/* Adds the kinds of pieces that are on the board. */
static void note_kinds(const struct game *game, const struct state *state, bool *is_used)
{
    for (int square = 0; square < game->rows * game->columns; square++) {
        is_used[game->cell(state, square).piece] = true;
    }
}

/* The board may be empty at the start, so a first move is also tried. */
static void find_kinds(const struct game *game, bool *is_used)
{
    struct state state = game->start();
    struct move moves[GAME_MAX_MOVES];
    note_kinds(game, &state, is_used);
    if (game->moves(&state, moves) && !game->apply(&state, &moves[0], NULL)) {
        note_kinds(game, &state, is_used);
    }
}

static enum err write_pieces(const struct report_page *page)
{
    const struct game *game = page->data->roster.game;
    bool is_used[PIECE_BARRIER + 1] = {false};
    find_kinds(game, is_used);
    for (int piece = PIECE_MAN; piece <= PIECE_BARRIER; piece++) {
        for (int side = SIDE_BLACK; is_used[piece] && side <= SIDE_WHITE; side++) {
            struct cell cell = {(uint8_t)piece, (uint8_t)side};
            fprintf(page->out, "<g id=\"piece-%d\">", caption_letter(cell));
            svg_write_piece(page->out, game, cell);
            fputs("</g>\n", page->out);
        }
    }
    return ERR_NONE;
}

static void write_colour(struct json *json, const char *name, uint32_t colour)
{
    char text[8];
    snprintf(text, sizeof text, "#%06" PRIx32, colour & 0xffffff);
    json_string(json, name, text);
}

static enum err write_data(const struct report_page *page)
{
    struct json json = json_make(page->out, JSON_COMPACT);
    return report_json(&json, page->data, page->is_public, page->why);
}

static void write_colours(struct json *json, const char *name, const struct game *game,
                          bool is_marked)
{
    struct theme theme = theme_of(game);
    json_begin_array(json, name);
    for (int square = 0; square < game->rows * game->columns; square++) {
        write_colour(json, NULL, theme_ground(&theme, game, square, is_marked));
    }
    json_end(json);
}

static enum err write_board(const struct report_page *page)
{
    const struct game *game = page->data->roster.game;
    struct json json = json_make(page->out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "rows", game->rows);
    json_integer(&json, "columns", game->columns);
    write_colour(&json, "frame", theme_of(game).frame);
    write_colours(&json, "grounds", game, false);
    write_colours(&json, "marks", game, true);
    json_end(&json);
    return ERR_NONE;
}

static enum err write_replay(const struct report_page *page, struct json *json,
                             const struct tournament_game *game)
{
    char *record = NULL;
    char *text = NULL;
    enum err err = ERR_NONE;
    if (json_tournament_has_result(game)) {
        err = store_record(page->data->store, game->number, STORE_LATEST, &record, page->why);
    }
    /* A record that does not replay is shown as a game without moves rather than not at all. */
    struct note ignored;
    if (!err && record && game_viewer_text(page->data->cpu, record, &text, &ignored)) {
        text = NULL;
    }
    json_string(json, NULL, text);
    free(text);
    free(record);
    return err;
}

static enum err write_replays(const struct report_page *page)
{
    const struct tournament *t = &page->data->tournament;
    struct json json = json_make(page->out, JSON_INDENTED);
    enum err err = ERR_NONE;
    json_begin_array(&json, NULL);
    for (size_t i = 0; !err && i < t->game_count; i++) {
        err = write_replay(page, &json, &t->games[i]);
    }
    json_end(&json);
    return err;
}

static const struct page_gap {
    const char *name;
    enum err (*fill)(const struct report_page *page);
} gaps[] = {
    {"@TITLE@", write_title},   {"@STYLE@", write_style}, {"@PIECES@", write_pieces},
    {"@DATA@", write_data},     {"@BOARD@", write_board}, {"@GAMES@", write_replays},
    {"@SCRIPT@", write_script},
};

/* The gap that `text` begins with, or NULL. */
static const struct page_gap *gap_at(const char *text)
{
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        if (strncmp(text, gaps[i].name, strlen(gaps[i].name)) == 0) {
            return &gaps[i];
        }
    }
    return NULL;
}

enum err report_page(FILE *out, const struct report_data *data, bool is_public, struct note *why)
{
    const struct report_page page = {out, data, is_public, why};
    enum err err = ERR_NONE;
    for (const char *at = embedded_text("src/report/page/report.html"); *at && !err;) {
        size_t plain = strcspn(at, "@");
        fwrite(at, 1, plain, out);
        at += plain;
        const struct page_gap *gap = gap_at(at);
        if (gap) {
            err = gap->fill(&page);
            at += strlen(gap->name);
        } else if (*at) {
            fputc(*at++, out);
        }
    }
    return err;
}
