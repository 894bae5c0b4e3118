/* likeness: which programs of a class have nearly the same source.
 *
 * A source becomes a list of tokens (source_token.h). Each sequence of LIKENESS_WINDOW tokens is a
 * fragment. Two programs are compared by the fragments that both have; those of the templates,
 * which are known exactly, do not count. The method is that of k-grams (Schleimer, Wilkerson,
 * Aiken: Winnowing, 2003), without the selection: a class is small enough to compare all of them.
 *
 * Programs that a chain of alike pairs connects are a group, however many they are. A large group
 * may have its code from a lecture, so that it is compared once more without what more than half of
 * it has: groups within a group are alike in the rest.
 *
 * A large share is a reason to look, not a proof. This module reads no files.
 */
#ifndef COURSE_LIKENESS_H
#define COURSE_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"

enum {
    LIKENESS_WINDOW = 24,    /* tokens: about two or three lines */
    LIKENESS_TEMPLATE = -1,  /* instead of a program */
    LIKENESS_LEAST_OWN = 40, /* fragments of a program that is compared */
    LIKENESS_LEAST_PERCENT = 50,
    LIKENESS_LEAST_AGAIN = 4, /* members of a group that is compared without its common code */
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
    int larger;
    int group;
};

struct likeness_group {
    int within;   /* the group whose common code is left out here; -1: only templates are */
    size_t first; /* of the members */
    int count;
    double lowest; /* percent, of its pairs */
    double highest;
    bool is_same; /* in all of them, nothing differs */
};

/* Groups within others come last, otherwise the largest share is first; the pairs likewise. A
 * zeroed struct is empty. */
struct likeness_result {
    int programs;
    struct likeness_pair *pairs;
    size_t pair_count;
    size_t pair_capacity;
    struct likeness_group *groups;
    int group_count;
    size_t group_capacity;
    int *members; /* of all groups, in each ascending */
    size_t member_count;
    size_t member_capacity;
};

void likeness_free(struct likeness *likeness);
void likeness_result_free(struct likeness_result *result);

/* Adds a source of a program, which may have several. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err likeness_add(struct likeness *likeness, int program, const char *text,
                               bool is_python, struct note *why);

/* The pairs of `programs` programs that share at least LIKENESS_LEAST_PERCENT, and their groups. */
MUST_USE enum err likeness_find(struct likeness *likeness, int programs,
                                struct likeness_result *out, struct note *why);

double likeness_percent(const struct likeness_pair *pair);

/* The fragment that ends with a token; complete when the window has LIKENESS_WINDOW of them. A
 * zeroed window is empty. */
struct likeness_window {
    uint64_t tokens[LIKENESS_WINDOW];
    uint64_t hash;
    size_t count;
};
uint64_t likeness_roll(struct likeness_window *window, uint64_t token);

/* Each fragment of a program once, in an order in which it is found. likeness_find does it. */
void likeness_sort(struct likeness *likeness);

/* After that: whether a template has that fragment, and how much of a text the templates have. */
bool likeness_is_template(const struct likeness *likeness, uint64_t hash);
double likeness_template_percent(const struct likeness *likeness, const char *text, bool is_python);

#endif
