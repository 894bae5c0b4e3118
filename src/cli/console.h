/* console: a conversation with a person, or with a file that stands for one. */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include <stdbool.h>

#include "cli/paint.h"

enum { CONSOLE_LINE_BYTES = 1024 };

struct console {
    enum paint paint;
    bool is_screen; /* somebody looks: things may be drawn over */
    bool echoes;    /* nobody types: what was read is shown, so that the output reads as a whole */
};

struct console console_open(enum paint paint);

/* A line without the blanks at its ends; what could steer a terminal is a '?' in it, and what is
 * too long is cut. False at the end of the input. */
bool console_ask(const struct console *console, const char *prompt, char line[CONSOLE_LINE_BYTES]);

/* The first word of `line`; returns what follows it. Both lie in the line. */
char *console_split(char *line);

#endif
