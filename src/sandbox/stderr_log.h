/* stderr_log: the beginning and the end of what a program says on stderr.
 *
 * The first error usually tells the cause and the last one the death; what lies between
 * is counted and dropped.
 */
#ifndef SANDBOX_STDERR_LOG_H
#define SANDBOX_STDERR_LOG_H

#include <stddef.h>
#include <stdint.h>

enum {
    STDERR_LOG_HEAD_BYTES = 48 * 1024,
    STDERR_LOG_TAIL_BYTES = 16 * 1024,
};

/* A zeroed struct is an empty log. */
struct stderr_log {
    char *head;
    size_t head_count;
    char *tail; /* a ring; the oldest byte is at tail_total % STDERR_LOG_TAIL_BYTES once full */
    uint64_t tail_total;
};

/* Without memory the bytes are lost. */
void stderr_log_add(struct stderr_log *log, const char *bytes, size_t count);

/* Copies as much as fits, NUL-terminated if there is room at all; returns the length. */
size_t stderr_log_copy(const struct stderr_log *log, char *out, size_t room);

void stderr_log_free(struct stderr_log *log);

#endif
