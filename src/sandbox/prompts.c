#include "sandbox/prompts.h"

#include <string.h>

/* The longest known prompt that the bytes begin with; 0: none. */
static size_t known_prefix(const struct prompts *prompts, const char *bytes, size_t count)
{
    size_t longest = 0;
    for (int i = 0; i < prompts->count; i++) {
        const struct prompt *prompt = &prompts->known[i];
        if (prompt->length > longest && prompt->length <= count &&
            memcmp(prompt->text, bytes, prompt->length) == 0) {
            longest = prompt->length;
        }
    }
    return longest;
}

/* Takes known prompts away from the beginning of what is held back. */
static void drop_known(struct prompts *prompts)
{
    struct prompt *open = &prompts->open;
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
static size_t period_of(const struct prompt *prompt)
{
    for (size_t period = 1; period <= prompt->length / 2; period++) {
        if (prompt->length % period == 0 &&
            memcmp(prompt->text, prompt->text + period, prompt->length - period) == 0) {
            return period;
        }
    }
    return prompt->length;
}

void prompts_hear(struct prompts *prompts, const char *bytes, size_t count, struct stderr_log *log)
{
    const char *line_end = memrchr(bytes, '\n', count);
    struct prompt *open = &prompts->open;
    if (line_end) {
        size_t lines = (size_t)(line_end + 1 - bytes);
        prompts_flush(prompts, log);
        stderr_log_add(log, bytes, lines);
        bytes += lines;
        count -= lines;
        prompts->is_too_long = false;
    }
    if (prompts->is_too_long || open->length + count > sizeof open->text) {
        prompts_flush(prompts, log);
        stderr_log_add(log, bytes, count);
        prompts->is_too_long = true;
        return;
    }
    memcpy(open->text + open->length, bytes, count);
    open->length += count;
}

void prompts_answer(struct prompts *prompts, struct stderr_log *log)
{
    struct prompt *open = &prompts->open;
    drop_known(prompts);
    open->length = period_of(open);
    if (open->length && prompts->count < PROMPTS_MAX) {
        prompts->known[prompts->count++] = *open;
    }
    if (open->length) {
        stderr_log_add(log, open->text, open->length);
        stderr_log_add(log, "\n", 1);
    }
    open->length = 0;
    prompts->is_too_long = false;
}

void prompts_flush(struct prompts *prompts, struct stderr_log *log)
{
    drop_known(prompts);
    stderr_log_add(log, prompts->open.text, prompts->open.length);
    prompts->open.length = 0;
}
