#include "report/report_page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "report/caption.h"
#include "report/film.h"
#include "report/html.h"
#include "report/report_json.h"
#include "report/svg.h"
#include "report/theme.h"

struct page {
    FILE *out;
    const struct book *book;
    bool is_public;
    struct note *why;
};

static const char *embedded_text(const char *name)
{
    const struct embedded_file *file = embedded_find(name);
    assert(file);
    return file->bytes;
}

static enum err refuse_memory(struct note *why)
{
    note_set(why, "out of memory");
    return ERR_ENVIRONMENT;
}

/* --- What fills the gaps. --- */

static enum err write_title(const struct page *page)
{
    html_text(page->out, page->book->roster.name, SIZE_MAX);
    return ERR_NONE;
}

static enum err write_style(const struct page *page)
{
    fputs(embedded_text("src/report/page/report.css"), page->out);
    return ERR_NONE;
}

static enum err write_script(const struct page *page)
{
    fputs(embedded_text("src/report/page/page.js"), page->out);
    fputs(embedded_text("src/report/page/tables.js"), page->out);
    fputs(embedded_text("src/report/page/replay.js"), page->out);
    return ERR_NONE;
}

/* Adds the kinds of pieces that stand somewhere. */
static void note_kinds(const struct game *game, const struct state *state, bool *is_used)
{
    for (int square = 0; square < game->rows * game->columns; square++) {
        is_used[game->cell(state, square).piece] = true;
    }
}

/* The board may be empty at the start, so a first move is looked at too. */
static void find_kinds(const struct game *game, bool *is_used)
{
    struct state state = game->start();
    struct move moves[GAME_MAX_MOVES];
    note_kinds(game, &state, is_used);
    if (game->moves(&state, moves) && !game->apply(&state, &moves[0], NULL)) {
        note_kinds(game, &state, is_used);
    }
}

static enum err write_pieces(const struct page *page)
{
    const struct game *game = page->book->roster.game;
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

/* JSON inside HTML: a tag could only begin with '<', and that occurs in strings only. */
static int write_for_html(const char *buffer, size_t size, void *stream)
{
    for (size_t i = 0; i < size; i++) {
        if (buffer[i] == '<') {
            fputs("\\u003c", stream);
        } else {
            fputc(buffer[i], stream);
        }
    }
    return 0;
}

static enum err write_json(const struct page *page, json_t *take_value)
{
    bool is_written = take_value && json_dump_callback(take_value, write_for_html, page->out,
                                                       JSON_COMPACT | JSON_ENCODE_ANY) == 0;
    json_decref(take_value);
    return is_written ? ERR_NONE : refuse_memory(page->why);
}

static enum err write_data(const struct page *page)
{
    return write_json(page, report_json(page->book, page->is_public));
}

static void write_colours(FILE *out, const struct game *game, bool is_marked)
{
    struct theme theme = theme_of(game);
    for (int square = 0; square < game->rows * game->columns; square++) {
        fprintf(out, "%s\"#%06" PRIx32 "\"", square ? "," : "",
                theme_ground(&theme, game, square, is_marked));
    }
}

static enum err write_board(const struct page *page)
{
    const struct game *game = page->book->roster.game;
    fprintf(page->out, "{\"rows\":%d,\"columns\":%d,\"frame\":\"#%06" PRIx32 "\",\"grounds\":[",
            game->rows, game->columns, theme_of(game).frame);
    write_colours(page->out, game, false);
    fputs("],\"marks\":[", page->out);
    write_colours(page->out, game, true);
    fputs("]}", page->out);
    return ERR_NONE;
}

static enum err write_film(const struct page *page, const struct tournament_game *game)
{
    char *record = NULL;
    char *film = NULL;
    bool was_played = game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
    enum err err = ERR_NONE;
    if (was_played) {
        err = store_record(page->book->store, game->number, STORE_LATEST, &record, page->why);
    }
    if (err) {
        return err;
    }
    /* A record that does not replay is shown as a game without moves rather than not at all. */
    struct note ignored;
    if (record && film_make(page->book->cpu, record, &film, &ignored)) {
        film = NULL;
    }
    err = write_json(page, film ? json_string(film) : json_null());
    free(film);
    free(record);
    return err;
}

static enum err write_films(const struct page *page)
{
    const struct tournament *t = &page->book->tournament;
    enum err err = ERR_NONE;
    fputc('[', page->out);
    for (size_t i = 0; !err && i < t->game_count; i++) {
        fputs(i ? ",\n" : "\n", page->out);
        err = write_film(page, &t->games[i]);
    }
    fputc(']', page->out);
    return err;
}

static const struct gap {
    const char *name;
    enum err (*fill)(const struct page *page);
} gaps[] = {
    {"@TITLE@", write_title},   {"@STYLE@", write_style}, {"@PIECES@", write_pieces},
    {"@DATA@", write_data},     {"@BOARD@", write_board}, {"@FILMS@", write_films},
    {"@SCRIPT@", write_script},
};

/* The gap that `text` begins with, or NULL. */
static const struct gap *gap_at(const char *text)
{
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        if (strncmp(text, gaps[i].name, strlen(gaps[i].name)) == 0) {
            return &gaps[i];
        }
    }
    return NULL;
}

enum err report_page(FILE *out, const struct book *book, bool is_public, struct note *why)
{
    const struct page page = {out, book, is_public, why};
    enum err err = ERR_NONE;
    for (const char *at = embedded_text("src/report/page/report.html"); *at && !err;) {
        size_t plain = strcspn(at, "@");
        fwrite(at, 1, plain, out);
        at += plain;
        const struct gap *gap = gap_at(at);
        if (gap) {
            err = gap->fill(&page);
            at += strlen(gap->name);
        } else if (*at) {
            fputc(*at++, out);
        }
    }
    return err;
}
