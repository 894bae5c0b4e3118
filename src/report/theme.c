#include "report/theme.h"

#include "game/look.h"

enum { ZONE_PERCENT = 45, MARK_PERCENT = 55 };

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

uint32_t theme_ground(const struct game *game, int square, bool is_marked)
{
    const struct theme *theme = &game->look->theme;
    enum zone zone = game->zone ? game->zone(square) : ZONE_NONE;
    uint32_t ground = theme->squares[(square / game->columns + square % game->columns) & 1];
    if (zone != ZONE_NONE) {
        ground = theme_blend(ground, theme->pieces[zone == ZONE_WHITE], ZONE_PERCENT);
    }
    return is_marked ? theme_blend(ground, theme->mark, MARK_PERCENT) : ground;
}
