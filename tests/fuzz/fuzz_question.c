/* What a visitor may ask the arena: lines, the first says what, then names and values in turn.
 * Host and Origin headers are tried with the same bytes.
 *
 * An answer is text without a NUL, JSON where it says so; a refusal says why. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "web/answer.h"
#include "web/guard.h"

static char *next_line(char **rest)
{
    char *line = *rest;
    char *end = line ? strchr(line, '\n') : NULL;
    if (end) {
        *end = '\0';
    }
    *rest = end ? end + 1 : NULL;
    return line;
}

static void check_answer(const struct answer *answer, const struct question *question)
{
    const struct answerer answerer = {.cpu = cpu_best()};
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CLAIM(out);
    enum err err = answer->write(&answerer, question, out, &why);
    fclose(out);
    CLAIM(!err == (*why.text == '\0'));
    if (!err) {
        CLAIM(strlen(text) == size);
    }
    if (!err && strcmp(answer->type, "application/json") == 0) {
        json_t *value = json_loads(text, 0, NULL);
        CLAIM(value);
        json_decref(value);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 1);
    CLAIM(text);
    memcpy(text, data, size);
    const char *const names[] = {"plum.example.org", NULL};
    CLAIM(!guard_knows_host(text, names) || strlen(text) < 300);
    CLAIM(guard_knows_origin(NULL, text));
    guard_knows_origin(text, "localhost:8080");

    char *rest = text;
    const struct answer *answer = answer_find(next_line(&rest));
    struct question question = {0};
    bool is_good = true;
    while (rest && is_good) {
        const char *name = next_line(&rest);
        const char *value = strcmp(name, "text") == 0 ? rest : next_line(&rest);
        is_good = value && question_add(&question, name, value);
        rest = strcmp(name, "text") == 0 ? NULL : rest;
    }
    if (answer && is_good && !answer->needs_thought) {
        check_answer(answer, &question);
    }
    free(text);
    return 0;
}
