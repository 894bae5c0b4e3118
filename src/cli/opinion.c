#include "cli/opinion.h"

#include <stdio.h>
#include <stdlib.h>

/* What the game counts, and a score is measured in. */
static const char *unit_of(const struct game *game)
{
    struct state start = game->start();
    for (int square = 0; square < game->rows * game->columns; square++) {
        switch (game->cell(&start, square).piece) {
        case PIECE_MAN:
            return "men";
        case PIECE_SOLDIER:
            return "soldiers";
        default:
            break;
        }
    }
    return "discs";
}

void opinion_write(const struct game *game, const struct engine_report *report,
                   char out[OPINION_BYTES])
{
    enum { EVEN = 25 };
    int size = abs(report->score);
    const char *direction = report->score > 0 ? "ahead" : "behind";
    if (size > ENGINE_WIN_BOUND) {
        snprintf(out, OPINION_BYTES, "sees that it %s in %d", report->score > 0 ? "wins" : "loses",
                 ENGINE_WIN - size);
    } else if (report->is_exact && size == 0) {
        snprintf(out, OPINION_BYTES, "has seen the end: a draw");
    } else if (report->is_exact) {
        snprintf(out, OPINION_BYTES, "has seen the end: %d %s %s", size / 100, unit_of(game),
                 direction);
    } else if (size < EVEN) {
        snprintf(out, OPINION_BYTES, "finds the game even");
    } else {
        snprintf(out, OPINION_BYTES, "sees itself %d.%d %s %s", size / 100, size % 100 / 10,
                 unit_of(game), direction);
    }
}
