#include "report/caption.h"

#include <stdio.h>
#include <string.h>

#include "game/look.h"

char caption_letter(const struct game *game, struct cell cell)
{
    return look_piece(game, cell.piece)->letters[cell.side];
}

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
    size_t used = 0;
    out[0] = '\0';
    const struct piece_kind *kind;
    for (int piece = PIECE_FIRST; (kind = look_piece(game, piece))->one; piece++) {
        int count = 0;
        for (int square = 0; square < game->rows * game->columns; square++) {
            struct cell cell = game->cell(state, square);
            count += cell.piece == piece && cell.side == side;
        }
        if (count && used < CAPTION_BYTES) {
            used += (size_t)snprintf(out + used, CAPTION_BYTES - used, "%s%d %s", used ? ", " : "",
                                     count, count == 1 ? kind->one : kind->many);
        }
    }
    if (!used) {
        strcpy(out, "no pieces");
    }
}
