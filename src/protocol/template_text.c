#include "protocol/template_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* '#' is a number, a space any number of spaces (also none), anything else itself. No form has its
 * first letter anywhere else, so that a mismatch never has to go back. */
static const struct {
    enum template_kind kind;
    int list_count; /* the numbers that follow it, in any brackets */
    const char *form;
} forms[TEMPLATE_FORMS] = {
    {TEMPLATE_BID, 2, "My bid :"},
    {TEMPLATE_MOVE, 4, "My move :"},
    {TEMPLATE_MOVE, 0, "Move ( # , # ) to ( # , # )"},
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void end_number(struct template_match *match)
{
    match->numbers[match->number_count++] = number_digits_value(&match->digits);
    match->digits = (struct number_digits){0};
    match->at++;
}

/* Takes one byte. Returns whether the form is complete. */
static bool advance(struct template_match *match, const char *form, char c)
{
    for (;;) {
        char wanted = form[match->at];
        if (wanted == ' ' && is_blank(c)) {
            return false;
        }
        if (wanted == ' ') {
            match->at++;
        } else if (wanted == '#' && number_digits_take(&match->digits, c)) {
            return false;
        } else if (wanted == '#' && match->digits.has_digit) {
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

/* Whether the line is `words`, spaces and a colon. */
static bool announces(const char *line, const char *words)
{
    const char *found = strstr(line, words);
    return found && found[strlen(words) + strspn(found + strlen(words), " \t")] == ':';
}

static bool has_word(const char *line, const char *word)
{
    while (*line && strncasecmp(line, word, strlen(word)) != 0) {
        line++;
    }
    return *line != '\0';
}

/* The whole numbers of a line, at most `room`. The digits of a name are not a number, nor are those
 * after a decimal point. */
static int find_numbers(const char *line, int64_t *out, int room)
{
    int count = 0;
    char before = ' ';
    while (*line && count < room) {
        bool is_inside = isalnum((unsigned char)before) || before == '_' || before == '.';
        struct number_digits digits = {0};
        while (!is_inside && is_digit(*line) && number_digits_take(&digits, *line)) {
            line++;
        }
        if (digits.has_digit) {
            out[count++] = number_digits_value(&digits);
        }
        before = digits.has_digit ? '0' : *line++;
    }
    return count;
}

/* Whether the line has as many numbers as a bid or a move and reads like one. */
static enum template_kind resembles(const char *line, int64_t numbers[4])
{
    int64_t found[5];
    int count = find_numbers(line, found, 5);
    char first = line[strspn(line, " \t")];
    bool is_move = count == 4 && (strchr("[(", first) || is_digit(first) || has_word(line, "move"));
    for (int i = 0; i < count; i++) {
        is_move = is_move && found[i] < GAME_MAX_SQUARES;
    }
    bool is_bid = count == 2 && has_word(line, "bid");
    if (is_move || is_bid) {
        memcpy(numbers, found, (size_t)count * sizeof *found);
    }
    return is_move ? TEMPLATE_NEAR_MOVE : is_bid ? TEMPLATE_NEAR_BID : TEMPLATE_NOTHING;
}

static void begin_line(struct template_text *text)
{
    text->line_count = 0;
    text->has_phrase = false;
}

/* The line is complete and may be meant as an answer although none was read. */
static void end_line(struct template_text *text, struct template_phrase *phrase)
{
    while (text->line_count && is_blank(text->line[text->line_count - 1])) {
        text->line_count--;
    }
    text->line[text->line_count] = '\0';
    if (!text->has_phrase) {
        phrase->kind = announces(text->line, "My bid")    ? TEMPLATE_BAD_BID
                       : announces(text->line, "My move") ? TEMPLATE_BAD_MOVE
                                                          : resembles(text->line, phrase->numbers);
    }
    if (phrase->kind != TEMPLATE_NOTHING) {
        snprintf(phrase->line, sizeof phrase->line, "%s", text->line);
    }
    begin_line(text);
}

static void take_into_line(struct template_text *text, char c)
{
    if (c && text->line_count + 1 < sizeof text->line) {
        text->line[text->line_count++] = c;
    }
}

/* The numbers of a bid or move whose words were printed. */
static void take_into_list(struct template_text *text, char c, struct template_phrase *phrase)
{
    enum number_list_step step = number_list_take(&text->list, c);
    if (step == NUMBER_LIST_DONE) {
        text->line[text->line_count] = '\0';
        snprintf(phrase->line, sizeof phrase->line, "%s", text->line);
        phrase->kind = text->begun;
        memcpy(phrase->numbers, text->list.numbers, sizeof phrase->numbers);
    }
    if (step != NUMBER_LIST_MORE) {
        text->begun = TEMPLATE_NOTHING;
    }
}

static void take_into_form(struct template_text *text, size_t i, char c,
                           struct template_phrase *phrase)
{
    struct template_match *match = &text->matches[i];
    if (!advance(match, forms[i].form, c)) {
        return;
    }
    if (forms[i].list_count) {
        text->begun = forms[i].kind;
        text->list = (struct number_list){.wanted = forms[i].list_count,
                                          .ends_with_number = forms[i].kind == TEMPLATE_BID};
    } else {
        text->line[text->line_count] = '\0';
        snprintf(phrase->line, sizeof phrase->line, "%s", text->line);
        phrase->kind = forms[i].kind;
        memcpy(phrase->numbers, match->numbers, sizeof phrase->numbers);
    }
    *match = (struct template_match){.at = c == forms[i].form[0]};
}

struct template_phrase template_feed(struct template_text *text, const char **bytes, size_t *count)
{
    struct template_phrase phrase = {.kind = TEMPLATE_NOTHING};
    while (*count && phrase.kind == TEMPLATE_NOTHING) {
        char c = *(*bytes)++;
        --*count;
        if (text->begun) {
            take_into_list(text, c, &phrase);
        }
        for (size_t i = 0; i < TEMPLATE_FORMS; i++) {
            take_into_form(text, i, c, &phrase);
        }
        text->has_phrase = text->has_phrase || phrase.kind != TEMPLATE_NOTHING;
        if (c != '\n' || text->begun) {
            take_into_line(text, c == '\n' ? ' ' : c);
        } else if (phrase.kind == TEMPLATE_NOTHING) {
            end_line(text, &phrase);
        } else {
            begin_line(text);
        }
    }
    return phrase;
}

void template_print_bid(const struct bid *own, char out[TEMPLATE_INPUT_BYTES])
{
    snprintf(out, TEMPLATE_INPUT_BYTES, "My bid: %d %lld\n", own->colour, (long long)own->price);
}

static void write_squares(const struct game *game, const struct move *move, const char *form,
                          char out[TEMPLATE_INPUT_BYTES])
{
    int columns = game->columns;
    int from = move->squares[0];
    int to = move->squares[1];
    snprintf(out, TEMPLATE_INPUT_BYTES, form, from / columns, from % columns, to / columns,
             to % columns);
}

void template_print_move(const struct game *game, const struct move *move,
                         char out[TEMPLATE_INPUT_BYTES])
{
    write_squares(game, move, "Move (%d, %d) to (%d, %d).\n", out);
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
    write_squares(game, move, "%d %d %d %d\n", out);
}
