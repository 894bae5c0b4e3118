#include "games/reversi/unpack/eval_twins.h"

/* order[i]: the digit that becomes digit i when the pattern is turned round. */
static void tie(uint32_t *twin, int at, int base, int digits, const int *order)
{
    int size = 1;
    for (int i = 0; i < digits; i++) {
        size *= base;
    }
    for (int index = 0; index < size; index++) {
        int digit[10];
        int rest = index;
        int turned = 0;
        for (int i = 0; i < digits; i++, rest /= base) {
            digit[i] = rest % base;
        }
        for (int i = digits - 1; i >= 0; i--) {
            turned = base * turned + digit[order[i]];
        }
        if (turned < index) {
            twin[at + index] = twin[at + turned];
        }
    }
}

void eval_twins(bool has_corners, uint32_t twin[PATTERN_WEIGHTS])
{
    static const int edge_with_corners[] = {7, 6, 5, 4, 3, 2, 1, 0, 9, 8};
    static const int edge_without[] = {5, 4, 3, 2, 1, 0, 9, 8, 7, 6};
    static const int transposed[] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    static const int backwards[] = {7, 6, 5, 4, 3, 2, 1, 0};
    for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
        twin[i] = i;
    }
    tie(twin, PATTERN_AT_EDGE, 3, 10, has_corners ? edge_with_corners : edge_without);
    tie(twin, PATTERN_AT_CORNER33, 3, 9, transposed);
    tie(twin, PATTERN_AT_INNER33, 3, 9, transposed);
    tie(twin, PATTERN_AT_ROW2, 3, 8, backwards);
    tie(twin, PATTERN_AT_ROW3, 3, 8, backwards);
    tie(twin, PATTERN_AT_ROW4, 3, 8, backwards);
    tie(twin, PATTERN_AT_DIAGONAL8, 3, 8, backwards);
    tie(twin, PATTERN_AT_DIAGONAL7, 3, 7, backwards + 1);
    tie(twin, PATTERN_AT_DIAGONAL6, 3, 6, backwards + 2);
    tie(twin, PATTERN_AT_DIAGONAL5, 3, 5, backwards + 3);
    tie(twin, PATTERN_AT_DIAGONAL4, 3, 4, backwards + 4);
}
