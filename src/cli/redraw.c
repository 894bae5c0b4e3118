#include "cli/redraw.h"

#include <string.h>
#include <sys/ioctl.h>

#include "cli/tournament_table.h"

void redraw_show(struct redraw *redraw, char *text)
{
    struct winsize size = {0};
    char *rest = NULL;
    if (ioctl(fileno(redraw->terminal), TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row) {
        size = (struct winsize){.ws_row = 24, .ws_col = 80};
    }
    redraw_wipe(redraw);
    for (char *line = strtok_r(text, "\n", &rest); line && redraw->lines + 1 < size.ws_row;
         line = strtok_r(NULL, "\n", &rest)) {
        tournament_table_cut(redraw->terminal, line, size.ws_col);
        fputc('\n', redraw->terminal);
        redraw->lines++;
    }
    fflush(redraw->terminal);
}

void redraw_wipe(struct redraw *redraw)
{
    if (redraw->lines) {
        fprintf(redraw->terminal, "\033[%dA\033[J", redraw->lines);
        redraw->lines = 0;
    }
}
