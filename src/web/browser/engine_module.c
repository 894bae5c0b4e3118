/* engine_module: the module with the engine. It reports each finished depth to the page. */
#include <stdlib.h>

#include "report/json_game.h"
#include "web/browser/module.h"

enum { HASH_MB = 16 };

/* Called with a SearchResult after each finished depth of a search. */
__attribute__((import_module("page"), import_name("search_depth"))) void
page_search_depth(const char *text);

static struct engine engine;
static const struct game *searched_game;

static void report_depth(void *owner, const struct engine_report *report)
{
    (void)owner;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        struct json json = json_make(out, JSON_COMPACT);
        json_game_search(&json, searched_game, report);
        fclose(out);
        page_search_depth(text);
        free(text);
    }
}

enum err module_add_engine(struct api_context *context, const struct api_query *query,
                           struct note *why)
{
    struct state state;
    enum err err = engine.workers ? ERR_NONE : engine_init(&engine, HASH_MB, 1, why);
    if (!err) {
        context->engine = &engine;
        context->on_depth = report_depth;
        err = api_query_position(query, context->cpu, &searched_game, &state, why);
    }
    return err;
}
