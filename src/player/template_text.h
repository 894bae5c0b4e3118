/* template_text: finds bids and moves in what a MeiChu program prints for people.
 *
 * The course's program prints boards and remarks in any encoding, prompts without a
 * line end, and in between the two things that matter:
 *
 *     My bid:  0 5                      Python; C++ has one blank
 *     My move : [6, 4, 5, 4]            Python
 *     Move (6, 4) to (5, 4).            C++
 *
 * Pure, so that it can be fuzzed.
 */
#ifndef PLAYER_TEMPLATE_TEXT_H
#define PLAYER_TEMPLATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TEMPLATE_WINDOW_BYTES = 256, /* no bid or move is written over more than this */
};

/* A zeroed struct has heard nothing. */
struct template_text {
    size_t used;
    char window[TEMPLATE_WINDOW_BYTES]; /* the end of what was printed */
};

enum template_kind { TEMPLATE_NOTHING, TEMPLATE_BID, TEMPLATE_MOVE };

struct template_phrase {
    enum template_kind kind;
    int64_t numbers[4]; /* colour, price; or row, column, row, column */
};

/* Takes bytes until a phrase is complete; call again until TEMPLATE_NOTHING. */
struct template_phrase template_feed(struct template_text *text, const char **bytes,
                                     size_t *count);

#endif
