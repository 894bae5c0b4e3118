#include "player/prompts.h"

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

static void add_to_open(struct prompts *prompts, const char *bytes, size_t count)
{
    const char *line_end = memrchr(bytes, '\n', count);
    struct prompt *open = &prompts->open;
    if (line_end) {
        count -= (size_t)(line_end + 1 - bytes);
        bytes = line_end + 1;
        open->length = 0;
        prompts->is_too_long = false;
    }
    if (open->length + count > sizeof open->text) {
        prompts->is_too_long = true;
        return;
    }
    memcpy(open->text + open->length, bytes, count);
    open->length += count;
}

bool prompts_hear(struct prompts *prompts, const char *bytes, size_t count)
{
    size_t at = 0;
    size_t step;
    while (at < count && (step = known_prefix(prompts, bytes + at, count - at)) > 0) {
        at += step;
    }
    if (at == count) {
        return true;
    }
    add_to_open(prompts, bytes, count);
    return false;
}

bool prompts_answer(struct prompts *prompts)
{
    struct prompt *open = &prompts->open;
    bool is_new = open->length > 0 && !prompts->is_too_long && prompts->count < PROMPTS_MAX;
    if (is_new) {
        prompts->known[prompts->count++] = *open;
    }
    open->length = 0;
    prompts->is_too_long = false;
    return is_new;
}
