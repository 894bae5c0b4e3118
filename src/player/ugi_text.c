#include "player/ugi_text.h"

#include <stdlib.h>
#include <string.h>

bool ugi_lines_feed(struct ugi_lines *lines, const char **bytes, size_t *count)
{
    while (*count) {
        char c = *(*bytes)++;
        --*count;
        if (c == '\n') {
            lines->line[lines->used] = '\0';
            lines->used = 0;
            return true;
        }
        if (lines->used == 0) {
            lines->is_too_long = false;
        }
        if (lines->used + 1 < UGI_LINE_BYTES) {
            lines->line[lines->used++] = c;
        } else {
            lines->is_too_long = true;
        }
    }
    return false;
}

/* Copies the next word and returns what follows; "" at the end. */
static const char *next_word(const char *text, char *word, size_t room)
{
    text += strspn(text, " \t\r");
    size_t length = strcspn(text, " \t\r");
    size_t kept = length < room - 1 ? length : room - 1;
    memcpy(word, text, kept);
    word[kept] = '\0';
    return text + length;
}

static int64_t to_number(const char *word)
{
    int64_t value = strtoll(word, NULL, 10);
    return value;
}

static struct thought read_info(const char *text)
{
    struct thought thought = {.is_known = false};
    char key[16];
    char value[32];
    while (*(text = next_word(text, key, sizeof key)) || *key) {
        if (strcmp(key, "depth") == 0) {
            text = next_word(text, value, sizeof value);
            int64_t depth = to_number(value);
            thought.depth = depth > 0 && depth < 1000 ? (int)depth : 0;
            thought.is_known = true;
        } else if (strcmp(key, "nodes") == 0) {
            text = next_word(text, value, sizeof value);
            int64_t nodes = to_number(value);
            thought.nodes = nodes > 0 ? (uint64_t)nodes : 0;
        } else if (strcmp(key, "cp") == 0) {
            text = next_word(text, value, sizeof value);
            int64_t score = to_number(value);
            thought.score_hundredths = score > -100000 && score < 100000 ? (int)score : 0;
        } else if (strcmp(key, "pv") == 0 || strcmp(key, "string") == 0) {
            break;
        }
    }
    return thought;
}

struct ugi_line ugi_read_line(const char *line)
{
    static const struct {
        const char *word;
        enum ugi_kind kind;
    } kinds[] = {{"ugiok", UGI_OK},          {"readyok", UGI_READY}, {"bestmove", UGI_BEST_MOVE},
                 {"response", UGI_RESPONSE}, {"info", UGI_INFO}};
    struct ugi_line out = {.kind = UGI_OTHER};
    char first[16];
    const char *rest = next_word(line, first, sizeof first);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(first, kinds[i].word) == 0) {
            out.kind = kinds[i].kind;
        }
    }
    if (out.kind == UGI_INFO) {
        out.thought = read_info(rest);
    } else {
        rest = next_word(rest, out.word, sizeof out.word);
        next_word(rest, out.second, sizeof out.second);
    }
    return out;
}
