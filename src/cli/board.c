#include "cli/board.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "game/look.h"
#include "report/caption.h"
#include "report/theme.h"

enum { PANEL_LINES = 7, PANEL_BYTES = 48, LAST_MOVE_BYTES = 32, MUTED = 0x8a8a8a };

/* What is known about a position, a few words a line. */
struct panel {
    char lines[PANEL_LINES][PANEL_BYTES];
};

/* A long path keeps its end, the square of the piece now. */
static void write_last_move(const struct game *game, const struct move *last, char out[PANEL_BYTES])
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, last, text);
    size_t length = strlen(text);
    bool is_cut = length > LAST_MOVE_BYTES;
    snprintf(out, PANEL_BYTES, "last move %s%.*s", is_cut ? "..." : "", LAST_MOVE_BYTES,
             text + (is_cut ? length - LAST_MOVE_BYTES : 0));
}

static void write_side(const struct game *game, const struct state *state, enum side side,
                       char out[PANEL_BYTES])
{
    char pieces[CAPTION_BYTES];
    caption_pieces(game, state, side, pieces);
    snprintf(out, PANEL_BYTES, "%s: %.*s", side_title(side), PANEL_BYTES - 8, pieces);
}

static struct panel make_panel(const struct game *game, const struct state *state,
                               const struct move *last)
{
    struct panel panel = {0};
    struct move moves[GAME_MAX_MOVES];
    char words[CAPTION_BYTES];
    char(*line)[PANEL_BYTES] = panel.lines;
    snprintf(*line++, PANEL_BYTES, "%s", game->name);
    caption_turn(game, state, words);
    snprintf(*line++, PANEL_BYTES, "%.*s", PANEL_BYTES - 1, words);
    size_t count = game_is_over(game, state) ? 0 : game->moves(state, moves);
    if (count && moves[0].kind != MOVE_PASS) {
        snprintf(*line++, PANEL_BYTES, "%zu legal move%s", count, count == 1 ? "" : "s");
    }
    write_side(game, state, SIDE_BLACK, *line++);
    write_side(game, state, SIDE_WHITE, *line++);
    game->status(state, words);
    if (*words) {
        snprintf(*line++, PANEL_BYTES, "%.*s", PANEL_BYTES - 1, words);
    }
    if (last) {
        write_last_move(game, last, *line++);
    }
    return panel;
}

static bool is_on_path(const struct move *last, int square)
{
    for (int i = 0; last && i < last->count; i++) {
        if (last->squares[i] == square) {
            return true;
        }
    }
    return false;
}

static bool is_path_end(const struct move *last, int square)
{
    return last && last->count && last->squares[last->count - 1] == square;
}

/* --- With colours: a square is three columns wide. --- */

static void draw_square(const struct game *game, struct cell cell, int square, bool is_marked,
                        enum paint paint)
{
    const struct theme *theme = &game->look->theme;
    const struct piece_kind *kind = look_piece(game, cell.piece);
    uint32_t ground = theme_ground(game, square, is_marked);
    uint32_t ink = theme->pieces[cell.side];
    if (cell.piece == PIECE_HOLE) {
        ground = theme->frame;
    } else if (kind->role == ROLE_WALL) {
        /* A wall fills its square: the glyph is the mortar between the bricks. */
        uint32_t wall = theme_blend(ink, ground, is_marked ? 45 : 20);
        ink = ground;
        ground = wall;
    }
    paint_ink(paint, ink);
    paint_ground(paint, ground);
    fputs(kind->wide[cell.side], stdout);
}

static void draw_edge(const struct game *game, const char *glyph, enum paint paint)
{
    paint_ink(paint, game->look->theme.frame);
    fputs("   ", stdout);
    for (int i = 0; i < 3 * game->columns + 2; i++) {
        fputs(glyph, stdout);
    }
    paint_reset(paint);
    putchar('\n');
}

static void draw_coloured_row(const struct game *game, const struct state *state,
                              const struct move *last, int row, enum paint paint)
{
    paint_ink(paint, MUTED);
    printf(" %d ", row);
    paint_ground(paint, game->look->theme.frame);
    putchar(' ');
    for (int column = 0; column < game->columns; column++) {
        int square = row * game->columns + column;
        draw_square(game, game->cell(state, square), square, is_on_path(last, square), paint);
    }
    paint_ground(paint, game->look->theme.frame);
    putchar(' ');
    paint_reset(paint);
}

static int draw_coloured(const struct game *game, const struct state *state,
                         const struct move *last, enum paint paint)
{
    struct panel panel = make_panel(game, state, last);
    paint_ink(paint, MUTED);
    fputs("    ", stdout);
    for (int column = 0; column < game->columns; column++) {
        printf(" %d ", column);
    }
    putchar('\n');
    draw_edge(game, "▄", paint);
    for (int row = 0; row < game->rows; row++) {
        draw_coloured_row(game, state, last, row, paint);
        if (row < 2) {
            paint_bold(paint);
        }
        bool has_words = row < PANEL_LINES && *panel.lines[row];
        printf("%s%s\n", has_words ? "   " : "", has_words ? panel.lines[row] : "");
        paint_reset(paint);
    }
    draw_edge(game, "▀", paint);
    return game->rows + 3;
}

/* --- Without: letters or symbols with spaces between them. --- */

static void draw_symbol(const struct game *game, struct cell cell, enum paint paint)
{
    if (paint == PAINT_PLAIN) {
        putchar(caption_letter(game, cell));
    } else {
        fputs(look_piece(game, cell.piece)->narrow[cell.side], stdout);
    }
}

/* Brackets hold the square where the last move ended, parentheses the others it touched. */
static char gap_before(const struct game *game, const struct move *last, int row, int column)
{
    int square = row * game->columns + column;
    bool has_left = column > 0;
    bool has_right = column < game->columns;
    if (has_left && is_path_end(last, square - 1)) {
        return ']';
    }
    if (has_right && is_path_end(last, square)) {
        return '[';
    }
    if (has_left && is_on_path(last, square - 1)) {
        return ')';
    }
    return has_right && is_on_path(last, square) ? '(' : ' ';
}

static int draw_letters(const struct game *game, const struct state *state, const struct move *last,
                        enum paint paint)
{
    struct panel panel = make_panel(game, state, last);
    int lines = game->rows + 3;
    printf("%s: %s\n\n   ", panel.lines[0], panel.lines[1]);
    for (int column = 0; column < game->columns; column++) {
        printf(" %d", column);
    }
    putchar('\n');
    for (int row = 0; row < game->rows; row++) {
        printf("  %d", row);
        for (int column = 0; column < game->columns; column++) {
            putchar(gap_before(game, last, row, column));
            draw_symbol(game, game->cell(state, row * game->columns + column), paint);
        }
        /* No spaces at the end of a line. */
        char gap = gap_before(game, last, row, game->columns);
        printf("%.*s\n", gap != ' ', &gap);
    }
    putchar('\n');
    for (int i = 2; i < PANEL_LINES && *panel.lines[i]; i++, lines++) {
        puts(panel.lines[i]);
    }
    return lines + 1;
}

int board_draw(const struct game *game, const struct state *state, const struct move *last,
               enum paint paint)
{
    return paint >= PAINT_256 ? draw_coloured(game, state, last, paint)
                              : draw_letters(game, state, last, paint);
}
