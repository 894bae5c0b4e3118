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

/* A locale that names another character set than UTF-8. One that names none, as on bare
 * machines, says nothing about the terminal, and nearly all terminals read UTF-8. */
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

/* The nearest of the 6 × 6 × 6 colours that every 256-colour terminal has. */
static unsigned nearest_of_256(uint32_t colour)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    unsigned index = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        int channel = (int)(colour >> shift & 0xff);
        unsigned best = 0;
        for (unsigned i = 1; i < 6; i++) {
            if (abs(levels[i] - channel) < abs(levels[best] - channel)) {
                best = i;
            }
        }
        index = index * 6 + best;
    }
    return 16 + index;
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
