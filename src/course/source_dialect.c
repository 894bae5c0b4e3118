#include "course/source_dialect.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* A source while it is written. */
struct dialect_conversion {
    const char *text;      /* the whole of it */
    const char *at;        /* what is left */
    bool is_after_keyword; /* class, struct or typename */
    int for_each_depth;    /* open parentheses since `for each`; 0: not in one */
    bool has_own_exception;
    bool has_wide_main; /* wmain is defined */
    FILE *out;
};

/* A word of the source; it is not ended by a NUL. */
struct dialect_word {
    const char *start;
    size_t length;
};

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n\f\v"); }

static struct dialect_word word_at(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length]) && !(length == 0 && isdigit((unsigned char)*at))) {
        length++;
    }
    return (struct dialect_word){at, length};
}

static bool is_word(struct dialect_word word, const char *text)
{
    return word.length == strlen(text) && strncmp(word.start, text, word.length) == 0;
}

static bool is_one_of(struct dialect_word word, const char *const *texts)
{
    for (; *texts; texts++) {
        if (is_word(word, *texts)) {
            return true;
        }
    }
    return false;
}

static void copy(struct dialect_conversion *c, size_t length)
{
    fwrite(c->at, 1, length, c->out);
    c->at += length;
}

/* Spaces and the ends of lines keep what follows in its place, where the compiler's messages and
 * the author expect it. */
static void replace(struct dialect_conversion *c, const char *end, const char *text)
{
    fputs(text, c->out);
    for (size_t left = strlen(text); c->at < end; c->at++) {
        if (*c->at == '\n') {
            fputc('\n', c->out);
        } else if (left > 0) {
            left--;
        } else {
            fputc(' ', c->out);
        }
    }
}

/* --- What is left alone. --- */

static void copy_line_comment(struct dialect_conversion *c)
{
    const char *end = c->at;
    do {
        end += 1 + strcspn(end + 1, "\n");
    } while (*end && end[-1] == '\\');
    copy(c, (size_t)(end - c->at));
}

static void copy_comment(struct dialect_conversion *c)
{
    const char *end = strstr(c->at + 2, "*/");
    copy(c, end ? (size_t)(end + 2 - c->at) : strlen(c->at));
}

/* R"x( … )x" */
static void copy_raw_text(struct dialect_conversion *c)
{
    char end[32];
    size_t length = strcspn(c->at + 1, "(\"\\ \t\n");
    const char *found = NULL;
    if (c->at[1 + length] == '(' && length < sizeof end - 3) {
        snprintf(end, sizeof end, ")%.*s\"", (int)length, c->at + 1);
        found = strstr(c->at, end);
    }
    copy(c, found ? (size_t)(found - c->at) + strlen(end) : 1);
}

/* --- Text in quotes: only its formats for 64-bit numbers are others. --- */

static void copy_text(struct dialect_conversion *c)
{
    char quote = *c->at;
    bool is_format = false; /* after a '%' and the digits that may follow it */
    copy(c, 1);
    while (*c->at && *c->at != '\n' && *c->at != quote) {
        if (is_format && strncmp(c->at, "I64", 3) == 0) {
            fputs("ll", c->out);
            c->at += 3;
            continue;
        }
        is_format = *c->at == '%' ? !is_format : is_format && strchr("0123456789-+ #.*", *c->at);
        copy(c, c->at[0] == '\\' && c->at[1] ? 2 : 1);
    }
    if (*c->at == quote) {
        copy(c, 1);
    }
}

/* --- Numbers: 1i64, 0xffui64. --- */

static void write_number(struct dialect_conversion *c)
{
    static const struct {
        const char *before;
        const char *after;
    } endings[] = {{"ui64", "ull"}, {"ui32", "u"}, {"ui16", "u"}, {"ui8", "u"},
                   {"i64", "ll"},   {"i32", ""},   {"i16", ""},   {"i8", ""}};
    size_t length = 0;
    while (is_letter(c->at[length]) || c->at[length] == '.' ||
           (c->at[length] == '\'' && is_letter(c->at[length + 1]))) {
        length++;
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t size = strlen(endings[i].before);
        if (length > size && strncasecmp(c->at + length - size, endings[i].before, size) == 0) {
            copy(c, length - size);
            replace(c, c->at + size, endings[i].after);
            return;
        }
    }
    copy(c, length);
}

/* --- Words. --- */

/* Whether somewhere in the text the keyword, this name and one of the signs follow each other:
 * `struct NAME {`, `class NAME :`. Two colons are another sign. */
static bool declares(const struct dialect_conversion *c, const char *keyword,
                     struct dialect_word name, const char *signs)
{
    size_t length = strlen(keyword);
    for (const char *at = c->text; name.length && (at = strstr(at, keyword)); at += length) {
        struct dialect_word found = word_at(skip_space(at + length));
        const char *after = skip_space(found.start + found.length);
        bool is_whole = (at == c->text || !is_letter(at[-1])) && !is_letter(at[length]);
        if (is_whole && found.length == name.length &&
            strncmp(found.start, name.start, name.length) == 0 && *after && strchr(signs, *after) &&
            strncmp(after, "::", 2) != 0) {
            return true;
        }
    }
    return false;
}

/* `void main(`, also with a calling convention between. */
static bool is_void_main(const struct dialect_conversion *c, struct dialect_word word)
{
    static const char *const conventions[] = {"__cdecl", "_cdecl", "WINAPI", NULL};
    static const char *const mains[] = {"main", "_tmain", "wmain", NULL};
    struct dialect_word next = word_at(skip_space(c->at + word.length));
    if (is_one_of(next, conventions)) {
        next = word_at(skip_space(next.start + next.length));
    }
    return is_word(word, "void") && is_one_of(next, mains) &&
           *skip_space(next.start + next.length) == '(';
}

/* `struct P(`: a constructor. A pointer to a function, `struct P (*f)(int)`, is not one. */
static bool is_constructor(const struct dialect_conversion *c, struct dialect_word word)
{
    const char *keyword = is_word(word, "struct")  ? "struct"
                          : is_word(word, "class") ? "class"
                                                   : NULL;
    struct dialect_word name = word_at(skip_space(c->at + word.length));
    const char *open = skip_space(name.start + name.length);
    return keyword && name.length && *open == '(' && !strchr("*&^", *skip_space(open + 1)) &&
           declares(c, keyword, name, "{:");
}

/* `exception("text")`, and a class that is derived from it. */
static bool is_exception_with_text(const struct dialect_conversion *c, struct dialect_word word)
{
    const char *next = skip_space(c->at + word.length);
    return is_word(word, "exception") && !c->has_own_exception && !c->is_after_keyword &&
           ((*next == '(' && *skip_space(next + 1) != ')') || *next == '{');
}

/* `enum E;` and `enum E {` of an enum that is declared without its list of values somewhere, but
 * not `enum E e;` and `enum E : char;`. */
static bool is_forward_enum(const struct dialect_conversion *c, struct dialect_word word,
                            struct dialect_word name)
{
    const char *after = skip_space(name.start + name.length);
    return is_word(word, "enum") && (*after == ';' || *after == '{') &&
           declares(c, "enum", name, ";");
}

/* `wmain(…) {` */
static bool is_definition(const char *open)
{
    const char *close = *open == '(' ? strchr(open, ')') : NULL;
    return close && *skip_space(close + 1) == '{';
}

static void write_word(struct dialect_conversion *c)
{
    static const char *const keywords[] = {"class", "struct", "typename", NULL};
    struct dialect_word word = word_at(c->at);
    const char *end = c->at + word.length;
    const char *next = skip_space(end);
    struct dialect_word second = word_at(next);
    if (is_void_main(c, word)) {
        replace(c, end, "int");
    } else if (is_constructor(c, word)) {
        replace(c, end, "");
    } else if (is_word(word, "S_un") && strncmp(next, ".S_addr", strlen(".S_addr")) == 0) {
        replace(c, next + strlen(".S_addr"), "s_addr");
    } else if (is_word(word, "for") && is_word(second, "each") &&
               *skip_space(next + second.length) == '(') {
        replace(c, skip_space(next + second.length) + 1, "for (");
        c->for_each_depth = 1;
    } else if (is_word(word, "in") && c->for_each_depth == 1) {
        replace(c, end, ":");
        c->for_each_depth = 0;
    } else if (is_exception_with_text(c, word)) {
        replace(c, end, "compat_exception");
    } else if (is_forward_enum(c, word, second)) {
        copy(c, (size_t)(next - c->at) + second.length);
        fputs(" COMPAT_ENUM", c->out);
    } else if (is_word(word, "wmain") && *next == '(') {
        c->has_wide_main |= is_definition(next);
        replace(c, end, "compat_wmain");
    } else {
        copy(c, word.length);
    }
    c->is_after_keyword = is_one_of(word, keywords);
    if (*c->at == '"' && word.length && word.start[word.length - 1] == 'R') {
        copy_raw_text(c);
    }
}

static void write_sign(struct dialect_conversion *c)
{
    if (c->for_each_depth) {
        c->for_each_depth += (*c->at == '(') - (*c->at == ')');
    }
    if (!isspace((unsigned char)*c->at)) {
        c->is_after_keyword = false;
    }
    copy(c, 1);
}

void source_dialect_write(const char *text, FILE *out)
{
    struct dialect_conversion c = {.text = text, .at = text, .out = out};
    struct dialect_word exception = {"exception", strlen("exception")};
    c.has_own_exception =
        declares(&c, "class", exception, "{:") || declares(&c, "struct", exception, "{:");
    while (*c.at) {
        if (strncmp(c.at, "//", 2) == 0) {
            copy_line_comment(&c);
        } else if (strncmp(c.at, "/*", 2) == 0) {
            copy_comment(&c);
        } else if (*c.at == '"' || *c.at == '\'') {
            copy_text(&c);
        } else if (isdigit((unsigned char)*c.at)) {
            write_number(&c);
        } else if (is_letter(*c.at)) {
            write_word(&c);
        } else {
            write_sign(&c);
        }
    }
    if (c.has_wide_main) {
        fputs("\nCOMPAT_MAIN\n", out);
    }
}
