#include "report/report_page.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "game/look.h"
#include "report/caption.h"
#include "report/html.h"
#include "report/json_game.h"
#include "report/report_parts.h"
#include "report/report_standings.h"
#include "report/svg.h"
#include "report/theme.h"

/* The page lists this many faults. The pages of the teams list all. */
enum { FAULTS_SHOWN = 20 };

struct report_page {
    FILE *out;
    const struct report_view *view;
    const char *folder;
};

static const char *embedded_text(const char *name)
{
    const struct embedded_file *file = embedded_find(name);
    assert(file);
    return file->bytes;
}

/* --- What fills the gaps. --- */

static void write_title(const struct report_page *page)
{
    html_text(page->out, page->view->data->roster.name, SIZE_MAX);
}

static void write_style(const struct report_page *page)
{
    fputs(embedded_text("src/report/page/report.css"), page->out);
}

static void write_script(const struct report_page *page)
{
    static const char *const names[] = {"page", "tables", "overview", "team", "replay", "route"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "src/report/page/%s.js", names[i]);
        fputs(embedded_text(path), page->out);
    }
}

static void write_standings(const struct report_page *page)
{
    report_standings_write(page->out, page->view);
}

static void write_pieces(const struct report_page *page)
{
    const struct game *game = page->view->data->roster.game;
    for (int piece = PIECE_FIRST; look_piece(game, piece)->one; piece++) {
        for (int side = 0; side < CELL_SIDES; side++) {
            struct cell cell = {(uint8_t)piece, (uint8_t)side};
            char letter = caption_letter(game, cell);
            if (letter) {
                fprintf(page->out, "<g id=\"piece-%d\">", letter);
                svg_write_piece(page->out, game, cell);
                fputs("</g>\n", page->out);
            }
        }
    }
}

static void write_colour(struct json *json, const char *name, uint32_t colour)
{
    char text[8];
    snprintf(text, sizeof text, "#%06" PRIx32, colour & 0xffffff);
    json_string(json, name, text);
}

/* --- The data. --- */

static void write_totals(struct json *json, const struct tournament *t)
{
    int64_t plies = 0;
    int64_t first = 0;
    int64_t last = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        if (game->status == GAME_PLAYED) {
            plies += game->summary.plies;
            first = game->ended_ms && (!first || game->ended_ms < first) ? game->ended_ms : first;
            last = game->ended_ms > last ? game->ended_ms : last;
        }
    }
    json_integer(json, "plies", plies);
    json_integer_or_null(json, "first_ms", first != 0, first);
    json_integer_or_null(json, "last_ms", last != 0, last);
}

/* For every round its first and last game, so that the page need not load the others. */
static void write_round_games(struct json *json, const struct tournament *t)
{
    json_begin_array(json, "round_games");
    for (size_t i = 0; i < t->game_count;) {
        size_t from = i;
        while (i < t->game_count && t->games[i].round == t->games[from].round) {
            i++;
        }
        json_begin_array(json, NULL);
        json_integer(json, NULL, t->games[from].round + 1);
        json_integer(json, NULL, (int64_t)from + 1);
        json_integer(json, NULL, (int64_t)i);
        json_end(json);
    }
    json_end(json);
}

/* For every row of the standings: what it tried in vain, by kind. */
static void write_attempts(struct json *json, const struct report_data *data)
{
    json_begin_array(json, "attempts");
    for (int place = 0; place < roster_entrant_count(&data->roster); place++) {
        const struct violation_list *list = data->teams[data->rows[place].team].violations;
        int64_t counts[VIOLATION_KINDS] = {0};
        for (int i = 0; list && i < list->count; i++) {
            counts[list->rows[i].kind] += list->rows[i].count;
        }
        json_begin_object(json, NULL);
        for (int kind = 0; kind < VIOLATION_KINDS; kind++) {
            if (counts[kind]) {
                json_integer(json, violation_kind_name((enum violation_kind)kind), counts[kind]);
            }
        }
        json_end(json);
    }
    json_end(json);
}

static void write_data(const struct report_page *page)
{
    const struct report_data *data = page->view->data;
    struct json json = json_make(page->out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_tournament_head(&json, &data->tournament);
    write_totals(&json, &data->tournament);
    json_begin_array(&json, "standings");
    for (int place = 0; place < roster_entrant_count(&data->roster); place++) {
        report_json_standing(&json, page->view, place);
    }
    json_end(&json);
    write_round_games(&json, &data->tournament);
    json_integer(&json, "fault_count", (int64_t)data->fault_count);
    json_begin_array(&json, "faults");
    for (size_t i = 0; i < data->fault_count && i < FAULTS_SHOWN; i++) {
        report_json_fault(&json, page->view, &data->faults[i]);
    }
    json_end(&json);
    write_attempts(&json, data);
    json_tournament_qualification(&json, "qualification", &page->view->names,
                                  !page->view->is_public);
    json_game_phrases(&json, data->roster.game);
    json_integer(&json, "game_count", (int64_t)data->tournament.game_count);
    json_string(&json, "folder", page->folder);
    json_integer(&json, "games_per_part", REPORT_PARTS_GAMES);
    json_integer(&json, "rows_per_part", REPORT_PARTS_ROWS);
    json_end(&json);
}

static void write_colours(struct json *json, const char *name, const struct game *game,
                          bool is_marked)
{
    json_begin_array(json, name);
    for (int square = 0; square < game->rows * game->columns; square++) {
        write_colour(json, NULL, theme_ground(game, square, is_marked));
    }
    json_end(json);
}

/* The board at the start is here once for all games. */
static void write_start(struct json *json, const struct game *game)
{
    char letters[GAME_MAX_SQUARES + 1] = "";
    struct state start = game->start();
    for (int square = 0; square < game->rows * game->columns; square++) {
        letters[square] = caption_letter(game, game->cell(&start, square));
    }
    json_string(json, "start", letters);
}

static void write_board(const struct report_page *page)
{
    const struct game *game = page->view->data->roster.game;
    struct json json = json_make(page->out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "rows", game->rows);
    json_integer(&json, "columns", game->columns);
    write_start(&json, game);
    write_colour(&json, "frame", game->look->theme.frame);
    write_colours(&json, "grounds", game, false);
    write_colours(&json, "marks", game, true);
    json_end(&json);
}

static const struct page_gap {
    const char *name;
    void (*fill)(const struct report_page *page);
} gaps[] = {
    {"@TITLE@", write_title},         {"@STYLE@", write_style}, {"@PIECES@", write_pieces},
    {"@STANDINGS@", write_standings}, {"@DATA@", write_data},   {"@BOARD@", write_board},
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

void report_page(FILE *out, const struct report_view *view, const char *folder)
{
    const struct report_page page = {out, view, folder};
    for (const char *at = embedded_text("src/report/page/report.html"); *at;) {
        size_t plain = strcspn(at, "@");
        fwrite(at, 1, plain, out);
        at += plain;
        const struct page_gap *gap = gap_at(at);
        if (gap) {
            gap->fill(&page);
            at += strlen(gap->name);
        } else if (*at) {
            fputc(*at++, out);
        }
    }
}
