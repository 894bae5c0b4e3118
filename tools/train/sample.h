/* sample: a position from self-play, as the trainer reads it (fit.py has the same layout).
 *
 * The board is as the side to move sees it: hop's White and MeiChu's White look at it from their
 * own side, and a cell says whether a piece is an own or an enemy one. A file is an array of
 * samples.
 */
#ifndef TRAIN_SAMPLE_H
#define TRAIN_SAMPLE_H

#include <stdint.h>

enum {
    SAMPLE_CELLS = 81,
    SAMPLE_FACTS = 2,
    SAMPLE_WIN = 10000, /* `later` of a won game, where who wins is all that counts */
};

struct sample {
    uint8_t cells[SAMPLE_CELLS]; /* 0 empty, else 2 * role - 1 for an own piece and 2 * role for
                                    an enemy's (enum piece_role: men are 1, walls 2, goals 3) */
    uint8_t is_held_back;        /* this game is not to be learned from, only to be predicted */
    int8_t result;               /* of the game for the side to move: difference, or 1, 0, -1 */
    uint8_t unused;
    int16_t
        facts[SAMPLE_FACTS]; /* hop: plies left; meichu: own and enemy budget;
                                reversi, othello: both sides' moves, an index of PATTERN_AT_MOVES */
    int16_t score;           /* what the search thought, in hundredths */
    int16_t later; /* scores from here to the end of the game, the nearer ones weighing more, and
                      the result: in hundredths of a disc, or of SAMPLE_WIN */
    int16_t evaluation; /* of this position by the engine that played, in hundredths */
};

_Static_assert(sizeof(struct sample) == 94, "fit.py reads this layout");

#endif
