/* What a position of reversi or othello is worth: the sum of learned weights of patterns.
 *
 * eval_pattern.h says which. The weights come from tools/train.
 */
#include "games/reversi/eval.h"

#include "base/bits.h"
#include "games/reversi/eval_pattern.h"
#include "games/reversi/eval_weights.h"

static inline int weigh(const int8_t weights[PATTERN_KNOTS][PATTERN_WEIGHTS],
                        const uint32_t indexes[PATTERN_PLACES], int empty)
{
    int knot = empty / PATTERN_STEP;
    int share = empty % PATTERN_STEP;
    const int8_t *low = weights[knot];
    const int8_t *high = weights[knot + 1 < PATTERN_KNOTS ? knot + 1 : knot];
    int low_sum = 0;
    int high_sum = 0;
    for (int i = PATTERN_SHAPE_PLACES; i < PATTERN_PLACES; i++) {
        low_sum += PATTERN_COUNT_SCALE * low[indexes[i]];
        high_sum += PATTERN_COUNT_SCALE * high[indexes[i]];
    }
    for (int i = 0; i < PATTERN_SHAPE_PLACES; i++) {
        low_sum += low[indexes[i]];
        high_sum += high[indexes[i]];
    }
    return (low_sum * (PATTERN_STEP - share) + high_sum * share) * 100 /
           (PATTERN_UNITS * PATTERN_STEP);
}

int reversi_evaluate(bool has_corners, uint64_t own, uint64_t other)
{
    uint32_t indexes[PATTERN_PLACES];
    int discs = bits_count(own | other);
    if (has_corners) {
        pattern_indexes(true, own, other, indexes);
        return weigh(eval_weights_othello, indexes, 64 - discs);
    }
    pattern_indexes(false, own, other, indexes);
    return weigh(eval_weights_reversi, indexes, 60 - discs);
}
