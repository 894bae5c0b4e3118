/* ugi: the words of the Universal Game Interface, as an engine hears them.
 *
 * One line in, one command out; nothing is printed and nobody thinks here. Lines come from
 * anybody: whatever is in them, they are either understood or refused with a sentence.
 */
#ifndef ENGINE_UGI_H
#define ENGINE_UGI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

enum {
    UGI_MAX_WORD = 32,
    UGI_MAX_LINE = 1 << 18, /* a game of hop with the longest paths is half of that */
};

enum ugi_verb {
    UGI_NOTHING, /* an empty line */
    UGI_UGI,
    UGI_ISREADY,
    UGI_SETOPTION,
    UGI_NEWGAME,
    UGI_POSITION,
    UGI_QUERY,
    UGI_GO,
    UGI_STOP,
    UGI_QUIT,
};

/* Times in milliseconds; by side where both have one. */
struct ugi_go {
    bool is_infinite; /* asked for, or nothing was said at all */
    int depth;        /* 0: no such limit, here and below */
    uint64_t nodes;
    int64_t movetime_ms;
    int64_t time_ms[2];
    int64_t increment_ms[2];
};

/* Only the fields of the verb are set. */
struct ugi_command {
    enum ugi_verb verb;
    char name[UGI_MAX_WORD];  /* of an option; or what is queried */
    char value[UGI_MAX_WORD]; /* of an option */
    struct ugi_go go;
    struct note remark; /* what of a `go` was passed over or cut; "": nothing */
    struct state position;
};

/* What the line is about, whether or not it can be read; UGI_NOTHING: no telling. */
enum ugi_verb ugi_verb(const char *line);

/* `line` without its newline. Refused: ERR_INPUT; illegal moves in a position: ERR_NEGATIVE.
 * *out is untouched then. Whoever says `go` waits for an answer: that is never refused, and ends
 * by itself unless it is infinite. */
MUST_USE enum err ugi_read(const struct game *game, const char *line, struct ugi_command *out,
                           struct note *why);

/* What part of a `go` the side to move may use, in nanoseconds; 0: no limit. A margin for a
 * loaded machine and the way back is taken off. A side without a clock goes by the other's. */
int64_t ugi_think_ns(const struct ugi_go *go, enum side side);

#endif
