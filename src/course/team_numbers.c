#include "course/team_numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 9 };

static const char own_word[] = "idTeam";

static bool is_word(char c) { return c == '_' || isalnum((unsigned char)c); }

bool team_numbers_have(const struct team_numbers *numbers, int number)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->list[i] == number) {
            return true;
        }
    }
    return false;
}

static void add(struct team_numbers *numbers, int number)
{
    if (team_numbers_have(numbers, number)) {
        return;
    }
    if (numbers->count == TEAM_NUMBERS_MAX) {
        numbers->is_open = true;
        return;
    }
    numbers->list[numbers->count++] = number;
}

/* --- What is set --- */

/* A number that is a whole expression: "7", "-1", "(7)". A negative one is "not set". 012 is 10 in
 * C, and so not read. */
static bool read_number(const char *at, int *out)
{
    at += strspn(at, " \t({");
    bool is_negative = *at == '-';
    at += is_negative || *at == '+';
    size_t digits = strspn(at, "0123456789");
    const char *rest = at + digits + strspn(at + digits, " \t\r)}");
    bool is_octal = *at == '0' && digits > 1;
    bool is_number = digits > 0 && digits <= MAX_DIGITS && !is_octal && !is_word(at[digits]);
    if (!is_number || !(!*rest || strchr("\n;,", *rest))) {
        return false;
    }
    *out = is_negative ? -1 : (int)strtol(at, NULL, 10);
    return true;
}

static bool line_has(const char *text, const char *at, const char *word)
{
    while (at > text && at[-1] != '\n') {
        at--;
    }
    const char *found = strstr(at, word);
    return found && found < at + strcspn(at, "\n");
}

/* "port, idTeam = 8888, 7", "for idTeam in (7,):", "++idTeam": `at` is the word. What is read of
 * such a line need not be its number. */
static bool is_set_with_others(const char *text, const char *at, const char *after)
{
    const char *line = at;
    while (line > text && !strchr("\n;{}", line[-1])) {
        line--;
    }
    int depth = 0;
    bool has_comma = false;
    for (const char *c = line; c < at; c++) {
        depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
        has_comma |= *c == ',' && depth == 0;
    }
    line += strspn(line, " \t");
    const char *rest = after + strspn(after, " \t");
    const char *equals = rest + strcspn(rest, "=(\n;");
    bool is_before_comma = *rest == ',' && depth == 0 && *equals == '=';
    bool is_counted =
        strncmp(rest, "++", 2) == 0 || strncmp(rest, "--", 2) == 0 ||
        (at - line >= 2 && (strncmp(at - 2, "++", 2) == 0 || strncmp(at - 2, "--", 2) == 0));
    return has_comma || is_before_comma || is_counted ||
           (strncmp(line, "for ", 4) == 0 && strncmp(rest, "in ", 3) == 0);
}

/* "idTeam = 7", "int idTeam{7};", "#define idTeam 7", "idTeam: int = 7", "cin >> idTeam". */
static void add_use(struct team_numbers *numbers, const char *text, const char *at,
                    const char *after)
{
    int number = 0;
    const char *rest = after + strspn(after, " \t");
    if (*rest == ':' && rest[1] != ':') { /* what type it has */
        size_t type = strcspn(rest, "=\n,)");
        rest += rest[type] == '=' ? type : 0;
    }
    bool is_set = *rest == '=' && rest[1] != '=';
    bool is_initialised = strchr("({", *rest) && *rest && read_number(rest, &number);
    bool is_changed = *rest && strchr("+-*/|&^%", *rest) && rest[1] == '=';
    bool is_defined = line_has(text, at, "#define") || line_has(text, at, "# define");
    bool is_read = line_has(text, at, ">>") || line_has(text, at, "scanf");
    if ((is_set || is_defined || is_initialised) && read_number(rest + is_set, &number)) {
        add(numbers, number);
    } else if (is_set || is_changed || is_read || (is_defined && !is_word(*rest))) {
        numbers->is_open = true;
    }
    numbers->is_open |= is_set_with_others(text, at, after);
}

/* Each place where the text has this word. */
static const char *next_word(const char *text, const char *at, const char *word)
{
    for (; (at = strcasestr(at, word)); at++) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[strlen(word)])) {
            return at;
        }
    }
    return NULL;
}

static size_t count_words(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = next_word(text, at, word)); at += strlen(word)) {
        count++;
    }
    return count;
}

static void add_uses(struct team_numbers *numbers, const char *bare, const char *word)
{
    for (const char *at = bare; (at = next_word(bare, at, word)); at += strlen(word)) {
        add_use(numbers, bare, at, at + strlen(word));
    }
}

/* --- Names of files --- */

/* "state_7.txt"; the names without a number in them have it from elsewhere. */
static void add_file_names(struct team_numbers *numbers, const char *code)
{
    static const char *const words[] = {"state_", "move_"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (const char *at = code; (at = strstr(at, words[i]));) {
            bool is_name = at > code && strchr("\"'/\\", at[-1]);
            at += strlen(words[i]);
            size_t digits = strspn(at, "0123456789");
            if (digits > 0 && digits <= MAX_DIGITS && strncmp(at + digits, ".txt", 4) == 0) {
                add(numbers, (int)strtol(at, NULL, 10));
            } else if (is_name) {
                numbers->is_open = true;
            }
        }
    }
}

/* --- All together --- */

void team_numbers_add(struct team_numbers *numbers, const char *code, const char *bare,
                      bool opens_files)
{
    static const char *const words[] = {"team_id", "teamId", "id_team", "team_number", "team"};
    struct team_numbers own = {.count = 0};
    add_uses(&own, bare, own_word);
    /* In quotes it may be set by its name: setattr(STcpClient, "idTeam", 7). */
    own.is_open |= count_words(code, own_word) > count_words(bare, own_word);
    if (opens_files && !own.count) {
        add_file_names(&own, code);
        for (size_t i = 0; !own.count && i < sizeof words / sizeof words[0]; i++) {
            own.is_open = true;
            add_uses(&own, bare, words[i]);
        }
    }
    team_numbers_join(numbers, &own);
}

void team_numbers_join(struct team_numbers *numbers, const struct team_numbers *other)
{
    for (size_t i = 0; i < other->count; i++) {
        add(numbers, other->list[i]);
    }
    numbers->is_open |= other->is_open;
}

void team_numbers_finish(struct team_numbers *numbers)
{
    size_t kept = 0;
    if (numbers->count < 2 || !team_numbers_have(numbers, -1)) {
        return;
    }
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->list[i] >= 0) {
            numbers->list[kept++] = numbers->list[i];
        }
    }
    numbers->count = kept;
    numbers->is_open = true; /* whether what sets it is reached */
}

bool team_numbers_are_certain(const struct team_numbers *numbers)
{
    return numbers->count == 1 && !numbers->is_open;
}
