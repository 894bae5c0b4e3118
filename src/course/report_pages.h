/* report_pages: how many pages a report has.
 *
 * Reads the file's own data: the page tree of a PDF (also in compressed object streams,
 * zlib), the properties of a .docx and an .odt (libzip). Draws nothing and knows no fonts: a .docx
 * has as many pages as its editor counted when it was saved.
 */
#ifndef COURSE_REPORT_PAGES_H
#define COURSE_REPORT_PAGES_H

enum { REPORT_PAGES_MAX_BYTES = 64 << 20 };

/* -1: the file cannot be read, or does not contain the number. */
int report_pages_count(const char *path);

#endif
