/* Requests to the API: lines, the first is the endpoint, then names and values in turn. Host and
 * Origin headers are tried with the same bytes.
 *
 * A response is text without a NUL, JSON where its type is that; a refusal has a reason. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../json_check.h"
#include "web/api.h"
#include "web/origin_check.h"

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

static void check_response(const struct api_endpoint *endpoint, const struct api_query *query)
{
    const struct api_context context = {.cpu = cpu_best()};
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CLAIM(out);
    enum err err = endpoint->write(&context, query, out, &why);
    fclose(out);
    CLAIM(!err == (*why.text == '\0'));
    if (!err) {
        CLAIM(strlen(text) == size);
        CLAIM(endpoint->type || json_check(text));
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 1);
    CLAIM(text);
    memcpy(text, data, size);
    const char *const names[] = {"plum.example.org", NULL};
    CLAIM(!origin_check_host(text, names) || strlen(text) < 300);
    CLAIM(origin_check_origin(NULL, text));
    origin_check_origin(text, "localhost:8080");

    char *rest = text;
    const struct api_endpoint *endpoint = api_find(next_line(&rest));
    struct api_query query = {0};
    bool is_good = true;
    while (rest && is_good) {
        const char *name = next_line(&rest);
        const char *value = strcmp(name, "text") == 0 ? rest : next_line(&rest);
        is_good = value && api_query_add(&query, name, value);
        rest = strcmp(name, "text") == 0 ? NULL : rest;
    }
    if (endpoint && is_good && !endpoint->needs_search) {
        check_response(endpoint, &query);
    }
    free(text);
    return 0;
}
