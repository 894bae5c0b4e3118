/* main: rules and engine inside a page. web/worker.js is the other side of it.
 *
 * A question is a text of lines: what is asked, then names and values in turn, the last line with
 * everything that is left. The answer is a text, too; it says {"error": …} where there is none.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "web/answer.h"

enum { HASH_MB = 16 };

#define MAX_TIME_NS (INT64_C(3600) * CLOCK_NS_PER_S)

#define EXPORT(name) __attribute__((export_name(name)))

/* One line for each finished depth, while a search is running. */
__attribute__((import_module("page"), import_name("thinking"))) void
page_thinking(const char *text);

static struct engine engine;
static char *question_text;
static char *answer_text;

static enum err find_engine(struct engine **out, struct note *why)
{
    *out = &engine;
    return engine.workers ? ERR_NONE : engine_init(&engine, HASH_MB, 1, why);
}

static void tell_depth(void *context, const struct engine_report *report)
{
    const struct game *const *game = context;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        answer_report(out, *game, report);
        fclose(out);
        page_thinking(text);
        free(text);
    }
}

static char *next_line(char **rest)
{
    char *line = *rest;
    if (!line) {
        return NULL;
    }
    char *end = strchr(line, '\n');
    if (end) {
        *end = '\0';
    }
    *rest = end ? end + 1 : NULL;
    return line;
}

static enum err read_question(char *rest, struct question *out, struct note *why)
{
    for (char *name = next_line(&rest); name && *name; name = next_line(&rest)) {
        bool is_text = strcmp(name, "text") == 0;
        char *value = is_text ? rest : next_line(&rest);
        if (!value || !question_add(out, name, value)) {
            note_set(why, "the field '%.40s' makes no sense here", name);
            return ERR_INPUT;
        }
        if (is_text) {
            break;
        }
    }
    return ERR_NONE;
}

static enum err reply(char *text, FILE *out, struct note *why)
{
    struct question question = {0};
    char *rest = text;
    const struct game *game = NULL;
    struct state state;
    struct answerer answerer = {
        .max_time_ns = MAX_TIME_NS, .max_nodes = UINT64_MAX, .context = &game};
    const struct answer *answer = answer_find(next_line(&rest));
    if (!answer) {
        note_set(why, "there is no answer to '%.40s'", text);
        return ERR_INPUT;
    }
    enum err err = read_question(rest, &question, why);
    if (!err && answer->needs_thought) {
        err = find_engine(&answerer.engine, why);
        answerer.on_depth = tell_depth;
    }
    if (!err && answer->needs_thought) {
        err = question_position(&question, answerer.cpu, &game, &state, why);
    }
    return err ? err : answer->write(&answerer, &question, out, why);
}

/* Room for a question of so many bytes and a NUL; its address, or 0. */
EXPORT("question") char *make_question(size_t bytes);
char *make_question(size_t bytes)
{
    free(question_text);
    question_text = calloc(1, bytes + 1);
    return question_text;
}

static char *write_refusal(const char *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        answer_refusal(out, why);
        fclose(out);
    }
    return text;
}

/* The answer's address, or 0 without memory; valid until the next question. */
EXPORT("answer") const char *make_answer(void);
const char *make_answer(void)
{
    struct note why = {""};
    size_t size = 0;
    free(answer_text);
    answer_text = NULL;
    FILE *out = open_memstream(&answer_text, &size);
    if (!out) {
        return NULL;
    }
    enum err err = reply(question_text, out, &why);
    fclose(out);
    if (err) {
        free(answer_text);
        answer_text = write_refusal(why.text);
    }
    return answer_text;
}
