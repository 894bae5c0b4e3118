/* prompts: what a program prints again and again before it reads its input.
 *
 * Python's input("…") writes its prompt to standard error when it talks to a terminal. Such a text
 * has no line end and is the last thing printed when the program is sent something. The first time
 * it belongs into the program's log, later it would only fill it. So text after the last line end
 * is held back until it is clear what it is: a prompt may come late, together with the next ones,
 * when the program was sent something before it asked for it.
 */
#ifndef SANDBOX_PROMPTS_H
#define SANDBOX_PROMPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/stderr_log.h"

enum { PROMPTS_MAX = 8, PROMPT_BYTES = 100 };

struct prompt {
    char text[PROMPT_BYTES];
    size_t length;
};

/* A zeroed struct knows none. */
struct prompts {
    struct prompt known[PROMPTS_MAX];
    int count;
    struct prompt open; /* held back: printed since the last line end */
    bool is_too_long;   /* it did not fit, and is in the log */
};

/* The program printed this. */
void prompts_hear(struct prompts *prompts, const char *bytes, size_t count, struct stderr_log *log);

/* The program is sent something: what is held back is a prompt, or several. */
void prompts_answer(struct prompts *prompts, struct stderr_log *log);

/* The log is wanted as it is now: what is held back goes there, without known prompts. */
void prompts_flush(struct prompts *prompts, struct stderr_log *log);

#endif
