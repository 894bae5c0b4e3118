#include "course/source_token.h"

#include <ctype.h>
#include <string.h>

#include "base/hash.h"

/* Of C, C++ and Python: they give a program its form. All other names are alike. */
static bool is_keyword(const char *word, size_t length)
{
    static const char *const keywords[] = {
        "if",    "else",     "elif",   "for",    "while",  "do",     "switch",   "case",  "default",
        "break", "continue", "return", "def",    "class",  "struct", "lambda",   "try",   "except",
        "catch", "throw",    "raise",  "import", "from",   "in",     "not",      "and",   "or",
        "is",    "with",     "yield",  "int",    "char",   "bool",   "double",   "float", "long",
        "void",  "auto",     "const",  "new",    "delete", "using",  "namespace"};
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strlen(keywords[i]) == length && memcmp(keywords[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word_byte(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static const char *end_of_line(const char *at) { return at + strcspn(at, "\n"); }

/* From the quote to the byte after the closing one. */
static const char *end_of_string(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n') {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    return *at == quote ? at + 1 : at;
}

/* Skips spaces and comments; a text in three quotes is one in Python. */
static const char *skip_silence(const char *at, bool is_python)
{
    for (;;) {
        bool is_long = is_python && (strncmp(at, "\"\"\"", 3) == 0 || strncmp(at, "'''", 3) == 0);
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (is_python ? *at == '#' : strncmp(at, "//", 2) == 0) {
            at = end_of_line(at);
        } else if (!is_python && strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else if (is_long) {
            const char *end = strstr(at + 3, *at == '"' ? "\"\"\"" : "'''");
            at = end ? end + 3 : at + strlen(at);
        } else {
            return at;
        }
    }
}

bool source_token_next(const char **text, bool is_python, const char **begin, uint64_t *out)
{
    enum { TOKEN_NAME = 256, TOKEN_NUMBER, TOKEN_STRING };
    const char *at = skip_silence(*text, is_python);
    const char *start = at;
    *begin = start;
    if (!*at) {
        return false;
    }
    if (isdigit((unsigned char)*at)) {
        while (is_word_byte(*at) || *at == '.') {
            at++;
        }
        *out = TOKEN_NUMBER;
    } else if (is_word_byte(*at)) {
        while (is_word_byte(*at)) {
            at++;
        }
        size_t length = (size_t)(at - start);
        *out = is_keyword(start, length) ? hash_bytes(HASH_SEED, start, length) : TOKEN_NAME;
    } else if (*at == '"' || *at == '\'') {
        at = end_of_string(at);
        *out = TOKEN_STRING;
    } else {
        *out = (unsigned char)*at++;
    }
    *text = at;
    return true;
}
