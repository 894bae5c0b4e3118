#include "sandbox/stderr_log.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t add_to_head(struct stderr_log *log, const char *bytes, size_t count)
{
    if (!log->head) {
        log->head = malloc(STDERR_LOG_HEAD_BYTES);
        if (!log->head) {
            return count;
        }
    }
    size_t taken = smaller(count, STDERR_LOG_HEAD_BYTES - log->head_count);
    memcpy(log->head + log->head_count, bytes, taken);
    log->head_count += taken;
    return taken;
}

static void add_to_tail(struct stderr_log *log, const char *bytes, size_t count)
{
    if (!log->tail) {
        log->tail = malloc(STDERR_LOG_TAIL_BYTES);
        if (!log->tail) {
            return;
        }
    }
    while (count > 0) {
        size_t at = (size_t)(log->tail_total % STDERR_LOG_TAIL_BYTES);
        size_t taken = smaller(count, STDERR_LOG_TAIL_BYTES - at);
        memcpy(log->tail + at, bytes, taken);
        log->tail_total += taken;
        bytes += taken;
        count -= taken;
    }
}

void stderr_log_add(struct stderr_log *log, const char *bytes, size_t count)
{
    size_t taken = 0;
    if (log->head_count < STDERR_LOG_HEAD_BYTES) {
        taken = add_to_head(log, bytes, count);
    }
    if (taken < count) {
        add_to_tail(log, bytes + taken, count - taken);
    }
}

static size_t append(char *out, size_t length, size_t room, const char *bytes, size_t count)
{
    size_t taken = smaller(count, room - length);
    memcpy(out + length, bytes, taken);
    return length + taken;
}

/* Whatever could steer a terminal, or is no text at all, is shown as '?'. */
static void clean(char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t step = utf8_printable(text + at);
        bool is_layout =
            text[at] == '\n' || text[at] == '\t' || (text[at] == '\r' && text[at + 1] == '\n');
        if (!step && !is_layout) {
            text[at] = '?';
        }
        at += step ? step : 1;
    }
}

size_t stderr_log_copy(const struct stderr_log *log, char *out, size_t room)
{
    if (room == 0) {
        return 0;
    }
    room--;
    size_t length = 0;
    if (log->head) {
        length = append(out, length, room, log->head, log->head_count);
    }
    if (log->tail && log->tail_total > STDERR_LOG_TAIL_BYTES) {
        char gap[64];
        uint64_t dropped = log->tail_total - STDERR_LOG_TAIL_BYTES;
        int width = snprintf(gap, sizeof gap, "\n[... %" PRIu64 " bytes left out ...]\n", dropped);
        size_t oldest = (size_t)(log->tail_total % STDERR_LOG_TAIL_BYTES);
        length = append(out, length, room, gap, (size_t)width);
        length = append(out, length, room, log->tail + oldest, STDERR_LOG_TAIL_BYTES - oldest);
        length = append(out, length, room, log->tail, oldest);
    } else if (log->tail) {
        length = append(out, length, room, log->tail, (size_t)log->tail_total);
    }
    out[length] = '\0';
    clean(out, length);
    return length;
}

void stderr_log_free(struct stderr_log *log)
{
    free(log->head);
    free(log->tail);
    *log = (struct stderr_log){0};
}
