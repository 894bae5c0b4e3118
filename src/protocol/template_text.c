#include "protocol/template_text.h"

#include <stdio.h>
#include <string.h>

/* '#' is a number, a blank any number of blanks (none too), anything else itself. No form has its
 * first letter anywhere else, so that a mismatch never has to go back. */
static const struct {
    enum template_kind kind;
    const char *form;
} forms[TEMPLATE_FORMS] = {
    {TEMPLATE_BID, "My bid : # #"},
    {TEMPLATE_MOVE, "My move : [ # , # , # , # ]"},
    {TEMPLATE_MOVE, "My move : ( # , # , # , # )"},
    {TEMPLATE_MOVE, "My move : [ # # # # ]"},
    {TEMPLATE_MOVE, "Move ( # , # ) to ( # , # )"},
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Whether the byte belongs to the number that is being read. */
static bool take_digit(struct template_match *match, char c)
{
    const int64_t most = 1000000000;
    int64_t *value = &match->numbers[match->number_count];
    if (c == '-' && !match->is_negative && !match->has_digit) {
        match->is_negative = true;
        return true;
    }
    if (!is_digit(c)) {
        return false;
    }
    *value = *value < most ? *value * 10 + (c - '0') : most;
    match->has_digit = true;
    return true;
}

static void end_number(struct template_match *match)
{
    int64_t *value = &match->numbers[match->number_count++];
    *value = match->is_negative ? -*value : *value;
    match->is_negative = false;
    match->has_digit = false;
    match->at++;
}

/* Takes one byte. Returns whether the form is complete; a number at its end is when another byte
 * follows. */
static bool advance(struct template_match *match, const char *form, char c)
{
    for (;;) {
        char wanted = form[match->at];
        if (wanted == '\0') {
            return true;
        }
        if (wanted == ' ' && is_blank(c)) {
            return false;
        }
        if (wanted == ' ') {
            match->at++;
        } else if (wanted == '#' && take_digit(match, c)) {
            return false;
        } else if (wanted == '#' && match->has_digit) {
            end_number(match);
        } else if (wanted == c && wanted != '#') {
            match->at++;
            return form[match->at] == '\0';
        } else {
            *match = (struct template_match){.at = c == form[0]};
            return false;
        }
    }
}

/* Whether a form may still become complete behind what all of its kind begin with. */
static bool is_answering(const struct template_text *text)
{
    for (size_t i = 0; i < TEMPLATE_FORMS; i++) {
        const char *colon = strchr(forms[i].form, ':');
        if (colon && text->matches[i].at > (size_t)(colon - forms[i].form)) {
            return true;
        }
    }
    return false;
}

/* Whether the line says `words`, blanks and a colon. */
static bool announces(const char *line, const char *words)
{
    const char *found = strstr(line, words);
    return found && found[strlen(words) + strspn(found + strlen(words), " \t")] == ':';
}

/* The line is complete: what was bad about it? */
static void end_line(struct template_text *text, struct template_phrase *phrase)
{
    while (text->line_count && is_blank(text->line[text->line_count - 1])) {
        text->line_count--;
    }
    text->line[text->line_count] = '\0';
    bool is_bid = announces(text->line, "My bid");
    if (!text->has_phrase && !is_answering(text) && (is_bid || announces(text->line, "My move"))) {
        phrase->kind = is_bid ? TEMPLATE_BAD_BID : TEMPLATE_BAD_MOVE;
        strcpy(phrase->line, text->line);
    }
    text->line_count = 0;
    text->has_phrase = false;
}

static void take_into_line(struct template_text *text, char c)
{
    if (c && text->line_count + 1 < sizeof text->line) {
        text->line[text->line_count++] = c;
    }
}

struct template_phrase template_feed(struct template_text *text, const char **bytes, size_t *count)
{
    struct template_phrase phrase = {.kind = TEMPLATE_NOTHING};
    while (*count && phrase.kind == TEMPLATE_NOTHING) {
        char c = *(*bytes)++;
        --*count;
        for (size_t i = 0; i < TEMPLATE_FORMS; i++) {
            struct template_match *match = &text->matches[i];
            if (advance(match, forms[i].form, c)) {
                phrase.kind = forms[i].kind;
                memcpy(phrase.numbers, match->numbers, sizeof phrase.numbers);
                *match = (struct template_match){.at = c == forms[i].form[0]};
                text->has_phrase = true;
            }
        }
        if (c != '\n') {
            take_into_line(text, c);
        } else if (phrase.kind == TEMPLATE_NOTHING) {
            end_line(text, &phrase);
        } else {
            text->line_count = 0;
            text->has_phrase = false;
        }
    }
    return phrase;
}

void template_write_bid(const struct bid *other, bool is_tie, enum side colour,
                        char out[TEMPLATE_INPUT_BYTES])
{
    enum { HIGHEST_BID = 140 };
    long long price = other->price > HIGHEST_BID ? HIGHEST_BID : other->price;
    int used = snprintf(out, TEMPLATE_INPUT_BYTES, "%d\n%lld\n", other->colour, price);
    if (is_tie) {
        snprintf(out + used, TEMPLATE_INPUT_BYTES - (size_t)used, "%d\n", (int)colour);
    }
}

void template_write_move(const struct game *game, const struct move *move,
                         char out[TEMPLATE_INPUT_BYTES])
{
    int columns = game->columns;
    snprintf(out, TEMPLATE_INPUT_BYTES, "%d %d %d %d\n", move->squares[0] / columns,
             move->squares[0] % columns, move->squares[1] / columns, move->squares[1] % columns);
}
