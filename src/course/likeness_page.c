#include "course/likeness_page.h"

#include <string.h>

#include "base/embedded.h"
#include "report/html.h"

enum { TINTS = 4 /* of neighbouring passages */, MOST_LINKS = 200 };

static void text(FILE *out, const char *words) { html_text(out, words, SIZE_MAX); }

void likeness_page_begin(FILE *out, const char *title)
{
    const struct embedded_file *common = embedded_find("src/report/page/feedback.css");
    const struct embedded_file *own = embedded_find("src/report/page/likeness.css");
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"robots\" content=\"noindex\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n<title>Similar sources: ",
          out);
    text(out, title);
    fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>Similar sources: ",
            common ? common->bytes : "", own ? own->bytes : "");
    text(out, title);
    fputs("</h1>\n<p>For the teaching assistant only: this page has what the students handed in. "
          "A passage has the same colour and number on both sides; the number leads to the other "
          "side. Names, numbers, spaces and comments may differ in it. What the kit gives is "
          "grey. A share is a reason to look, not a proof: a lecture or a book may be the "
          "source.</p>\n",
          out);
}

void likeness_page_group(FILE *out, const char *sentence)
{
    fputs("<h2>", out);
    text(out, sentence);
    fputs("</h2>\n", out);
}

void likeness_page_remark(FILE *out, const char *sentence)
{
    fputs("<p>", out);
    text(out, sentence);
    fputs("</p>\n", out);
}

/* One side of a pair while it is written. */
struct page_side {
    FILE *out;
    int pair;
    int side;
    const int *marks;
    int line; /* over all files */
};

static void write_line(struct page_side *s, int number, const char *line, size_t length)
{
    int passage = s->marks[s->line];
    bool is_first = passage > 0 && (s->line == 0 || s->marks[s->line - 1] != passage);
    if (passage > 0) {
        fprintf(s->out, "<span class=\"t%d\">", passage % TINTS);
    } else if (passage == LIKENESS_LINE_TEMPLATE) {
        fputs("<span class=\"kit\">", s->out);
    }
    fprintf(s->out, "<i>%5d</i> ", number);
    if (is_first) {
        fprintf(s->out, "<a id=\"p%d-%d-%d\" href=\"#p%d-%d-%d\">%d</a> ", s->pair, s->side,
                passage, s->pair, 1 - s->side, passage, passage);
    }
    html_text(s->out, line, length);
    fputs(passage ? "</span>\n" : "\n", s->out);
    s->line++;
}

static void write_file(struct page_side *s, const struct likeness_file *file)
{
    int number = 1;
    fputs("<h4>", s->out);
    text(s->out, file->name);
    fputs("</h4>\n<pre>\n", s->out);
    for (const char *at = file->text;;) {
        size_t length = strcspn(at, "\n");
        if (s->line < LIKENESS_PAGE_LINES) {
            write_line(s, number++, at, length);
        } else {
            s->line++;
        }
        if (!at[length]) {
            break;
        }
        at += length + 1;
    }
    fputs(s->line > LIKENESS_PAGE_LINES ? "… cut here\n</pre>\n" : "</pre>\n", s->out);
}

/* Links to the first side, which has links to the other. */
static void write_passages(FILE *out, int number, int passages)
{
    fputs("<p>Passages:", out);
    for (int i = 1; i <= passages && i <= MOST_LINKS; i++) {
        fprintf(out, " <a href=\"#p%d-0-%d\">%d</a>", number, i, i);
    }
    fputs(passages > MOST_LINKS ? " …</p>\n" : "</p>\n", out);
}

void likeness_page_pair(FILE *out, int number, const char *sentence, const char *const names[2],
                        const struct likeness_source *const sources[2],
                        const struct likeness_match *match)
{
    fputs(number == 1 ? "<details open>\n<summary>" : "<details>\n<summary>", out);
    text(out, sentence);
    fputs("</summary>\n", out);
    write_passages(out, number, match->passages);
    fputs("<div class=\"pair\">\n", out);
    for (int i = 0; i < 2; i++) {
        struct page_side side = {.out = out, .pair = number, .side = i, .marks = match->lines[i]};
        fputs("<section>\n<h3>", out);
        text(out, names[i]);
        fputs("</h3>\n", out);
        for (int j = 0; j < sources[i]->count && side.line < LIKENESS_PAGE_LINES; j++) {
            write_file(&side, &sources[i]->files[j]);
        }
        fputs("</section>\n", out);
    }
    fputs("</div>\n</details>\n", out);
}

void likeness_page_end(FILE *out, size_t left_out)
{
    if (left_out) {
        fprintf(out, "<p>%zu more pairs are not shown.</p>\n", left_out);
    }
    fputs("</body>\n</html>\n", out);
}
