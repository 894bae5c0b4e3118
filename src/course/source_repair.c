#include "course/source_repair.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_REPAIRS = 256 };

static const char complaint[] = "error: cannot bind non-const lvalue reference";
static const char wrapper[] = "compat_lvalue(";

/* An expression in a line of a copy. */
struct repair {
    size_t file;
    int line;    /* of the author's text, from 1 on */
    size_t from; /* in bytes */
    size_t to;
    bool is_argument; /* of a call; else a variable is declared */
};

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* --- Reading a complaint. --- */

/* NAME:LINE:COLUMN: error: … */
static bool read_place(const struct source_tree *tree, const char *line, struct repair *out,
                       size_t *column)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < tree->count; i++) {
        size_t length = (size_t)source_tree_text_path(tree, i, path, sizeof path);
        if (strncmp(line, path, length) == 0 && line[length] == ':') {
            char *end = NULL;
            out->file = i;
            out->line = (int)strtol(line + length + 1, &end, 10);
            *column = *end == ':' ? (size_t)strtoul(end + 1, &end, 10) : 0;
            return *column > 0 && strncmp(end, ": error: ", strlen(": error: ")) == 0;
        }
    }
    return false;
}

/* "   | ~~~^~~": how far the mark reaches to both sides of the column. */
static bool read_mark(const char *line, size_t column, struct repair *out)
{
    size_t spaces = strspn(line, " ");
    if (line[spaces] != '|') {
        return false;
    }
    line += spaces + 1;
    line += strspn(line, " ");
    size_t before = strspn(line, "~");
    size_t after = line[before] == '^' ? strspn(line + before + 1, "~") : 0;
    bool is_whole = column > before && line[before] == '^';
    out->from = is_whole ? column - 1 - before : 0;
    out->to = column + after;
    return is_whole;
}

/* A note on the argument follows before the next error. */
static bool is_argument(const char *rest)
{
    const char *note = strstr(rest, "note:   initializing argument");
    const char *error = strstr(rest, "error: ");
    return note && (!error || note < error);
}

/* From right to left, so that the places of the others stay; of nested ones only the inner. */
static int compare_repairs(const void *a, const void *b)
{
    const struct repair *left = a;
    const struct repair *right = b;
    return (left->from < right->from) - (left->from > right->from);
}

static size_t read_repairs(const struct source_tree *tree, const char *messages,
                           struct repair out[MAX_REPAIRS])
{
    size_t count = 0;
    for (const char *line = messages; *line && count < MAX_REPAIRS; line = next_line(line)) {
        struct repair repair = {0};
        size_t column = 0;
        const char *words = strstr(line, complaint);
        const char *rest = next_line(line);
        if (!words || words > rest || !read_place(tree, line, &repair, &column) ||
            !read_mark(next_line(rest), column, &repair)) {
            continue;
        }
        repair.is_argument = is_argument(rest);
        out[count++] = repair;
    }
    qsort(out, count, sizeof *out, compare_repairs);
    return count;
}

/* --- Writing a line anew. --- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == ':'; }

static bool is_balanced(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length && depth >= 0; i++) {
        depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    }
    return depth == 0;
}

/* Where the `&` of `type &name = ` is, which ends at `end`; `end` if there is none. */
static size_t find_ampersand(const char *line, size_t end)
{
    size_t at = end;
    while (at > 0 && isspace((unsigned char)line[at - 1])) {
        at--;
    }
    if (at == 0 || line[at - 1] != '=') {
        return end;
    }
    at--;
    while (at > 0 && (is_name(line[at - 1]) || isspace((unsigned char)line[at - 1]))) {
        at--;
    }
    return at > 1 && line[at - 1] == '&' && line[at - 2] != '&' ? at - 1 : end;
}

/* Makes the repair fit the line. The mark may miss the names that qualify the first one, and it
 * ends where the author's line does, which earlier repairs have made longer. */
static bool adjust(const char *line, struct repair *repair)
{
    size_t length = strlen(line);
    while (repair->from > 0 && repair->from < length && is_name(line[repair->from - 1])) {
        repair->from--;
    }
    while (repair->to < length && repair->from < repair->to &&
           !is_balanced(line + repair->from, repair->to - repair->from)) {
        repair->to++;
    }
    return repair->to <= length && repair->from < repair->to &&
           is_balanced(line + repair->from, repair->to - repair->from) &&
           strncmp(line + repair->from, wrapper, strlen(wrapper)) != 0;
}

/* The line with one repair, for the caller to free; NULL: it does not fit there. */
static char *repair_line(const char *line, struct repair repair)
{
    char *out = NULL;
    if (!adjust(line, &repair)) {
        return NULL;
    }
    if (repair.is_argument) {
        return asprintf(&out, "%.*s%s%.*s)%s", (int)repair.from, line, wrapper,
                        (int)(repair.to - repair.from), line + repair.from, line + repair.to) < 0
                   ? NULL
                   : out;
    }
    size_t ampersand = find_ampersand(line, repair.from);
    if (ampersand == repair.from) {
        return NULL;
    }
    return asprintf(&out, "%.*s&%s", (int)ampersand, line, line + ampersand) < 0 ? NULL : out;
}

static char *repair_all(char *line, size_t file, int number, const struct repair *repairs,
                        size_t count, int *changed)
{
    size_t done_from = SIZE_MAX;
    for (size_t i = 0; line && i < count; i++) {
        if (repairs[i].file == file && repairs[i].line == number && repairs[i].to <= done_from) {
            char *better = repair_line(line, repairs[i]);
            if (better) {
                free(line);
                line = better;
                done_from = repairs[i].from;
                ++*changed;
            }
        }
    }
    return line;
}

static int write_repaired(size_t file, const char *text, const struct repair *repairs, size_t count,
                          FILE *out)
{
    int changed = 0;
    for (int number = 0; *text; number++) { /* line 0 of a copy only names the original */
        size_t length = strcspn(text, "\n");
        char *line = repair_all(strndup(text, length), file, number, repairs, count, &changed);
        fprintf(out, "%s\n", line ? line : "");
        free(line);
        text += length + (text[length] == '\n');
    }
    return changed;
}

static int repair_file(const struct source_tree *tree, size_t file, const struct repair *repairs,
                       size_t count)
{
    char path[PATH_MAX];
    source_tree_path(tree, file, path, sizeof path);
    size_t size = 0;
    char *text = file_read_head(path, (size_t)4 * SOURCE_TREE_MAX_BYTES, &size);
    FILE *out = text ? fopen(path, "we") : NULL;
    int changed = out ? write_repaired(file, text, repairs, count, out) : 0;
    if (out && fclose(out) != 0) {
        changed = 0;
    }
    free(text);
    return changed;
}

int source_repair(const struct source_tree *tree, const char *messages)
{
    struct repair *repairs = calloc(MAX_REPAIRS, sizeof *repairs);
    size_t count = repairs ? read_repairs(tree, messages, repairs) : 0;
    int changed = 0;
    for (size_t file = 0; file < tree->count; file++) {
        bool is_meant = false;
        for (size_t i = 0; i < count; i++) {
            is_meant |= repairs[i].file == file;
        }
        changed += is_meant ? repair_file(tree, file, repairs, count) : 0;
    }
    free(repairs);
    return changed;
}
