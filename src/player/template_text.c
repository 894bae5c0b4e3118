#include "player/template_text.h"

#include <string.h>

struct pattern {
    enum template_kind kind;
    /* '#' is a number, a blank any number of blanks (none too), anything else itself. */
    const char *form;
};

/* A bid's price is complete only when something else follows it. */
static const struct pattern patterns[] = {
    {TEMPLATE_BID, "My bid : # #"},
    {TEMPLATE_MOVE, "My move : [ # , # , # , # ]"},
    {TEMPLATE_MOVE, "Move ( # , # ) to ( # , # )"},
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads a number that ends before `end`; returns what follows, NULL: no number there. */
static const char *read_number(const char *at, const char *end, int64_t *out)
{
    const int64_t most = 1000000000;
    bool negative = at < end && *at == '-';
    int64_t value = 0;
    at += negative;
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    for (; at < end && is_digit(*at); at++) {
        value = value < most ? value * 10 + (*at - '0') : most;
    }
    *out = negative ? -value : value;
    return at;
}

/* Whether the text from `at` on begins with the pattern. */
static bool match(const struct pattern *pattern, const char *at, const char *end,
                  struct template_phrase *out)
{
    int numbers = 0;
    struct template_phrase phrase = {.kind = pattern->kind};
    for (const char *form = pattern->form; *form; form++) {
        if (*form == ' ') {
            while (at < end && is_blank(*at)) {
                at++;
            }
        } else if (*form == '#') {
            at = read_number(at, end, &phrase.numbers[numbers++]);
            if (!at) {
                return false;
            }
        } else if (at < end && *at == *form) {
            at++;
        } else {
            return false;
        }
    }
    if (pattern->kind == TEMPLATE_BID && at == end) {
        return false; /* more digits may come */
    }
    *out = phrase;
    return true;
}

static bool find_phrase(const struct template_text *text, struct template_phrase *out)
{
    const char *end = text->window + text->used;
    for (const char *at = text->window; at < end; at++) {
        if (*at != 'M') {
            continue;
        }
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            if (match(&patterns[i], at, end, out)) {
                return true;
            }
        }
    }
    return false;
}

static void push(struct template_text *text, char c)
{
    if (text->used == TEMPLATE_WINDOW_BYTES) {
        text->used /= 2;
        memmove(text->window, text->window + text->used, text->used);
    }
    text->window[text->used++] = c;
}

struct template_phrase template_feed(struct template_text *text, const char **bytes, size_t *count)
{
    struct template_phrase phrase = {.kind = TEMPLATE_NOTHING};
    while (*count) {
        char c = *(*bytes)++;
        --*count;
        push(text, c);
        /* A move ends in a bracket, a bid in the blank behind its price. */
        if ((c == ']' || c == ')' || is_blank(c)) && find_phrase(text, &phrase)) {
            text->used = 0;
            return phrase;
        }
    }
    return phrase;
}
