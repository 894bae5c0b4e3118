#include "judge/annotation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { TIME_DECIMALS = 9, TIME_DECIMALS_SHOWN = 3, SCORE_DECIMALS = 2 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits, and optionally a point and up to `decimals` digits more: "0.43" with three decimals
 * is 430. */
static bool read_fixed_point(const char *text, int decimals, int64_t *out)
{
    int64_t value = 0;
    int decimals_read = -1; /* before the point */
    if (!is_digit(*text)) {
        return false;
    }
    for (; *text; text++) {
        if (*text == '.' && decimals_read < 0) {
            decimals_read = 0;
            continue;
        }
        if (!is_digit(*text) || decimals_read == decimals ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text - '0', &value)) {
            return false;
        }
        decimals_read += decimals_read >= 0;
    }
    if (decimals_read == 0) {
        return false;
    }
    for (int i = decimals_read < 0 ? 0 : decimals_read; i < decimals; i++) {
        if (__builtin_mul_overflow(value, 10, &value)) {
            return false;
        }
    }
    *out = value;
    return true;
}

static bool read_time(const char *value, struct annotation *annotation)
{
    annotation->has_time = true;
    return read_fixed_point(value, TIME_DECIMALS, &annotation->time_ns);
}

static bool read_depth(const char *value, struct annotation *annotation)
{
    annotation->has_depth = true;
    return number_read(value, "", 0, ANNOTATION_MAX_DEPTH, &annotation->depth, NULL) == ERR_NONE;
}

static bool read_score(const char *value, struct annotation *annotation)
{
    bool is_negative = *value == '-';
    bool has_sign = is_negative || *value == '+';
    annotation->has_score = true;
    if (!read_fixed_point(value + has_sign, SCORE_DECIMALS, &annotation->score_hundredths)) {
        return false;
    }
    if (is_negative) {
        annotation->score_hundredths = -annotation->score_hundredths;
    }
    return true;
}

static bool read_nodes(const char *value, struct annotation *annotation)
{
    annotation->has_nodes = true;
    return number_read(value, "", 0, INT64_MAX, &annotation->nodes, NULL) == ERR_NONE;
}

bool annotation_name_fault(const char *word, enum fault *out)
{
    for (int fault = 0; fault < FAULT_KINDS; fault++) {
        if (strcmp(word, fault_name((enum fault)fault)) == 0) {
            *out = (enum fault)fault;
            return true;
        }
    }
    return false;
}

static bool read_fault(const char *value, struct annotation *annotation)
{
    annotation->has_fault = true;
    return annotation_name_fault(value, &annotation->fault);
}

struct annotation_key {
    const char *name;
    bool (*read)(const char *value, struct annotation *annotation);
    const char *expected;
};

static const struct annotation_key keys[] = {
    {"t", read_time, "seconds with at most nine decimals"},
    {"d", read_depth, "a depth from 0 to 1000"},
    {"s", read_score, "a score with at most two decimals"},
    {"n", read_nodes, "a number of nodes"},
    {"fault", read_fault, "late, invalid, crashed, malformed or hostile"},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static bool is_key(const char *text)
{
    for (; *text; text++) {
        if (!(*text >= 'a' && *text <= 'z') && !is_digit(*text) && *text != '_') {
            return false;
        }
    }
    return true;
}

/* `word` is key=value and is cut in two at the sign. `seen` has a flag for each known key. */
static enum err read_word(char *word, struct annotation *annotation, bool seen[KEYS],
                          struct note *why)
{
    char *sign = strchr(word, '=');
    if (!sign || sign == word || !sign[1]) {
        return note_fail(why, ERR_INPUT, "words in braces have the form key=value, not '%.40s'",
                         word);
    }
    *sign = '\0';
    const char *value = sign + 1;
    if (!is_key(word)) {
        return note_fail(why, ERR_INPUT,
                         "a key in braces has lower-case letters and digits, not '%.40s'", word);
    }
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(word, keys[i].name) != 0) {
            continue;
        }
        if (seen[i]) {
            return note_fail(why, ERR_INPUT, "duplicate '%s='", word);
        }
        seen[i] = true;
        if (!keys[i].read(value, annotation)) {
            return note_fail(why, ERR_INPUT, "'%s=' needs %s, not '%.40s'", word, keys[i].expected,
                             value);
        }
    }
    return ERR_NONE;
}

enum err annotation_read(const char *text, struct annotation *out, struct note *why)
{
    char words[ANNOTATION_BYTES];
    struct annotation annotation = {0};
    bool seen[KEYS] = {false};
    size_t length = strlen(text);
    if (length >= ANNOTATION_BYTES) {
        return note_fail(why, ERR_INPUT, "the text in braces is longer than %d bytes",
                         ANNOTATION_BYTES - 1);
    }
    memcpy(words, text, length + 1);
    char *rest = words;
    for (char *word = NULL; (word = strsep(&rest, " \t"));) {
        enum err err = *word ? read_word(word, &annotation, seen, why) : ERR_NONE;
        if (err) {
            return err;
        }
    }
    *out = annotation;
    return ERR_NONE;
}

static int trailing_zeros(int64_t value, int at_most)
{
    int zeros = 0;
    while (zeros < at_most && value % 10 == 0) {
        value /= 10;
        zeros++;
    }
    return zeros;
}

static char *write_time(char *at, const char *end, int64_t time_ns)
{
    const int64_t second_ns = 1000000000;
    int zeros = trailing_zeros(time_ns, TIME_DECIMALS - TIME_DECIMALS_SHOWN);
    at += snprintf(at, (size_t)(end - at), " t=%" PRId64 ".%09" PRId64, time_ns / second_ns,
                   time_ns % second_ns);
    at -= zeros;
    *at = '\0';
    return at;
}

static char *write_score(char *at, const char *end, int64_t score_hundredths)
{
    char score[NUMBER_HUNDREDTHS_BYTES];
    number_write_hundredths(score_hundredths, score);
    return at + snprintf(at, (size_t)(end - at), " s=%s", score);
}

void annotation_write(const struct annotation *annotation, char out[ANNOTATION_BYTES])
{
    char text[ANNOTATION_BYTES + 1] = " ";
    const char *end = text + sizeof text;
    char *at = text;
    if (annotation->has_time) {
        at = write_time(at, end, annotation->time_ns);
    }
    if (annotation->has_depth) {
        at += snprintf(at, (size_t)(end - at), " d=%" PRId64, annotation->depth);
    }
    if (annotation->has_score) {
        at = write_score(at, end, annotation->score_hundredths);
    }
    if (annotation->has_nodes) {
        at += snprintf(at, (size_t)(end - at), " n=%" PRId64, annotation->nodes);
    }
    if (annotation->has_fault) {
        snprintf(at, (size_t)(end - at), " fault=%s", fault_name(annotation->fault));
    }
    snprintf(out, ANNOTATION_BYTES, "%s", text + 1);
}
