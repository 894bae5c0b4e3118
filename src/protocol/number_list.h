/* number_list: reads a few whole numbers in the brackets in which Python prints them.
 *
 *     [6, 4, 5, 4]    (6, 4, 5, 4)    [6 4 5 4]    ((6, 4), (5, 4))    6 4 5 4
 *     array([6, 4, 5, 4], dtype=int32)             [np.int64(6), np.int64(4), …]
 *
 * A name is followed by a bracket or is next to an equals sign; the digits in it are not values.
 * Takes one byte at a time and goes back to none of them.
 */
#ifndef PROTOCOL_NUMBER_LIST_H
#define PROTOCOL_NUMBER_LIST_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_DIGITS_MAX INT64_C(1000000000)

/* A whole number as it is printed; a zeroed struct has no digit yet. */
struct number_digits {
    int64_t magnitude; /* at most NUMBER_DIGITS_MAX, which also means any larger one */
    bool is_negative;
    bool has_digit;
};

/* False: the byte does not belong to the number. */
bool number_digits_take(struct number_digits *digits, char c);
int64_t number_digits_value(const struct number_digits *digits);

enum { NUMBER_LIST_MAX = 4, NUMBER_LIST_DEPTH = 8 };

enum number_list_step {
    NUMBER_LIST_MORE,
    NUMBER_LIST_DONE,   /* all numbers are there and every bracket is closed */
    NUMBER_LIST_BROKEN, /* this cannot become such a list any more */
};

/* Start with {.wanted = N}; the rest is 0. */
struct number_list {
    int wanted;
    /* Without brackets the list ends with its line. If this is set it may be on several lines, and
     * what is not a number may follow on the last of them. */
    bool ends_with_number;
    int count;
    int64_t numbers[NUMBER_LIST_MAX];
    char closers[NUMBER_LIST_DEPTH]; /* the brackets that are open */
    int depth;
    enum {
        NUMBER_LIST_GAP,
        NUMBER_LIST_NUMBER,
        NUMBER_LIST_NAME,
        NUMBER_LIST_TAIL,     /* right after the last number */
        NUMBER_LIST_TAIL_GAP, /* after it and a separator */
        NUMBER_LIST_EXPONENT, /* after it and an E */
    } within;
    bool has_begun;
    bool is_after_equals;
    struct number_digits digits; /* of the number that is being read */
};

enum number_list_step number_list_take(struct number_list *list, char c);

#endif
