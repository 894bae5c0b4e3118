#include "json_check.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *skip_value(const char *at, int depth);

static const char *skip_space(const char *at) { return at + strspn(at, " \t\n\r"); }

/* Each skip_… returns what follows, or NULL where the text is wrong. */
static const char *skip_string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at != '\\') {
            continue;
        }
        if (!*++at || !strchr("\"\\/bfnrtu", *at)) {
            return NULL;
        }
        for (int i = 0; at[-i] == 'u' && i < 4; i++) {
            if (!isxdigit((unsigned char)*++at)) {
                return NULL;
            }
        }
    }
    return at + 1;
}

static const char *skip_digits(const char *at)
{
    size_t count = strspn(at, "0123456789");
    return count ? at + count : NULL;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    bool has_zero = *at == '0';
    const char *end = skip_digits(at);
    if (!end || (has_zero && end != at + 1)) {
        return NULL;
    }
    if (*end == '.') {
        end = skip_digits(end + 1);
    }
    if (end && (*end == 'e' || *end == 'E')) {
        end++;
        end = skip_digits(end + (*end == '+' || *end == '-'));
    }
    return end;
}

static const char *skip_list(const char *at, int depth, char close)
{
    at = skip_space(at + 1);
    if (*at == close) {
        return at + 1;
    }
    for (;; at = skip_space(at + 1)) {
        if (close == '}') {
            at = skip_string(at);
            at = at ? skip_space(at) : NULL;
            if (!at || *at++ != ':') {
                return NULL;
            }
        }
        at = skip_value(at, depth);
        at = at ? skip_space(at) : NULL;
        if (!at || *at != ',') {
            return at && *at == close ? at + 1 : NULL;
        }
    }
}

static const char *skip_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    at = skip_space(at);
    if (depth == 0) {
        return NULL;
    }
    if (*at == '{' || *at == '[') {
        return skip_list(at, depth - 1, *at == '{' ? '}' : ']');
    }
    if (*at == '"') {
        return skip_string(at);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    return skip_number(at);
}

bool json_check(const char *text)
{
    enum { MAX_DEPTH = 64 };
    const char *end = skip_value(text, MAX_DEPTH);
    return end && !*skip_space(end);
}
