/* page: the files of the arena, as answers that lie ready.
 *
 * The build puts them into the program (tools/pages.sh). Nothing else can be read: a path is
 * looked up in a table and never reaches a disk.
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

#include "base/err.h"
#include "base/note.h"

/* A zeroed struct has no pages. */
struct pages {
    struct page *list;
    size_t count;
};

MUST_USE enum err pages_init(struct pages *pages, struct note *why);
void pages_free(struct pages *pages);

/* Answers a GET or HEAD of `path`; false: there is no such page, nothing was done. */
bool pages_answer(const struct pages *pages, struct MHD_Connection *connection, const char *path);

/* What every answer of the arena tells a browser not to do. */
void page_add_headers(struct MHD_Response *response);

#endif
