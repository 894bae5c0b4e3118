/* output_log: the beginning and the end of what a program writes to a standard stream.
 *
 * The first error usually shows the cause and the last one the end; the bytes between them are
 * counted and dropped.
 */
#ifndef SANDBOX_OUTPUT_LOG_H
#define SANDBOX_OUTPUT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OUTPUT_LOG_HEAD_BYTES = 48 * 1024,
    OUTPUT_LOG_TAIL_BYTES = 16 * 1024,
};

/* A zeroed struct is an empty log. */
struct output_log {
    char *bytes;    /* the head, then a ring of the last bytes; NULL: it was never needed */
    uint64_t total; /* that were added */
};

/* Without memory the bytes are lost. */
void output_log_add(struct output_log *log, const char *bytes, size_t count);

/* Copies as much as fits, NUL-terminated if there is room at all; returns the length. */
size_t output_log_copy(const struct output_log *log, char *out, size_t room);

void output_log_free(struct output_log *log);

/* --- Prompts ---
 *
 * Python's input("…") writes its prompt to standard error when it runs on a terminal. Such a text
 * has no newline and is the last thing printed before the program is sent something. The log
 * contains a prompt once: repeated, it would only fill the log. So text after the last newline is
 * held back until it is clear what it is. A prompt may also come late, together with the next ones,
 * when the program was sent something before it asked for it. */

enum { OUTPUT_PROMPTS_MAX = 8, OUTPUT_PROMPT_BYTES = 100 };

struct output_prompt {
    char text[OUTPUT_PROMPT_BYTES];
    size_t length;
};

/* A zeroed struct knows no prompts. */
struct output_prompts {
    struct output_prompt known[OUTPUT_PROMPTS_MAX];
    int count;
    struct output_prompt open; /* held back: printed since the last line end */
    bool is_too_long;          /* it did not fit, and is in the log */
};

/* The program printed this. */
void output_prompts_add(struct output_prompts *prompts, const char *bytes, size_t count,
                        struct output_log *log);

/* The program is sent something: what is held back is a prompt, or several. */
void output_prompts_answer(struct output_prompts *prompts, struct output_log *log);

/* The log is wanted as it is now: what is held back goes there, without known prompts. */
void output_prompts_flush(struct output_prompts *prompts, struct output_log *log);

#endif
