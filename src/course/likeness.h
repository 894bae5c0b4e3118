/* likeness: which programs of a class have nearly the same source.
 *
 * A source becomes a list of tokens in which all names are alike, and so are all numbers and all
 * strings; comments and spaces are left out. Each sequence of LIKENESS_WINDOW tokens is a fragment.
 * Two programs are compared by the fragments that both have. Fragments of the templates do not
 * count, nor do those that most of the class has: it may have been given a template that
 * is not known here. The method is that of k-grams (Schleimer, Wilkerson, Aiken: Winnowing, 2003),
 * without the selection: a class is small enough to compare all of them.
 *
 * A large share is a reason to look, not a proof. This module reads no files.
 */
#ifndef COURSE_LIKENESS_H
#define COURSE_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

enum {
    LIKENESS_WINDOW = 24,    /* tokens: about two or three lines */
    LIKENESS_TEMPLATE = -1,  /* instead of a program */
    LIKENESS_LEAST_OWN = 40, /* fragments of a program that is compared */
    LIKENESS_LEAST_PERCENT = 50,
    LIKENESS_CLASS = 6, /* in a class of this size, what more than half of it has does not count */
};

struct likeness_fragment {
    uint64_t hash;
    int program;
};

/* A zeroed struct is empty. */
struct likeness {
    struct likeness_fragment *fragments;
    size_t count;
    size_t capacity;
};

/* Two programs, the first with the smaller number. */
struct likeness_pair {
    int program[2];
    int shared;  /* fragments that both have */
    int smaller; /* fragments of the smaller program */
};

void likeness_free(struct likeness *likeness);

/* Adds a source of a program, which may have several. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err likeness_add(struct likeness *likeness, int program, const char *text,
                               bool is_python, struct note *why);

/* The pairs of `programs` programs that share at least LIKENESS_LEAST_PERCENT, the largest share
 * first. The caller frees *out. */
MUST_USE enum err likeness_find(struct likeness *likeness, int programs, struct likeness_pair **out,
                                size_t *count, struct note *why);

double likeness_percent(const struct likeness_pair *pair);

#endif
