/* template_text: what a program of the template prints for people, and what a person types.
 *
 * The course's program prints boards and remarks in any encoding, prompts without a
 * line end, and in between the two things that matter:
 *
 *     My bid:  0 5                      Python; C++ has one space
 *     My move : [6, 4, 5, 4]            Python; however it prints four numbers (number_list.h)
 *     Move (6, 4) to (5, 4).            C++
 *
 * Pure, so that it can be fuzzed. Each byte is looked at once, whatever is printed.
 */
#ifndef PROTOCOL_TEMPLATE_TEXT_H
#define PROTOCOL_TEMPLATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "protocol/number_list.h"

enum template_kind {
    TEMPLATE_NOTHING,
    TEMPLATE_BID,
    TEMPLATE_MOVE,
    TEMPLATE_BAD_BID,   /* a line that begins as one and does not continue as one */
    TEMPLATE_BAD_MOVE,  /* likewise */
    TEMPLATE_NEAR_BID,  /* a remark that may be meant as one: it has its two numbers */
    TEMPLATE_NEAR_MOVE, /* likewise, four */
};

enum { TEMPLATE_FORMS = 3, TEMPLATE_LINE_BYTES = 120, TEMPLATE_INPUT_BYTES = 64 };

struct template_phrase {
    enum template_kind kind;
    int64_t numbers[4];             /* colour, price; or row, column, row, column */
    char line[TEMPLATE_LINE_BYTES]; /* as printed so far, its end cut off if too long */
};

/* How far what was printed last agrees with one form of a phrase. */
struct template_match {
    size_t at; /* in the form */
    int number_count;
    int64_t numbers[4];
    struct number_digits digits; /* of the number that is being read */
};

/* A zeroed struct has received nothing. */
struct template_text {
    struct template_match matches[TEMPLATE_FORMS];
    enum template_kind begun;       /* a bid or a move: its words were printed and numbers follow */
    struct number_list list;        /* of what has begun */
    char line[TEMPLATE_LINE_BYTES]; /* what is being printed, as far as it fits: a line, or those of
                                       one answer */
    size_t line_count;
    bool has_phrase; /* some of it is a bid or a move */
};

/* Takes bytes until a phrase is complete; call again until TEMPLATE_NOTHING. */
struct template_phrase template_feed(struct template_text *text, const char **bytes, size_t *count);

/* The two phrases as the course's C++ template prints them, each a line. */
void template_print_bid(const struct bid *own, char out[TEMPLATE_INPUT_BYTES]);
void template_print_move(const struct game *game, const struct move *move,
                         char out[TEMPLATE_INPUT_BYTES]);

/* What a person types after the program's bid: the other side's colour and price, which is cut to
 * the highest that counts, and after a tie the program's own colour. Each number has a line of its
 * own, because Python's template reads each with int(input()). */
void template_write_bid(const struct bid *other, bool is_tie, enum side colour,
                        char out[TEMPLATE_INPUT_BYTES]);

/* The other side's move, a path of two squares: four numbers on one line. */
void template_write_move(const struct game *game, const struct move *move,
                         char out[TEMPLATE_INPUT_BYTES]);

#endif
