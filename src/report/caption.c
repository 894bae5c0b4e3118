#include "report/caption.h"

#include <stdio.h>
#include <string.h>

#include "game/look.h"

char caption_letter(const struct game *game, struct cell cell)
{
    return look_piece(game, cell.piece)->letters[cell.side];
}

const struct game_reason caption_losses[] = {
    {"resigned", "{loser} gave up"},
    {"time", "{loser} ran out of time"},
    {"no-start", "{loser} did not start"},
    {"no-bid", "{loser} made no bid"},
    {"late", "{loser} took far too long"},
    {"late-limit", "{loser} was late too many times in a row"},
    {"invalid", "{loser} made an illegal move"},
    {"crashed", "{loser} crashed"},
    {"malformed", "{loser} sent something unreadable"},
    {"hostile", "{loser} did something forbidden"},
    {"both-absent", "neither side started"},
    {"both-no-start", "neither side started"}, /* in records of 0.1 */
    {"both-no-bid", "neither side made a bid"},
    {NULL, NULL},
};

static const char *find_phrase(const struct game_reason *list, const char *word)
{
    while (list->word && strcmp(list->word, word) != 0) {
        list++;
    }
    return list->phrase;
}

void caption_ending(const struct game *game, enum outcome outcome, const char *reason,
                    char out[CAPTION_BYTES])
{
    static const char blank[] = "{loser}";
    bool has_winner = outcome == OUTCOME_BLACK || outcome == OUTCOME_WHITE;
    char both[CAPTION_BYTES];
    snprintf(both, sizeof both, "both-%.80s", reason);
    const char *phrase = has_winner ? NULL : find_phrase(caption_losses, both);
    phrase = phrase ? phrase : find_phrase(game->reasons, reason);
    phrase = phrase ? phrase : find_phrase(caption_losses, reason);
    const char *rest = phrase ? strstr(phrase, blank) : NULL;
    if (rest && has_winner) {
        const char *loser = side_title(outcome == OUTCOME_BLACK ? SIDE_WHITE : SIDE_BLACK);
        snprintf(out, CAPTION_BYTES, "%.*s%s%s", (int)(rest - phrase), phrase, loser,
                 rest + sizeof blank - 1);
    } else {
        snprintf(out, CAPTION_BYTES, "%s", phrase && !rest ? phrase : reason);
    }
}

void caption_turn(const struct game *game, const struct state *state, char out[CAPTION_BYTES])
{
    struct result result = game->result(state);
    int black = result.score[SIDE_BLACK];
    int white = result.score[SIDE_WHITE];
    char ending[CAPTION_BYTES] = "";
    if (result.outcome != OUTCOME_ONGOING) {
        caption_ending(game, result.outcome, result.reason, ending);
    }
    switch (result.outcome) {
    case OUTCOME_BLACK:
        snprintf(out, CAPTION_BYTES, "Black wins %d to %d: %.64s", black, white, ending);
        break;
    case OUTCOME_WHITE:
        snprintf(out, CAPTION_BYTES, "White wins %d to %d: %.64s", white, black, ending);
        break;
    case OUTCOME_DRAW:
        snprintf(out, CAPTION_BYTES, "Draw, %d to %d: %.64s", black, white, ending);
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
    out[0] = '\0';
    const struct piece_kind *kind;
    for (int piece = PIECE_FIRST; (kind = look_piece(game, piece))->one; piece++) {
        int count = 0;
        for (int square = 0; square < game->rows * game->columns; square++) {
            struct cell cell = game->cell(state, square);
            count += cell.piece == piece && cell.side == side;
        }
        if (count) {
            note_list(out, CAPTION_BYTES, "%d %s", count, count == 1 ? kind->one : kind->many);
        }
    }
    if (!out[0]) {
        snprintf(out, CAPTION_BYTES, "no pieces");
    }
}
