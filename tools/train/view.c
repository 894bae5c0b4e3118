#include "view.h"

#include <string.h>

#include "game/look.h"
#include "games/hop/eval.h"
#include "games/meichu/eval.h"
#include "games/reversi/eval.h"
#include "games/reversi/eval_pattern.h"
#include "games/reversi/state.h"

static void describe_hop(bool has_corners, const struct state *state, struct sample *out)
{
    (void)has_corners;
    struct hop_state s = hop_unpack(state);
    out->facts[0] = (int16_t)(HOP_PLY_LIMIT - (int)s.plies);
    struct hop_sums sums;
    hop_sums_make(&s, &sums);
    out->evaluation = (int16_t)hop_evaluate(&s, &sums);
}

static void describe_meichu(bool has_corners, const struct state *state, struct sample *out)
{
    (void)has_corners;
    struct meichu_state s = meichu_unpack(state);
    out->facts[0] = s.budget[s.to_move];
    out->facts[1] = s.budget[s.to_move ^ 1];
    struct meichu_sums sums;
    meichu_sums_make(&s, &sums);
    out->evaluation = (int16_t)meichu_evaluate(&s, &sums);
}

static void describe_reversi(bool has_corners, const struct state *state, struct sample *out)
{
    struct reversi_state s = reversi_unpack(state);
    uint32_t indexes[PATTERN_PLACES];
    pattern_indexes(has_corners, s.discs[s.to_move], s.discs[s.to_move ^ 1], indexes);
    out->facts[0] = (int16_t)(indexes[PATTERN_SHAPE_PLACES] - PATTERN_AT_MOVES);
    out->evaluation =
        (int16_t)reversi_evaluate(has_corners, s.discs[s.to_move], s.discs[s.to_move ^ 1]);
}

static int seen_hop(const struct state *state, int square)
{
    return hop_unpack(state).plies & 1 ? square ^ 7 : square;
}

static int seen_meichu(const struct state *state, int square)
{
    return meichu_unpack(state).to_move == SIDE_BLACK
               ? square
               : (MEICHU_LINE - 1 - square / MEICHU_LINE) * MEICHU_LINE + square % MEICHU_LINE;
}

static int seen_reversi(const struct state *state, int square)
{
    (void)state;
    return square;
}

/* The scales are those at which scores predict results best; fit.py prints them. */
static const struct view views[] = {
    {"hop", 112, describe_hop, seen_hop},           {"hop-noloop", 112, describe_hop, seen_hop},
    {"meichu", 80, describe_meichu, seen_meichu},   {"reversi", 0, describe_reversi, seen_reversi},
    {"othello", 0, describe_reversi, seen_reversi},
};

const struct view *view_find(const char *game)
{
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        if (strcmp(views[i].game, game) == 0) {
            return &views[i];
        }
    }
    return NULL;
}

struct sample view_of(const struct view *view, const struct game *game, const struct state *state)
{
    struct sample sample = {.result = 0};
    enum side side = game->to_move(state);
    for (int square = 0; square < game->rows * game->columns; square++) {
        struct cell cell = game->cell(state, view->seen(state, square));
        enum piece_role role = look_piece(game, cell.piece)->role;
        if (role != ROLE_NONE) {
            sample.cells[square] = (uint8_t)(2 * (int)role - (cell.side == side));
        }
    }
    view->describe(strcmp(game->name, "othello") == 0, state, &sample);
    return sample;
}
