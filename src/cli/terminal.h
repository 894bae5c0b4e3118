/* terminal: what a person sees and types while a command runs.
 *
 * Lines that are drawn over the ones before, a progress line, remarks that are printed once, and
 * questions that a person or a file answers.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/note.h"
#include "cli/paint.h"

/* --- Lines that are drawn over the ones before. --- */

struct terminal_lines {
    FILE *terminal;
    int count; /* on the screen now */
};

/* Replaces what was drawn before. What would wrap or scroll away could not be erased: lines are
 * cut to the terminal's width, and their number to its height. `text` is taken apart. */
void terminal_lines_show(struct terminal_lines *lines, char *text);

void terminal_lines_erase(struct terminal_lines *lines);

/* --- A progress line on stderr; nothing is shown unless that is a terminal. --- */

/* A zeroed struct shows nothing. */
struct terminal_progress {
    int64_t shown_ns; /* when it was last shown; 0: it is not on the screen */
};

/* Whether it can be seen, and was last shown at least that long ago. */
bool terminal_progress_is_due(const struct terminal_progress *progress, int64_t interval_ns);

/* Replaces the line. Ctrl-C also erases it. */
void terminal_progress_show(struct terminal_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void terminal_progress_erase(struct terminal_progress *progress);

/* --- Remarks: each sentence once, and a limited number of them. --- */

enum { TERMINAL_MAX_REMARKS = 200 }; /* each machine of a lab has its own */

/* A zeroed struct is empty. */
struct terminal_remarks {
    struct note list[TERMINAL_MAX_REMARKS];
    int count;
};

/* The sentence without what could control a terminal, or NULL: it was added before, or the list is
 * full. In place of the last one it is a sentence that there are more. Valid as long as *remarks.
 */
const char *terminal_remarks_add(struct terminal_remarks *remarks, const char *sentence);

/* --- Questions. --- */

enum { TERMINAL_LINE_BYTES = 1024 };

struct terminal_input {
    enum paint paint;
    bool is_screen; /* a person reads the output: things may be drawn over */
    bool echoes;    /* the input is a file: its lines are shown, so that the output is complete */
};

struct terminal_input terminal_input_open(enum paint paint);

/* A line without the spaces at its ends; what could control a terminal is replaced by '?', and what
 * is too long is cut. False at the end of the input. */
bool terminal_ask(const struct terminal_input *input, const char *prompt,
                  char line[TERMINAL_LINE_BYTES]);

/* Ends the first word of `line` with a NUL; returns what follows it. */
char *terminal_split(char *line);

#endif
