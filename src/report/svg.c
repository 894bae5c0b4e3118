#include "report/svg.h"

#include <inttypes.h>
#include <string.h>

#include "game/look.h"
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

void svg_write_piece(FILE *out, const struct game *game, struct cell cell)
{
    const struct theme *theme = &game->look->theme;
    uint32_t fill = theme->pieces[cell.side];
    static const char *const names[] = {"$fill", "$edge", "$shade"};
    const uint32_t colours[] = {fill, theme->edges[cell.side], theme_blend(fill, 0x808080, 70)};
    for (const char *at = look_piece(game, cell.piece)->drawing; at && *at;) {
        int i = 0;
        while (i < 3 && strncmp(at, names[i], strlen(names[i])) != 0) {
            i++;
        }
        if (i < 3) {
            fprintf(out, "#%06" PRIx32, colours[i]);
            at += strlen(names[i]);
        } else {
            fputc(*at++, out);
        }
    }
}

static void draw_square(FILE *out, const struct game *game, const struct state *state, int square)
{
    struct cell cell = game->cell(state, square);
    int x = square % game->columns * SQUARE;
    int y = square / game->columns * SQUARE;
    uint32_t ground =
        cell.piece == PIECE_HOLE ? game->look->theme.frame : theme_ground(game, square, false);
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06" PRIx32 "\"/>\n",
            x, y, SQUARE, SQUARE, ground);
    if (cell.piece >= PIECE_FIRST) {
        fprintf(out, "<g transform=\"translate(%d %d)\">", x + SQUARE / 2, y + SQUARE / 2);
        svg_write_piece(out, game, cell);
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
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#%06" PRIx32
            "\"/>\n",
            -FRAME, -FRAME, board_width(game) + 2 * FRAME, board_height(game) + 2 * FRAME,
            game->look->theme.frame);
    for (int square = 0; square < game->rows * game->columns; square++) {
        draw_square(out, game, state, square);
    }
    draw_footer(out, game, turn, status);
    fputs("</g>\n</svg>\n", out);
}
