#include "course/likeness_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/source_token.h"

enum { MAX_CANDIDATES = 32 };

struct token {
    uint64_t word;
    uint64_t hash;    /* of the fragment that begins here */
    int line;         /* from 0, over all files */
    bool has_hash;    /* the file does not end before the fragment */
    bool is_template; /* the fragment is one of a template */
    bool is_used;     /* in a passage */
};

struct token_list {
    struct token *items;
    size_t count;
    size_t capacity;
    int lines;
};

struct place {
    uint64_t hash;
    size_t at;
};

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "no memory to compare two sources");
}

void likeness_source_free(struct likeness_source *source)
{
    for (int i = 0; i < source->count; i++) {
        free(source->files[i].name);
        free(source->files[i].text);
    }
    *source = (struct likeness_source){.count = 0};
}

void likeness_match_free(struct likeness_match *match)
{
    free(match->lines[0]);
    free(match->lines[1]);
    *match = (struct likeness_match){.passages = 0};
}

/* --- Tokens with their lines --- */

static int count_lines(const char *from, const char *to)
{
    int lines = 0;
    for (const char *at = from; (at = memchr(at, '\n', (size_t)(to - at))); at++) {
        lines++;
    }
    return lines;
}

static enum err add_file(const struct likeness *likeness, const struct likeness_file *file,
                         struct token_list *list, struct note *why)
{
    struct likeness_window window = {.count = 0};
    const char *text = file->text;
    const char *counted = text;
    const char *begin = NULL;
    struct token token = {.line = list->lines};
    while (source_token_next(&text, file->is_python, &begin, &token.word)) {
        struct token *more =
            array_reserve(list->items, &list->capacity, list->count + 1, sizeof *more);
        if (!more) {
            return refuse_memory(why);
        }
        token.line += count_lines(counted, begin);
        counted = begin;
        list->items = more;
        more[list->count++] = token;
        uint64_t hash = likeness_roll(&window, token.word);
        if (window.count >= LIKENESS_WINDOW) {
            struct token *first = &more[list->count - LIKENESS_WINDOW];
            first->hash = hash;
            first->has_hash = true;
            first->is_template = likeness_is_template(likeness, hash);
        }
    }
    list->lines += count_lines(file->text, file->text + strlen(file->text)) + 1;
    return ERR_NONE;
}

static enum err add_files(const struct likeness *likeness, const struct likeness_source *source,
                          struct token_list *list, struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < source->count; i++) {
        err = add_file(likeness, &source->files[i], list, why);
    }
    return err;
}

/* --- Passages --- */

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}

static bool is_free(const struct token *token)
{
    return token->has_hash && !token->is_template && !token->is_used;
}

/* The tokens from `a` and `b` on that are equal and in no passage. A fragment that begins in one
 * file ends in it, so that only these are followed. */
static size_t measure(const struct token_list *x, size_t a, const struct token_list *y, size_t b)
{
    size_t length = 0;
    while (a + length < x->count && b + length < y->count && is_free(&x->items[a + length]) &&
           is_free(&y->items[b + length]) &&
           x->items[a + length].hash == y->items[b + length].hash) {
        length++;
    }
    length = length ? length + LIKENESS_WINDOW - 1 : 0;
    for (size_t i = 0; i < length; i++) {
        if (x->items[a + i].is_used || y->items[b + i].is_used) {
            return i >= LIKENESS_WINDOW ? i : 0;
        }
    }
    return length;
}

static size_t first_place(const struct place *places, size_t count, uint64_t hash)
{
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        if (places[low + half].hash < hash) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

static void mark(struct token_list *list, size_t start, size_t length, int *lines, int passage)
{
    for (size_t i = start; i < start + length; i++) {
        list->items[i].is_used = true;
    }
    for (int line = list->items[start].line; line <= list->items[start + length - 1].line; line++) {
        lines[line] = lines[line] ? lines[line] : passage;
    }
}

static void find_passages(struct token_list *x, struct token_list *y, const struct place *places,
                          size_t place_count, struct likeness_match *match)
{
    for (size_t a = 0; a < x->count; a++) {
        size_t longest = 0;
        size_t where = 0;
        if (!is_free(&x->items[a])) {
            continue;
        }
        size_t at = first_place(places, place_count, x->items[a].hash);
        for (int i = 0;
             i < MAX_CANDIDATES && at < place_count && places[at].hash == x->items[a].hash;
             i++, at++) {
            size_t length = measure(x, a, y, places[at].at);
            if (length > longest) {
                longest = length;
                where = places[at].at;
            }
        }
        if (longest) {
            match->passages++;
            mark(x, a, longest, match->lines[0], match->passages);
            mark(y, where, longest, match->lines[1], match->passages);
        }
    }
}

static void mark_templates(const struct token_list *list, int *lines)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].is_template) {
            for (int line = list->items[i].line; line <= list->items[i + LIKENESS_WINDOW - 1].line;
                 line++) {
                lines[line] = lines[line] ? lines[line] : LIKENESS_LINE_TEMPLATE;
            }
        }
    }
}

enum err likeness_match_find(const struct likeness *likeness, const struct likeness_source *a,
                             const struct likeness_source *b, struct likeness_match *out,
                             struct note *why)
{
    struct token_list lists[2] = {{0}, {0}};
    struct likeness_match match = {.passages = 0};
    struct place *places = NULL;
    size_t count = 0;
    enum err err = add_files(likeness, a, &lists[0], why);
    err = err ? err : add_files(likeness, b, &lists[1], why);
    if (err) {
        goto out;
    }
    for (int i = 0; i < 2; i++) {
        match.lines[i] = calloc((size_t)lists[i].lines + 1, sizeof *match.lines[i]);
        match.line_count[i] = lists[i].lines;
    }
    places = calloc(lists[1].count + 1, sizeof *places);
    if (!match.lines[0] || !match.lines[1] || !places) {
        err = refuse_memory(why);
        goto out;
    }
    for (size_t i = 0; i < lists[1].count; i++) {
        if (is_free(&lists[1].items[i])) {
            places[count++] = (struct place){lists[1].items[i].hash, i};
        }
    }
    qsort(places, count, sizeof *places, compare_places);
    find_passages(&lists[0], &lists[1], places, count, &match);
    mark_templates(&lists[0], match.lines[0]);
    mark_templates(&lists[1], match.lines[1]);
    *out = match;
    match = (struct likeness_match){.passages = 0};
out:
    likeness_match_free(&match);
    free(places);
    free(lists[0].items);
    free(lists[1].items);
    return err;
}
