/* rules_module: the module without the engine, which is small and loads first. */
#include "web/browser/module.h"

static enum err refuse(struct note *why)
{
    return note_fail(why, ERR_INPUT, "this module has the rules only; ask the one with the engine");
}

enum err module_add_engine(struct api_context *context, const struct api_query *query,
                           struct note *why)
{
    (void)context;
    (void)query;
    return refuse(why);
}

static enum err write_refusal(const struct api_context *context, const struct api_query *query,
                              FILE *out, struct note *why)
{
    (void)context;
    (void)query;
    (void)out;
    return refuse(why);
}

const struct api_endpoint api_bestmove = {
    .name = "bestmove", .needs_search = true, .write = write_refusal};
