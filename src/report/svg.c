#include "report/svg.h"

#include <inttypes.h>

#include "report/caption.h"
#include "report/theme.h"

enum {
    SQUARE = 60,
    MARGIN = 44, /* room for the coordinates */
    FRAME = 8,
    FOOTER = 92, /* room for two lines of words */
};

static int board_width(const struct game *game) { return SQUARE * game->columns; }
static int board_height(const struct game *game) { return SQUARE * game->rows; }

/* --- Pieces, each around the middle of its square. --- */

static void draw_round(FILE *out, uint32_t fill, uint32_t edge, int radius)
{
    fprintf(out,
            "<circle cy=\"2\" r=\"%d\" fill=\"#000\" opacity=\".22\"/>"
            "<circle r=\"%d\" fill=\"#%06" PRIx32 "\" stroke=\"#%06" PRIx32
            "\" stroke-width=\"1.5\"/>",
            radius, radius, fill, edge);
}

/* A peg seen from above: a ring inside its edge tells it from a flat disc. */
static void draw_man(FILE *out, uint32_t fill, uint32_t edge)
{
    draw_round(out, fill, edge, 20);
    fprintf(out,
            "<circle r=\"12.5\" fill=\"none\" stroke=\"#%06" PRIx32
            "\" stroke-width=\"2\" opacity=\".55\"/>",
            theme_blend(fill, 0x808080, 70));
}

static void draw_disc(FILE *out, uint32_t fill, uint32_t edge) { draw_round(out, fill, edge, 24); }

static void draw_flag(FILE *out, uint32_t fill, uint32_t edge)
{
    fprintf(out,
            "<g fill=\"#%06" PRIx32 "\" stroke=\"#%06" PRIx32
            "\" stroke-width=\"1.5\" stroke-linejoin=\"round\">"
            "<path d=\"M-15-23h5V24h-5z\"/>"
            "<path d=\"M-10-21C-2-26 6-16 20-21V3C6 8-2-2-10 3z\"/>"
            "<path d=\"M-20 21h15v4h-15z\"/></g>",
            fill, edge);
}

static void draw_soldier(FILE *out, uint32_t fill, uint32_t edge)
{
    fprintf(out,
            "<g fill=\"#%06" PRIx32 "\" stroke=\"#%06" PRIx32
            "\" stroke-width=\"1.5\" stroke-linejoin=\"round\">"
            "<path d=\"M-15 22C-15 6-8 1 0 1S15 6 15 22z\"/>"
            "<circle cy=\"-7\" r=\"9\"/>"
            "<path d=\"M-13-9C-12-27 12-27 13-9z\"/></g>",
            fill, edge);
}

static void draw_barrier(FILE *out, uint32_t fill, uint32_t edge)
{
    static const int rows[3][3][2] = {{{-25, 24}, {1, 24}, {0, 0}},
                                      {{-25, 10}, {-13, 25}, {14, 11}},
                                      {{-25, 24}, {1, 24}, {0, 0}}};
    fprintf(out, "<g fill=\"#%06" PRIx32 "\" stroke=\"#%06" PRIx32 "\">", fill, edge);
    for (int row = 0; row < 3; row++) {
        for (int brick = 0; brick < 3 && rows[row][brick][1]; brick++) {
            fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\" rx=\"2\"/>",
                    rows[row][brick][0], -24 + 17 * row, rows[row][brick][1]);
        }
    }
    fputs("</g>", out);
}

typedef void draw_piece_fn(FILE *out, uint32_t fill, uint32_t edge);

static draw_piece_fn *const draw_piece[PIECE_BARRIER + 1] = {
    [PIECE_MAN] = draw_man,         [PIECE_DISC] = draw_disc,       [PIECE_FLAG] = draw_flag,
    [PIECE_SOLDIER] = draw_soldier, [PIECE_BARRIER] = draw_barrier,
};

static void draw_square(FILE *out, const struct game *game, const struct state *state,
                        const struct theme *theme, int square)
{
    struct cell cell = game->cell(state, square);
    int x = square % game->columns * SQUARE;
    int y = square / game->columns * SQUARE;
    uint32_t ground =
        cell.piece == PIECE_HOLE ? theme->frame : theme_ground(theme, game, square, false);
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06" PRIx32 "\"/>\n",
            x, y, SQUARE, SQUARE, ground);
    if (draw_piece[cell.piece]) {
        fprintf(out, "<g transform=\"translate(%d %d)\">", x + SQUARE / 2, y + SQUARE / 2);
        draw_piece[cell.piece](out, theme->pieces[cell.side], theme->edges[cell.side]);
        fputs("</g>\n", out);
    }
}

static void draw_coordinates(FILE *out, const struct game *game)
{
    fputs("<g class=\"soft\" font-size=\"16\" text-anchor=\"middle\">\n", out);
    for (int column = 0; column < game->columns; column++) {
        fprintf(out, "<text x=\"%d\" y=\"-18\">%d</text>\n", column * SQUARE + SQUARE / 2, column);
    }
    for (int row = 0; row < game->rows; row++) {
        fprintf(out, "<text x=\"-25\" y=\"%d\">%d</text>\n", row * SQUARE + SQUARE / 2 + 6, row);
    }
    fputs("</g>\n", out);
}

/* Title and description are what a screen reader reads. */
static void write_head(FILE *out, const struct game *game, const struct state *state,
                       const char *turn, const char *status)
{
    char position[GAME_POSITION_BYTES];
    char pieces[2][CAPTION_BYTES];
    int width = board_width(game) + 2 * MARGIN;
    int height = board_height(game) + MARGIN + FOOTER;
    game->write_position(state, position);
    caption_pieces(game, state, SIDE_BLACK, pieces[SIDE_BLACK]);
    caption_pieces(game, state, SIDE_WHITE, pieces[SIDE_WHITE]);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\" aria-labelledby=\"title desc\">\n",
            width, height, width, height);
    fprintf(out, "<title id=\"title\">%s: %s</title>\n", game->name, turn);
    fprintf(out, "<desc id=\"desc\">Black has %s, White has %s%s%s. Position: %s</desc>\n",
            pieces[SIDE_BLACK], pieces[SIDE_WHITE], *status ? "; " : "", status, position);
    fputs("<style>.card{fill:#f6f4ee}.strong{fill:#24272b}.soft{fill:#6d7176}"
          "@media(prefers-color-scheme:dark){.card{fill:#22252a}.strong{fill:#eceae4}"
          ".soft{fill:#a2a6ab}}</style>\n",
          out);
    fprintf(out, "<rect class=\"card\" width=\"%d\" height=\"%d\" rx=\"16\"/>\n", width, height);
}

static void draw_footer(FILE *out, const struct game *game, const char *turn, const char *status)
{
    int y = board_height(game) + FRAME;
    fprintf(out,
            "<text class=\"strong\" font-size=\"20\" font-weight=\"600\" x=\"0\" y=\"%d\">%s: "
            "%s</text>\n",
            y + 34, game->name, turn);
    fprintf(out, "<text class=\"soft\" font-size=\"16\" x=\"0\" y=\"%d\">%s</text>\n", y + 62,
            status);
}

void svg_write(FILE *out, const struct game *game, const struct state *state)
{
    struct theme theme = theme_of(game);
    char turn[CAPTION_BYTES];
    char status[GAME_STATUS_BYTES];
    caption_turn(game, state, turn);
    game->status(state, status);
    write_head(out, game, state, turn, status);
    fprintf(out,
            "<g transform=\"translate(%d %d)\" font-family=\"system-ui,'Segoe UI',"
            "Helvetica,Arial,sans-serif\">\n",
            MARGIN, MARGIN);
    draw_coordinates(out, game);
    fprintf(
        out,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#%06" PRIx32 "\"/>\n",
        -FRAME, -FRAME, board_width(game) + 2 * FRAME, board_height(game) + 2 * FRAME, theme.frame);
    for (int square = 0; square < game->rows * game->columns; square++) {
        draw_square(out, game, state, &theme, square);
    }
    draw_footer(out, game, turn, status);
    fputs("</g>\n</svg>\n", out);
}

void svg_write_piece(FILE *out, const struct game *game, struct cell cell)
{
    struct theme theme = theme_of(game);
    if (draw_piece[cell.piece]) {
        draw_piece[cell.piece](out, theme.pieces[cell.side], theme.edges[cell.side]);
    }
}
