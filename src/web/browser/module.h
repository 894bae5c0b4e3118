/* module: what the two modules for a browser have differently. main.c explains them. */
#ifndef WEB_BROWSER_MODULE_H
#define WEB_BROWSER_MODULE_H

#include "base/note.h"
#include "web/api.h"

/* Prepares the context of a request that needs a search. ERR_INPUT: the module has rules only, or
 * the query is wrong. */
MUST_USE enum err module_add_engine(struct api_context *context, const struct api_query *query,
                                    struct note *why);

#endif
