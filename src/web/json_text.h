/* json_text: writing JSON to a stream.
 *
 * For what is answered in a browser as well as by the server: the one library of both is the C
 * library.
 */
#ifndef WEB_JSON_TEXT_H
#define WEB_JSON_TEXT_H

#include <stdio.h>

/* The text in quotes. What is not UTF-8 becomes '?'; a tag in it can do no harm inside a page. */
void json_text_string(FILE *out, const char *text);

/* `before`, then "name":"text"; a NULL text is null. */
void json_text_field(FILE *out, const char *before, const char *name, const char *text);

#endif
