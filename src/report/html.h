/* html: text and pictures inside a page, so that nothing in them can become markup. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

#include "game/game.h"

/* With & < > " ' escaped; what is neither text nor a line's end becomes '?'. At most `limit`
 * bytes of it. */
void html_text(FILE *out, const char *text, size_t limit);

/* As a part of a URL: whatever has a meaning there becomes %XX. */
void html_url_part(FILE *out, const char *text);

/* A position as a picture that is part of the page. */
void html_board(FILE *out, const struct game *game, const struct state *state);

#endif
