#include "report/theme.h"

enum { ZONE_PERCENT = 45, MARK_PERCENT = 55 };

enum {
    BLACK_PIECE = 0x1d2126,
    WHITE_PIECE = 0xfbfaf6,
    BLACK_EDGE = 0x000000,
    WHITE_EDGE = 0x8d8a80
};

#define SIDES .pieces = {BLACK_PIECE, WHITE_PIECE}, .edges = {BLACK_EDGE, WHITE_EDGE}

/* The tones stay apart on a terminal that knows only 256 colours. */
static const struct theme wood = {
    .squares = {0xcfa678, 0xc89e6c}, .frame = 0x7d5023, .mark = 0xffd84a, SIDES};
static const struct theme baize = {
    .squares = {0x4ba66e, 0x429c74}, .frame = 0x1f5a28, .mark = 0xf2d24b, SIDES};
static const struct theme slate = {
    .squares = {0x7d8c96, 0x73828d}, .frame = 0x3b464f, .mark = 0xffd45c, SIDES};

struct theme theme_of(const struct game *game)
{
    struct state start = game->start();
    for (int square = 0; square < game->rows * game->columns; square++) {
        switch ((enum piece)game->cell(&start, square).piece) {
        case PIECE_MAN:
            return wood;
        case PIECE_DISC:
        case PIECE_HOLE:
            return baize;
        default:
            break;
        }
    }
    return slate;
}

static uint32_t blend_channel(uint32_t a, uint32_t b, int shift, int percent)
{
    uint32_t from = a >> shift & 0xff;
    uint32_t to = b >> shift & 0xff;
    uint32_t share = (uint32_t)percent;
    return (from * (100 - share) + to * share) / 100 << shift;
}

uint32_t theme_blend(uint32_t a, uint32_t b, int percent)
{
    return blend_channel(a, b, 16, percent) | blend_channel(a, b, 8, percent) |
           blend_channel(a, b, 0, percent);
}

uint32_t theme_ground(const struct theme *theme, const struct game *game, int square,
                      bool is_marked)
{
    enum zone zone = game->zone ? game->zone(square) : ZONE_NONE;
    uint32_t ground = theme->squares[(square / game->columns + square % game->columns) & 1];
    if (zone != ZONE_NONE) {
        ground = theme_blend(ground, theme->pieces[zone == ZONE_WHITE], ZONE_PERCENT);
    }
    return is_marked ? theme_blend(ground, theme->mark, MARK_PERCENT) : ground;
}
