/* prompts: what a program prints again and again before it reads its input.
 *
 * Python's input("…") writes its prompt to standard error when it talks to a terminal. Such a text
 * has no line end and is the last thing printed when the program is sent something. The first time
 * it belongs into the program's log, later it would only fill it.
 */
#ifndef PLAYER_PROMPTS_H
#define PLAYER_PROMPTS_H

#include <stdbool.h>
#include <stddef.h>

enum { PROMPTS_MAX = 8, PROMPT_BYTES = 100 };

struct prompt {
    char text[PROMPT_BYTES];
    size_t length;
};

/* A zeroed struct knows none. */
struct prompts {
    struct prompt known[PROMPTS_MAX];
    int count;
    struct prompt open; /* printed since the last line end, as far as it fits */
    bool is_too_long;   /* there was more than that */
};

/* The program printed this. True: known prompts and nothing else. */
bool prompts_hear(struct prompts *prompts, const char *bytes, size_t count);

/* The program is sent something. True: it was waiting after a prompt that was not known yet. */
bool prompts_answer(struct prompts *prompts);

#endif
