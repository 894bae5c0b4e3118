/* main: rules and engine inside a page. web/worker.js is its counterpart.
 *
 * There are two modules: a small one with the rules, which a page loads first (rules_module.c),
 * and one that also has the engine (engine_module.c). Both answer the same requests, except that
 * the small one refuses to search.
 *
 * A request is a text of lines: the name of an endpoint, then names and values of fields in turn.
 * The value of the field `text` is everything after its name. The response is what the endpoint
 * writes, or {"error": …}.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "web/api.h"
#include "web/browser/module.h"

#define MAX_TIME_NS (INT64_C(3600) * CLOCK_NS_PER_S)

#define EXPORT(name) __attribute__((export_name(name)))

static char *request_text;
static char *response_text;

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
    struct api_context context = {.max_time_ns = MAX_TIME_NS, .max_nodes = UINT64_MAX};
    const struct api_endpoint *endpoint = api_find(next_line(&rest));
    if (!endpoint) {
        return note_fail(why, ERR_INPUT, "there is no endpoint '%.40s'", text);
    }
    enum err err = read_query(rest, &query, why);
    if (!err && endpoint->needs_search) {
        err = module_add_engine(&context, &query, why);
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
