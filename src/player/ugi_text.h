/* ugi_text: what a UGI program answers, line by line. Pure, so that it can be fuzzed. */
#ifndef PLAYER_UGI_TEXT_H
#define PLAYER_UGI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "game/game.h"
#include "player/player.h"

enum {
    UGI_LINE_BYTES = 8192,
    UGI_WORD_BYTES =
        GAME_MOVE_BYTES + 1, /* a path that is too long does not become a shorter one */
};

/* Bytes put together into lines. A zeroed struct is empty. */
struct ugi_lines {
    size_t used;
    bool is_too_long;
    char line[UGI_LINE_BYTES];
};

/* Takes bytes until a line is complete: true, and `line` holds it without its end. A longer line
 * than it can hold is cut and is_too_long set. */
bool ugi_lines_feed(struct ugi_lines *lines, const char **bytes, size_t *count);

enum ugi_kind { UGI_OTHER, UGI_OK, UGI_READY, UGI_BEST_MOVE, UGI_RESPONSE, UGI_INFO };

struct ugi_line {
    enum ugi_kind kind;
    char word[UGI_WORD_BYTES]; /* the move; the response's first word */
    char second[16];           /* the response's second word, or "" */
    struct thought thought;    /* of an info line */
};

struct ugi_line ugi_read_line(const char *line);

#endif
