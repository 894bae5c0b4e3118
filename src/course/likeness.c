#include "course/likeness.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "no memory to compare the sources");
}

void likeness_free(struct likeness *likeness)
{
    free(likeness->fragments);
    *likeness = (struct likeness){0};
}

/* --- Tokens --- */

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

/* The next token, as a number; false: the text has ended. */
static bool next_token(const char **text, bool is_python, uint64_t *out)
{
    enum { TOKEN_NAME = 256, TOKEN_NUMBER, TOKEN_STRING };
    const char *at = skip_silence(*text, is_python);
    const char *start = at;
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

/* --- Fragments --- */

static bool add_fragment(struct likeness *likeness, int program, uint64_t hash)
{
    struct likeness_fragment *list =
        array_reserve(likeness->fragments, &likeness->capacity, likeness->count + 1, sizeof *list);
    if (list) {
        likeness->fragments = list;
        list[likeness->count++] = (struct likeness_fragment){hash, program};
    }
    return list;
}

/* A rolling hash: the sum of the tokens times powers of an odd number. */
enum err likeness_add(struct likeness *likeness, int program, const char *text, bool is_python,
                      struct note *why)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t window[LIKENESS_WINDOW] = {0};
    uint64_t oldest_factor = 1;
    uint64_t hash = 0;
    uint64_t token = 0;
    for (int i = 0; i < LIKENESS_WINDOW; i++) {
        oldest_factor *= factor;
    }
    for (size_t i = 0; next_token(&text, is_python, &token); i++) {
        uint64_t *slot = &window[i % LIKENESS_WINDOW];
        token = hash_word(token);
        hash = hash * factor + token - *slot * oldest_factor;
        *slot = token;
        if (i + 1 >= LIKENESS_WINDOW && !add_fragment(likeness, program, hash)) {
            return refuse_memory(why);
        }
    }
    return ERR_NONE;
}

/* --- Pairs --- */

static int compare_fragments(const void *a, const void *b)
{
    const struct likeness_fragment *x = a;
    const struct likeness_fragment *y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return (x->program > y->program) - (x->program < y->program);
}

/* Each fragment of a program once. */
static void sort_fragments(struct likeness *likeness)
{
    struct likeness_fragment *list = likeness->fragments;
    size_t kept = 0;
    qsort(list, likeness->count, sizeof *list, compare_fragments);
    for (size_t i = 0; i < likeness->count; i++) {
        if (i == 0 || compare_fragments(&list[i], &list[kept - 1]) != 0) {
            list[kept++] = list[i];
        }
    }
    likeness->count = kept;
}

/* shared[a * programs + b] for a < b; shared[a * programs + a]: all own fragments of a. */
static void count_shared(const struct likeness *likeness, int programs, int *shared)
{
    const struct likeness_fragment *list = likeness->fragments;
    size_t end = 0;
    for (size_t start = 0; start < likeness->count; start = end) {
        for (end = start; end < likeness->count && list[end].hash == list[start].hash;) {
            end++;
        }
        bool is_common = programs >= LIKENESS_CLASS && 2 * (end - start) > (size_t)programs;
        if (is_common || list[start].program == LIKENESS_TEMPLATE) {
            continue;
        }
        for (size_t a = start; a < end; a++) {
            for (size_t b = a; b < end; b++) {
                shared[(size_t)list[a].program * (size_t)programs + (size_t)list[b].program]++;
            }
        }
    }
}

double likeness_percent(const struct likeness_pair *pair)
{
    return 100.0 * pair->shared / pair->smaller;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct likeness_pair *x = a;
    const struct likeness_pair *y = b;
    int64_t left = (int64_t)x->shared * y->smaller;
    int64_t right = (int64_t)y->shared * x->smaller;
    if (left != right) {
        return left > right ? -1 : 1;
    }
    int by_first = (x->program[0] > y->program[0]) - (x->program[0] < y->program[0]);
    return by_first ? by_first : (x->program[1] > y->program[1]) - (x->program[1] < y->program[1]);
}

enum err likeness_find(struct likeness *likeness, int programs, struct likeness_pair **out,
                       size_t *count, struct note *why)
{
    size_t width = (size_t)programs;
    int *shared = calloc(width * width + 1, sizeof *shared);
    struct likeness_pair *pairs = NULL;
    size_t capacity = 0;
    size_t used = 0;
    enum err err = shared ? ERR_NONE : refuse_memory(why);
    if (!err && likeness->count) {
        sort_fragments(likeness);
        count_shared(likeness, programs, shared);
    }
    for (size_t a = 0; !err && a < width; a++) {
        for (size_t b = a + 1; !err && b < width; b++) {
            int own[2] = {shared[a * width + a], shared[b * width + b]};
            struct likeness_pair pair = {.program = {(int)a, (int)b},
                                         .shared = shared[a * width + b],
                                         .smaller = own[0] < own[1] ? own[0] : own[1]};
            if (pair.smaller < LIKENESS_LEAST_OWN ||
                likeness_percent(&pair) < (double)LIKENESS_LEAST_PERCENT) {
                continue;
            }
            struct likeness_pair *more = array_reserve(pairs, &capacity, used + 1, sizeof *more);
            pairs = more ? more : pairs;
            err = more ? ERR_NONE : refuse_memory(why);
            if (more) {
                pairs[used++] = pair;
            }
        }
    }
    free(shared);
    if (err) {
        free(pairs);
        return err;
    }
    if (used) {
        qsort(pairs, used, sizeof *pairs, compare_pairs);
    }
    *out = pairs;
    *count = used;
    return ERR_NONE;
}
