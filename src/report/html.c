#include "report/html.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/svg.h"

/* NULL: the letter is written as it is. */
static const char *escaped(char letter)
{
    switch (letter) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(FILE *out, const char *text, size_t limit)
{
    const char *end = text + (limit == SIZE_MAX ? strlen(text) : strnlen(text, limit));
    while (text < end) {
        const char *special = escaped(*text);
        size_t length = *text == '\n' || *text == '\t' ? 1 : utf8_printable(text);
        if (special) {
            fputs(special, out);
        } else {
            fwrite(length ? text : "?", 1, length ? length : 1, out);
        }
        text += length ? length : 1;
    }
}

static void write_url(FILE *out, const char *text, const char *also_plain)
{
    static const char plain[] = "-_.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (; *text; text++) {
        if (strchr(plain, *text) || strchr(also_plain, *text)) {
            fputc(*text, out);
        } else {
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*text);
        }
    }
}

void html_url_part(FILE *out, const char *text) { write_url(out, text, ""); }

void html_board(FILE *out, const struct game *game, const struct state *state)
{
    char position[GAME_POSITION_BYTES];
    char *picture = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&picture, &size);
    game->write_position(state, position);
    fputs("<img class=\"board\" alt=\"", out);
    html_text(out, position, sizeof position);
    fputs("\" src=\"", out);
    if (stream) {
        svg_write(stream, game, state);
        fclose(stream);
        fputs("data:image/svg+xml,", out); /* a URL of the picture itself */
        write_url(out, picture, " /,:;=()'");
    }
    fputs("\">\n", out);
    free(picture);
}
