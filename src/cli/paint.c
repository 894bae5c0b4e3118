#include "cli/paint.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* A locale with another character set than UTF-8. Without one, as in a minimal
 * system, UTF-8 is assumed: nearly all terminals read it. */
static bool is_charset_foreign(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = environment(names[i]);
        if (*locale) {
            const char *charset = strchr(locale, '.');
            return charset && strncasecmp(charset, ".utf-8", 6) != 0 &&
                   strncasecmp(charset, ".utf8", 5) != 0;
        }
    }
    return false;
}

static bool is_full_colour(void)
{
    const char *term = environment("COLORTERM");
    return strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0;
}

enum paint paint_choose(const char *wish)
{
    const char *term = environment("TERM");
    bool is_terminal = isatty(STDOUT_FILENO) && *term && strcmp(term, "dumb") != 0;
    bool is_forced = wish && strcmp(wish, "always") == 0;
    bool is_unwanted = wish && strcmp(wish, "never") == 0;
    if (is_charset_foreign() || (!is_terminal && !is_forced)) {
        return PAINT_PLAIN;
    }
    if (is_unwanted || (*environment("NO_COLOR") && !is_forced)) {
        return PAINT_MONO;
    }
    return is_full_colour() ? PAINT_FULL : PAINT_256;
}

static int distance(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int difference = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
        sum += difference * difference;
    }
    return sum;
}

/* Of the 256 the first 16 differ from terminal to terminal; then come 6 × 6 × 6 colours and
 * 24 greys. */
static uint32_t colour_of_256(unsigned index)
{
    static const uint8_t levels[] = {0, 95, 135, 175, 215, 255};
    if (index >= 232) {
        return (8 + 10 * (index - 232)) * 0x010101u;
    }
    unsigned cube = index - 16;
    return (uint32_t)levels[cube / 36] << 16 | (uint32_t)levels[cube / 6 % 6] << 8 |
           levels[cube % 6];
}

static unsigned nearest_of_256(uint32_t colour)
{
    unsigned best = 16;
    for (unsigned index = 17; index < 256; index++) {
        if (distance(colour_of_256(index), colour) < distance(colour_of_256(best), colour)) {
            best = index;
        }
    }
    return best;
}

/* `which` is 38 for ink, 48 for ground. */
static void set_colour(enum paint paint, unsigned which, uint32_t colour)
{
    if (paint == PAINT_FULL) {
        printf("\033[%u;2;%u;%u;%um", which, (unsigned)(colour >> 16 & 0xff),
               (unsigned)(colour >> 8 & 0xff), (unsigned)(colour & 0xff));
    } else if (paint == PAINT_256) {
        printf("\033[%u;5;%um", which, nearest_of_256(colour));
    }
}

void paint_ink(enum paint paint, uint32_t colour) { set_colour(paint, 38, colour); }
void paint_ground(enum paint paint, uint32_t colour) { set_colour(paint, 48, colour); }

void paint_bold(enum paint paint)
{
    if (paint >= PAINT_256) {
        fputs("\033[1m", stdout);
    }
}

void paint_reset(enum paint paint)
{
    if (paint >= PAINT_256) {
        fputs("\033[0m", stdout);
    }
}
