/* likeness_page: a page for the teaching assistant that shows alike sources side by side.
 *
 * It needs no JavaScript and no other file. What is in the sources cannot become markup. It is
 * private: it has what the students handed in.
 */
#ifndef COURSE_LIKENESS_PAGE_H
#define COURSE_LIKENESS_PAGE_H

#include <stdio.h>

#include "course/likeness_match.h"

enum {
    LIKENESS_PAGE_PAIRS = 60,       /* of all groups */
    LIKENESS_PAGE_GROUP_PAIRS = 12, /* of one */
    LIKENESS_PAGE_LINES = 4000,     /* of one program */
};

void likeness_page_begin(FILE *out, const char *title);

/* "4 of 6 teams have the same source". */
void likeness_page_group(FILE *out, const char *sentence);

void likeness_page_remark(FILE *out, const char *sentence);

/* `names` are the two programs'; `number` is different for each pair of a page. */
void likeness_page_pair(FILE *out, int number, const char *sentence, const char *const names[2],
                        const struct likeness_source *const sources[2],
                        const struct likeness_match *match);

/* Pairs that are left out. */
void likeness_page_end(FILE *out, size_t left_out);

#endif
