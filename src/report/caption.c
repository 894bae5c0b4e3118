#include "report/caption.h"

#include <stdio.h>
#include <string.h>

enum { PIECE_KINDS = PIECE_BARRIER + 1 };

static const struct {
    const char *one;
    const char *many;
    char letters[2]; /* by enum side */
} kinds[PIECE_KINDS] = {
    [PIECE_NONE] = {"", "", ".."},
    [PIECE_HOLE] = {"", "", "##"},
    [PIECE_MAN] = {"man", "men", "XO"},
    [PIECE_DISC] = {"disc", "discs", "XO"},
    [PIECE_FLAG] = {"flag", "flags", "Ff"},
    [PIECE_SOLDIER] = {"soldier", "soldiers", "Ss"},
    [PIECE_BARRIER] = {"barrier", "barriers", "Bb"},
};

char caption_letter(struct cell cell) { return kinds[cell.piece].letters[cell.side & 1]; }

void caption_turn(const struct game *game, const struct state *state, char out[CAPTION_BYTES])
{
    struct result result = game->result(state);
    int black = result.score[SIDE_BLACK];
    int white = result.score[SIDE_WHITE];
    switch (result.outcome) {
    case OUTCOME_BLACK:
        snprintf(out, CAPTION_BYTES, "Black wins %d to %d (%s)", black, white, result.reason);
        break;
    case OUTCOME_WHITE:
        snprintf(out, CAPTION_BYTES, "White wins %d to %d (%s)", white, black, result.reason);
        break;
    case OUTCOME_DRAW:
        snprintf(out, CAPTION_BYTES, "Draw, %d to %d (%s)", black, white, result.reason);
        break;
    case OUTCOME_BOTH_LOST: /* never on the board */
        break;
    case OUTCOME_ONGOING:
        snprintf(out, CAPTION_BYTES, "%s %s", side_title(game->to_move(state)),
                 game_must_pass(game, state) ? "must pass" : "to move");
        break;
    }
}

void caption_pieces(const struct game *game, const struct state *state, enum side side,
                    char out[CAPTION_BYTES])
{
    int counts[PIECE_KINDS] = {0};
    for (int square = 0; square < game->rows * game->columns; square++) {
        struct cell cell = game->cell(state, square);
        counts[cell.piece] += cell.side == side;
    }
    size_t used = 0;
    out[0] = '\0';
    for (int piece = PIECE_MAN; piece < PIECE_KINDS; piece++) {
        if (counts[piece]) {
            used += (size_t)snprintf(out + used, CAPTION_BYTES - used, "%s%d %s", used ? ", " : "",
                                     counts[piece],
                                     counts[piece] == 1 ? kinds[piece].one : kinds[piece].many);
        }
    }
    if (!used) {
        strcpy(out, "no pieces");
    }
}
