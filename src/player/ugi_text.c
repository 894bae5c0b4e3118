#include "player/ugi_text.h"

#include <stdlib.h>
#include <string.h>

bool ugi_lines_feed(struct ugi_lines *lines, const char **bytes, size_t *count)
{
    while (*count) {
        char c = *(*bytes)++;
        --*count;
        if (c == '\n') {
            size_t kept = lines->used < UGI_LINE_BYTES ? lines->used : UGI_LINE_BYTES - 1;
            lines->is_too_long = kept < lines->used;
            lines->line[kept] = '\0';
            lines->used = 0;
            return true;
        }
        if (lines->used < UGI_LINE_BYTES - 1) {
            lines->line[lines->used] = c;
        }
        lines->used += lines->used < UGI_LINE_BYTES;
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

/* Takes the next word as a number, 0 if it is none or outside the range. */
static int64_t next_number(const char **text, int64_t low, int64_t high)
{
    char word[32];
    *text = next_word(*text, word, sizeof word);
    int64_t value = strtoll(word, NULL, 10);
    return value < low || value > high ? 0 : value;
}

static struct thought read_info(const char *text)
{
    enum { MAX_DEPTH = 999, MAX_SCORE = 99999 };
    struct thought thought = {.is_known = false};
    char key[16];
    do {
        text = next_word(text, key, sizeof key);
        if (strcmp(key, "depth") == 0) {
            thought.depth = (int)next_number(&text, 1, MAX_DEPTH);
            thought.is_known = thought.depth > 0;
        } else if (strcmp(key, "nodes") == 0) {
            thought.nodes = (uint64_t)next_number(&text, 0, INT64_MAX);
        } else if (strcmp(key, "cp") == 0) {
            thought.score_hundredths = (int)next_number(&text, -MAX_SCORE, MAX_SCORE);
        }
    } while (*key && strcmp(key, "pv") != 0 && strcmp(key, "string") != 0);
    return thought;
}

struct ugi_line ugi_read_line(const char *line)
{
    static const struct {
        const char *word;
        enum ugi_kind kind;
    } kinds[] = {{"ugiok", UGI_OK},
                 {"readyok", UGI_READY},
                 {"bestmove", UGI_BEST_MOVE},
                 {"response", UGI_RESPONSE},
                 {"info", UGI_INFO}};
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
