#include "protocol/number_list.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool number_digits_take(struct number_digits *digits, char c)
{
    const int64_t most = NUMBER_DIGITS_MAX;
    if (c == '-' && !digits->is_negative && !digits->has_digit) {
        digits->is_negative = true;
        return true;
    }
    if (!is_digit(c)) {
        return false;
    }
    digits->magnitude = digits->magnitude < most ? digits->magnitude * 10 + (c - '0') : most;
    digits->magnitude = digits->magnitude < most ? digits->magnitude : most;
    digits->has_digit = true;
    return true;
}

int64_t number_digits_value(const struct number_digits *digits)
{
    return digits->is_negative ? -digits->magnitude : digits->magnitude;
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_complete(const struct number_list *list)
{
    return list->depth == 0 && list->count == list->wanted;
}

static enum number_list_step open_bracket(struct number_list *list, char closer)
{
    if (list->depth == NUMBER_LIST_DEPTH) {
        return NUMBER_LIST_BROKEN;
    }
    list->closers[list->depth++] = closer;
    list->has_begun = true;
    list->within = NUMBER_LIST_GAP;
    return NUMBER_LIST_MORE;
}

static enum number_list_step close_bracket(struct number_list *list, char closer)
{
    if (list->depth == 0 || list->closers[--list->depth] != closer) {
        return NUMBER_LIST_BROKEN;
    }
    return is_complete(list) ? NUMBER_LIST_DONE : NUMBER_LIST_MORE;
}

static enum number_list_step end_line(const struct number_list *list)
{
    if (is_complete(list)) {
        return NUMBER_LIST_DONE;
    }
    return list->depth == 0 && list->has_begun && !list->ends_with_number ? NUMBER_LIST_BROKEN
                                                                          : NUMBER_LIST_MORE;
}

static enum number_list_step begin_number(struct number_list *list, char c)
{
    list->within = NUMBER_LIST_NUMBER;
    list->has_begun = true;
    list->is_after_equals = false;
    list->digits = (struct number_digits){0};
    return list->count < list->wanted && number_digits_take(&list->digits, c) ? NUMBER_LIST_MORE
                                                                              : NUMBER_LIST_BROKEN;
}

static enum number_list_step take_in_gap(struct number_list *list, char c)
{
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case ',':
        return NUMBER_LIST_MORE;
    case '\n':
        return end_line(list);
    case '[':
        return open_bracket(list, ']');
    case '(':
        return open_bracket(list, ')');
    case ']':
    case ')':
        return close_bracket(list, c);
    default:
        break;
    }
    if (begins_name(c)) {
        list->within = NUMBER_LIST_NAME;
        return NUMBER_LIST_MORE;
    }
    return begin_number(list, c);
}

/* What follows a name shows what it was: a type or a function, a keyword, or a keyword's value. */
static enum number_list_step take_after_name(struct number_list *list, char c)
{
    bool is_value = list->is_after_equals;
    list->within = NUMBER_LIST_GAP;
    list->is_after_equals = c == '=';
    if (c == '(') {
        return open_bracket(list, ')');
    }
    if (c == '=') {
        return list->depth > 0 && !is_value ? NUMBER_LIST_MORE : NUMBER_LIST_BROKEN;
    }
    return is_value ? take_in_gap(list, c) : NUMBER_LIST_BROKEN;
}

static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ']' || c == ')';
}

/* After the last number of a list without brackets, which was one only if no digit, point or
 * exponent follows. A prompt may follow at once: "0 5Enter the opponent's bid", "0 5My move". */
static enum number_list_step take_in_tail(struct number_list *list, char c)
{
    bool continues_number = is_digit(c) || c == '.' || c == '+' || c == '-';
    if (list->within == NUMBER_LIST_EXPONENT) {
        return continues_number ? NUMBER_LIST_BROKEN : NUMBER_LIST_DONE;
    }
    if (c == '\n') {
        return NUMBER_LIST_DONE;
    }
    if (separates(c)) {
        list->within = NUMBER_LIST_TAIL_GAP;
        return NUMBER_LIST_MORE;
    }
    if (list->within == NUMBER_LIST_TAIL && c == 'E') {
        list->within = NUMBER_LIST_EXPONENT;
        return NUMBER_LIST_MORE;
    }
    return c == 'M' || (list->within == NUMBER_LIST_TAIL_GAP && !continues_number)
               ? NUMBER_LIST_DONE
               : NUMBER_LIST_BROKEN;
}

static enum number_list_step take_after_number(struct number_list *list, char c)
{
    if (!list->digits.has_digit) {
        return NUMBER_LIST_BROKEN;
    }
    list->numbers[list->count++] = number_digits_value(&list->digits);
    list->within = NUMBER_LIST_GAP;
    if (list->ends_with_number && is_complete(list)) {
        list->within = NUMBER_LIST_TAIL;
        return take_in_tail(list, c);
    }
    return separates(c) ? take_in_gap(list, c) : NUMBER_LIST_BROKEN;
}

enum number_list_step number_list_take(struct number_list *list, char c)
{
    switch (list->within) {
    case NUMBER_LIST_GAP:
        return take_in_gap(list, c);
    case NUMBER_LIST_NUMBER:
        return number_digits_take(&list->digits, c) ? NUMBER_LIST_MORE : take_after_number(list, c);
    case NUMBER_LIST_TAIL:
    case NUMBER_LIST_TAIL_GAP:
    case NUMBER_LIST_EXPONENT:
        return take_in_tail(list, c);
    case NUMBER_LIST_NAME:
        return begins_name(c) || is_digit(c) || c == '.' ? NUMBER_LIST_MORE
                                                         : take_after_name(list, c);
    }
    return NUMBER_LIST_BROKEN;
}
