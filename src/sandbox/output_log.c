#include "sandbox/output_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Where the byte after `total` others is stored. */
static size_t place_of(uint64_t total)
{
    return total < OUTPUT_LOG_HEAD_BYTES
               ? (size_t)total
               : OUTPUT_LOG_HEAD_BYTES +
                     (size_t)((total - OUTPUT_LOG_HEAD_BYTES) % OUTPUT_LOG_TAIL_BYTES);
}

void output_log_add(struct output_log *log, const char *bytes, size_t count)
{
    if (count > 0 && !log->bytes &&
        !(log->bytes = malloc(OUTPUT_LOG_HEAD_BYTES + OUTPUT_LOG_TAIL_BYTES))) {
        return;
    }
    while (count > 0) {
        size_t at = place_of(log->total);
        size_t end = at < OUTPUT_LOG_HEAD_BYTES ? OUTPUT_LOG_HEAD_BYTES
                                                : OUTPUT_LOG_HEAD_BYTES + OUTPUT_LOG_TAIL_BYTES;
        size_t taken = smaller(count, end - at);
        memcpy(log->bytes + at, bytes, taken);
        log->total += taken;
        bytes += taken;
        count -= taken;
    }
}

static size_t append(char *out, size_t length, size_t room, const char *bytes, size_t count)
{
    size_t taken = smaller(count, room - length);
    memcpy(out + length, bytes, taken);
    return length + taken;
}

/* Bytes that are not text or could control a terminal are shown as '?'. */
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

size_t output_log_copy(const struct output_log *log, char *out, size_t room)
{
    if (room == 0) {
        return 0;
    }
    room--;
    size_t length = 0;
    const uint64_t most = OUTPUT_LOG_HEAD_BYTES + OUTPUT_LOG_TAIL_BYTES;
    if (log->total > most) {
        char gap[64];
        int width = snprintf(gap, sizeof gap, "\n[... %" PRIu64 " bytes left out ...]\n",
                             log->total - most);
        size_t oldest = place_of(log->total);
        length = append(out, length, room, log->bytes, OUTPUT_LOG_HEAD_BYTES);
        length = append(out, length, room, gap, (size_t)width);
        length = append(out, length, room, log->bytes + oldest, (size_t)most - oldest);
        length = append(out, length, room, log->bytes + OUTPUT_LOG_HEAD_BYTES,
                        oldest - OUTPUT_LOG_HEAD_BYTES);
    } else if (log->bytes) {
        length = append(out, length, room, log->bytes, (size_t)log->total);
    }
    out[length] = '\0';
    clean(out, length);
    return length;
}

void output_log_free(struct output_log *log)
{
    free(log->bytes);
    *log = (struct output_log){0};
}

/* --- Prompts --- */

/* The longest known prompt that the bytes begin with; 0: none. */
static size_t known_prefix(const struct output_prompts *prompts, const char *bytes, size_t count)
{
    size_t longest = 0;
    for (int i = 0; i < prompts->count; i++) {
        const struct output_prompt *prompt = &prompts->known[i];
        if (prompt->length > longest && prompt->length <= count &&
            memcmp(prompt->text, bytes, prompt->length) == 0) {
            longest = prompt->length;
        }
    }
    return longest;
}

/* Takes known prompts away from the beginning of what is held back. */
static void drop_known(struct output_prompts *prompts)
{
    struct output_prompt *open = &prompts->open;
    size_t at = 0;
    size_t step = 0;
    while (at < open->length &&
           (step = known_prefix(prompts, open->text + at, open->length - at)) > 0) {
        at += step;
    }
    open->length -= at;
    memmove(open->text, open->text + at, open->length);
}

/* The shortest text of which `prompt` is a repetition: one that came twice before it was answered.
 */
static size_t period_of(const struct output_prompt *prompt)
{
    for (size_t period = 1; period <= prompt->length / 2; period++) {
        if (prompt->length % period == 0 &&
            memcmp(prompt->text, prompt->text + period, prompt->length - period) == 0) {
            return period;
        }
    }
    return prompt->length;
}

void output_prompts_add(struct output_prompts *prompts, const char *bytes, size_t count,
                        struct output_log *log)
{
    const char *line_end = memrchr(bytes, '\n', count);
    struct output_prompt *open = &prompts->open;
    if (line_end) {
        size_t lines = (size_t)(line_end + 1 - bytes);
        output_prompts_flush(prompts, log);
        output_log_add(log, bytes, lines);
        bytes += lines;
        count -= lines;
        prompts->is_too_long = false;
    }
    if (prompts->is_too_long || open->length + count > sizeof open->text) {
        output_prompts_flush(prompts, log);
        output_log_add(log, bytes, count);
        prompts->is_too_long = true;
        return;
    }
    memcpy(open->text + open->length, bytes, count);
    open->length += count;
}

void output_prompts_answer(struct output_prompts *prompts, struct output_log *log)
{
    struct output_prompt *open = &prompts->open;
    drop_known(prompts);
    open->length = period_of(open);
    if (open->length && prompts->count < OUTPUT_PROMPTS_MAX) {
        prompts->known[prompts->count++] = *open;
    }
    if (open->length) {
        output_log_add(log, open->text, open->length);
        output_log_add(log, "\n", 1);
    }
    open->length = 0;
    prompts->is_too_long = false;
}

void output_prompts_flush(struct output_prompts *prompts, struct output_log *log)
{
    drop_known(prompts);
    output_log_add(log, prompts->open.text, prompts->open.length);
    prompts->open.length = 0;
}
