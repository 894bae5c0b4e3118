/* web_pages: the files of the arena as prepared HTTP responses.
 *
 * The build puts them into the program (tools/pages.sh). Nothing else can be read: a path is
 * looked up in a table and never reaches a disk.
 */
#ifndef WEB_WEB_PAGES_H
#define WEB_WEB_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

#include "base/note.h"

/* A zeroed struct has no pages. */
struct web_pages {
    struct web_page *list;
    size_t count;
};

MUST_USE enum err web_pages_init(struct web_pages *pages, struct note *why);
void web_pages_free(struct web_pages *pages);

/* Answers a GET or HEAD of `path`, for a person also with a redirect to the page that is meant;
 * false: there is no such page, and nothing was sent. */
bool web_pages_answer(const struct web_pages *pages, struct MHD_Connection *connection,
                      const char *path);

/* The headers of every response that restrict what a browser does with it. */
void web_pages_add_headers(struct MHD_Response *response);

#endif
