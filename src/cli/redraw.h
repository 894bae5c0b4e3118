/* redraw: lines on a terminal that the next ones are drawn over. */
#ifndef CLI_REDRAW_H
#define CLI_REDRAW_H

#include <stdio.h>

struct redraw {
    FILE *terminal;
    int lines; /* on the screen now */
};

/* In place of what was drawn before. What would wrap or scroll away could not be wiped: lines are
 * cut to the terminal's width, and so is their number to its height. `text` is taken apart. */
void redraw_show(struct redraw *redraw, char *text);

void redraw_wipe(struct redraw *redraw);

#endif
