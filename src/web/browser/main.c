/* main: rules and engine inside a page. web/worker.js is its counterpart.
 *
 * A request is a text of lines: the name of an endpoint, then names and values of fields in turn.
 * The value of the field `text` is everything after its name. The response is what the endpoint
 * writes, or {"error": …}.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "report/json_game.h"
#include "web/api.h"

enum { HASH_MB = 16 };

#define MAX_TIME_NS (INT64_C(3600) * CLOCK_NS_PER_S)

#define EXPORT(name) __attribute__((export_name(name)))

/* Called with a SearchResult after each finished depth of a search. */
__attribute__((import_module("page"), import_name("search_depth"))) void
page_search_depth(const char *text);

static struct engine engine;
static char *request_text;
static char *response_text;

static enum err find_engine(struct engine **out, struct note *why)
{
    *out = &engine;
    return engine.workers ? ERR_NONE : engine_init(&engine, HASH_MB, 1, why);
}

static void report_depth(void *owner, const struct engine_report *report)
{
    const struct game *const *game = owner;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        struct json json = json_make(out, JSON_COMPACT);
        json_game_search(&json, *game, report);
        fclose(out);
        page_search_depth(text);
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

static enum err read_query(char *rest, struct api_query *out, struct note *why)
{
    for (char *name = next_line(&rest); name && *name; name = next_line(&rest)) {
        bool is_text = strcmp(name, "text") == 0;
        char *value = is_text ? rest : next_line(&rest);
        if (!value || !api_query_add(out, name, value)) {
            return note_fail(why, ERR_INPUT, "the field '%.40s' has no value or is given twice",
                             name);
        }
        if (is_text) {
            break;
        }
    }
    return ERR_NONE;
}

static enum err respond(char *text, FILE *out, struct note *why)
{
    struct api_query query = {0};
    char *rest = text;
    const struct game *game = NULL;
    struct state state;
    struct api_context context = {
        .max_time_ns = MAX_TIME_NS, .max_nodes = UINT64_MAX, .owner = &game};
    const struct api_endpoint *endpoint = api_find(next_line(&rest));
    if (!endpoint) {
        return note_fail(why, ERR_INPUT, "there is no endpoint '%.40s'", text);
    }
    enum err err = read_query(rest, &query, why);
    if (!err && endpoint->needs_search) {
        context.on_depth = report_depth;
        err = find_engine(&context.engine, why);
        err = err ? err : api_query_position(&query, context.cpu, &game, &state, why);
    }
    return err ? err : endpoint->write(&context, &query, out, why);
}

/* Memory for a request of `bytes` bytes and a NUL; its address, or 0. */
EXPORT("request") char *make_request(size_t bytes);
char *make_request(size_t bytes)
{
    free(request_text);
    request_text = calloc(1, bytes + 1);
    return request_text;
}

static char *write_error(const char *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        api_write_error(out, why);
        fclose(out);
    }
    return text;
}

/* The response's address, or 0 without memory; valid until the next request. */
EXPORT("respond") const char *make_response(void);
const char *make_response(void)
{
    struct note why = {""};
    size_t size = 0;
    free(response_text);
    response_text = NULL;
    FILE *out = open_memstream(&response_text, &size);
    if (!out) {
        return NULL;
    }
    enum err err = respond(request_text, out, &why);
    fclose(out);
    if (err) {
        free(response_text);
        response_text = write_error(why.text);
    }
    return response_text;
}
