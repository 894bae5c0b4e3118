#include "course/source_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CONDITIONS = 64, MAX_PREFIX = 2, MAX_DELIMITER = 16 };

/* The text is written anew in place: `at` is what is left. */
struct code_reader {
    char *text; /* the whole of it */
    char *at;
    bool keeps_quotes;
    bool is_at_start; /* of a statement in Python, of a line in C */
    int depth;        /* Python: of brackets */
};

static bool is_word(char c) { return c == '_' || isalnum((unsigned char)c) || (c & 0x80); }

static void erase(char *from, const char *to)
{
    for (; from < to; from++) {
        *from = *from == '\n' ? '\n' : ' ';
    }
}

static void skip_comment(struct code_reader *r, const char *end)
{
    erase(r->at, end);
    r->at = (char *)end;
}

/* The end of text in quotes from `open` on, which is after the opening quotes; `quotes` close it.
 * One pair of quotes does not go past the end of a line. */
static char *end_of_quotes(char *open, const char *quotes)
{
    size_t length = strlen(quotes);
    char *at = open;
    while (*at && strncmp(at, quotes, length) != 0 && (length > 1 || *at != '\n')) {
        at += at[0] == '\\' && at[1] ? 2 : 1;
    }
    return at;
}

/* Goes past it: `close` are its closing quotes, or where it breaks off. */
static void take_quotes(struct code_reader *r, char *open, char *close, size_t quotes)
{
    if (!r->keeps_quotes) {
        erase(open, close);
    }
    r->at = close + strnlen(close, *close == '\n' ? 0 : quotes);
    r->is_at_start = false;
}

/* Names and numbers; 1'000 is one number in C++. */
static void take_word(struct code_reader *r, bool has_digit_quotes)
{
    bool is_number = isdigit((unsigned char)*r->at);
    do {
        r->at++;
    } while (is_word(*r->at) ||
             (is_number && has_digit_quotes && *r->at == '\'' && is_word(r->at[1])));
    r->is_at_start = false;
}

/* --- Python --- */

/* The quotes of a string that begins here, after a prefix such as rb; NULL: none does. */
static char *find_quotes(char *at)
{
    size_t prefix = strspn(at, "rRbBuUfF");
    at += prefix <= MAX_PREFIX ? prefix : 0;
    return *at == '"' || *at == '\'' ? at : NULL;
}

/* After a string: is this the end of its statement, or another string that is joined to it? */
static bool ends_statement(char *at)
{
    at += strspn(at, " \t\r");
    if (at[0] == '\\' && at[1] == '\n') {
        return ends_statement(at + 2);
    }
    return !*at || strchr("\n;#", *at) || find_quotes(at);
}

static void take_python_string(struct code_reader *r, char *quotes)
{
    bool is_triple = quotes[1] == quotes[0] && quotes[2] == quotes[0];
    const char closing[] = {quotes[0], is_triple ? quotes[0] : '\0', quotes[0], '\0'};
    size_t length = is_triple ? 3 : 1;
    char *start = r->at;
    bool was_at_start = r->is_at_start;
    char *close = end_of_quotes(quotes + length, closing);
    take_quotes(r, quotes + length, close, length);
    if (was_at_start && r->depth == 0 && ends_statement(r->at)) {
        erase(start, r->at);
        r->is_at_start = true;
    }
}

static void read_python(struct code_reader *r)
{
    while (*r->at) {
        char *quotes = find_quotes(r->at);
        char c = *r->at;
        if (c == '#') {
            skip_comment(r, r->at + strcspn(r->at, "\n"));
        } else if (quotes) {
            take_python_string(r, quotes);
        } else if (is_word(c)) {
            take_word(r, false);
        } else if (c == '\\' && r->at[1] == '\n') {
            r->at += 2;
        } else {
            r->depth += strchr("([{", c) ? 1 : strchr(")]}", c) && r->depth > 0 ? -1 : 0;
            bool ends = r->depth == 0 && (c == '\n' || c == ';');
            r->is_at_start = ends || (r->is_at_start && isspace((unsigned char)c));
            r->at++;
        }
    }
}

/* --- C and C++ --- */

/* What is known of the parts of an #if. */
enum condition { CONDITION_UNKNOWN, CONDITION_FALSE, CONDITION_TRUE };

static bool is_text(const char *word, size_t length, const char *text)
{
    return length == strlen(text) && strncmp(word, text, length) == 0;
}

/* Of "0", "(1)", "false". */
static enum condition condition_of(const char *at)
{
    at += strspn(at, " \t(");
    size_t length = 0;
    while (is_word(at[length])) {
        length++;
    }
    const char *rest = at + length + strspn(at + length, " \t\r)");
    bool is_whole = !*rest || *rest == '\n' || (rest[0] == '/' && strchr("/*", rest[1]));
    return !is_whole                                                  ? CONDITION_UNKNOWN
           : is_text(at, length, "0") || is_text(at, length, "false") ? CONDITION_FALSE
           : is_text(at, length, "1") || is_text(at, length, "true")  ? CONDITION_TRUE
                                                                      : CONDITION_UNKNOWN;
}

/* The word of the directive in this line ("if", "endif"), or NULL. */
static const char *directive_of(const char *line)
{
    line += strspn(line, " \t");
    return *line == '#' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static bool is_directive(const char *directive, const char *word)
{
    size_t length = strlen(word);
    return strncmp(directive, word, length) == 0 && !is_word(directive[length]);
}

static bool opens_condition(const char *directive)
{
    return is_directive(directive, "if") || is_directive(directive, "ifdef") ||
           is_directive(directive, "ifndef");
}

/* Erases lines up to the directive that ends this part; it stays for the caller. */
static void skip_part(struct code_reader *r)
{
    int depth = 0;
    while (*r->at) {
        const char *directive = directive_of(r->at);
        if (directive && opens_condition(directive)) {
            depth++;
        } else if (directive && depth > 0) {
            depth -= is_directive(directive, "endif");
        } else if (directive &&
                   (is_directive(directive, "endif") || is_directive(directive, "else") ||
                    is_directive(directive, "elif"))) {
            return;
        }
        char *end = r->at + strcspn(r->at, "\n");
        skip_comment(r, *end ? end + 1 : end);
    }
}

struct condition_stack {
    enum condition taken[MAX_CONDITIONS]; /* TRUE: a part is certain, all after it are left out */
    int depth;
};

/* At the '#' of a directive. Goes past the line if a part is left out after it. */
static void take_directive(struct code_reader *r, struct condition_stack *stack)
{
    const char *directive = directive_of(r->at);
    bool is_else = is_directive(directive, "else");
    bool is_elif = is_directive(directive, "elif");
    enum condition condition = CONDITION_UNKNOWN;
    r->is_at_start = false;
    r->at++;
    if (opens_condition(directive)) {
        condition = is_directive(directive, "if") ? condition_of(directive + 2) : condition;
        stack->depth++;
        if (stack->depth <= MAX_CONDITIONS) {
            stack->taken[stack->depth - 1] = condition;
        }
    } else if (is_directive(directive, "endif")) {
        stack->depth -= stack->depth > 0;
    } else if ((is_else || is_elif) && stack->depth > 0 && stack->depth <= MAX_CONDITIONS) {
        enum condition *taken = &stack->taken[stack->depth - 1];
        enum condition own = is_elif ? condition_of(directive + 4) : CONDITION_UNKNOWN;
        condition = *taken == CONDITION_TRUE ? CONDITION_FALSE : own;
        *taken = *taken == CONDITION_TRUE || own == CONDITION_TRUE ? CONDITION_TRUE : *taken;
    }
    if (condition == CONDITION_FALSE) {
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
        r->is_at_start = true;
        skip_part(r);
    }
}

static void skip_line_comment(struct code_reader *r)
{
    char *end = r->at + strcspn(r->at, "\n");
    while (*end && end[-1] == '\\') {
        end += 1 + strcspn(end + 1, "\n");
    }
    skip_comment(r, end);
}

static void skip_long_comment(struct code_reader *r)
{
    char *end = strstr(r->at + 2, "*/");
    skip_comment(r, end ? end + 2 : r->at + strlen(r->at));
}

/* R"x( … )x"; the reader is at the quote. */
static bool take_raw_string(struct code_reader *r)
{
    char closing[MAX_DELIMITER + 3];
    bool is_raw = r->at > r->text && r->at[-1] == 'R';
    size_t length = strcspn(r->at + 1, "()\\\" \t\n");
    if (!is_raw || length > MAX_DELIMITER || r->at[1 + length] != '(') {
        return false;
    }
    snprintf(closing, sizeof closing, ")%.*s\"", (int)length, r->at + 1);
    char *open = r->at + length + 2;
    char *close = strstr(open, closing);
    take_quotes(r, open, close ? close : open + strlen(open), close ? strlen(closing) : 0);
    return true;
}

static void read_c(struct code_reader *r)
{
    struct condition_stack stack = {.depth = 0};
    while (*r->at) {
        char c = *r->at;
        if (c == '/' && r->at[1] == '/') {
            skip_line_comment(r);
        } else if (c == '/' && r->at[1] == '*') {
            skip_long_comment(r);
        } else if (c == '#' && r->is_at_start) {
            take_directive(r, &stack);
        } else if (c == '"' && take_raw_string(r)) {
            continue;
        } else if (c == '"' || c == '\'') {
            const char closing[] = {c, '\0'};
            take_quotes(r, r->at + 1, end_of_quotes(r->at + 1, closing), 1);
        } else if (is_word(c)) {
            take_word(r, true);
        } else {
            r->is_at_start = c == '\n' || (r->is_at_start && isspace((unsigned char)c));
            r->at++;
        }
    }
}

char *source_code_of(const char *text, bool is_python, enum source_quotes quotes)
{
    char *copy = strdup(text);
    if (copy) {
        struct code_reader reader = {.text = copy,
                                     .at = copy,
                                     .keeps_quotes = quotes == SOURCE_QUOTES_KEPT,
                                     .is_at_start = true};
        if (is_python) {
            read_python(&reader);
        } else {
            read_c(&reader);
        }
    }
    return copy;
}
