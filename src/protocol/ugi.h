/* ugi: the text of the Universal Game Interface, both sides.
 *
 * Commands are read as an engine receives them, answers as a judge receives them. Pure functions of
 * lines and bytes: nothing is sent and nothing is searched here. Input comes from any program;
 * every line is either understood or refused with a reason.
 */
#ifndef PROTOCOL_UGI_H
#define PROTOCOL_UGI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

/* --- Commands --- */

enum {
    UGI_COMMAND_WORD_BYTES = 32,
    UGI_COMMAND_BYTES = 1 << 18, /* a game with the longest paths is half of that */
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
    bool is_infinite; /* requested, or `go` has no limit at all */
    int depth;        /* 0: no such limit, here and below */
    uint64_t nodes;
    int64_t movetime_ms;
    int64_t time_ms[2];
    int64_t increment_ms[2];
};

/* Only the fields of the verb are set. */
struct ugi_command {
    enum ugi_verb verb;
    char name[UGI_COMMAND_WORD_BYTES];  /* of an option, or of what is queried */
    char value[UGI_COMMAND_WORD_BYTES]; /* of an option */
    struct ugi_go go;
    struct note remark; /* what of a `go` was ignored or cut; "": nothing */
    struct state position;
};

/* The verb of a line, even if the rest cannot be read; UGI_NOTHING: unknown. */
enum ugi_verb ugi_verb(const char *line);

/* `line` without its newline. Refused: ERR_INPUT; illegal moves in a position: ERR_NEGATIVE; *out
 * is then untouched. A `go` is never refused, because its sender waits for an answer; unless it is
 * infinite, it has a limit. */
MUST_USE enum err ugi_read_command(const struct game *game, const char *line,
                                   struct ugi_command *out, struct note *why);

/* How much time of a `go` the side to move may use, in nanoseconds; 0: no limit. A margin for a
 * loaded machine and for the answer's way is subtracted. A side without a clock uses the other's.
 */
int64_t ugi_think_ns(const struct ugi_go *go, enum side side);

/* --- Answers --- */

enum {
    UGI_ANSWER_BYTES = 8192,
    /* One more than a move: a path that is too long does not become a shorter one. */
    UGI_ANSWER_WORD_BYTES = GAME_MOVE_BYTES + 1,
};

/* Assembles bytes into lines. A zeroed struct is empty. */
struct ugi_lines {
    size_t used;
    bool is_too_long;
    char line[UGI_ANSWER_BYTES];
};

/* Takes bytes until a line is complete: true, and `line` contains it without its newline. A line
 * that does not fit is cut, and is_too_long is set. */
bool ugi_lines_feed(struct ugi_lines *lines, const char **bytes, size_t *count);

enum ugi_answer_kind { UGI_OTHER, UGI_OK, UGI_READY, UGI_BEST_MOVE, UGI_RESPONSE, UGI_INFO };

/* What an info line reports about a search. */
struct ugi_info {
    bool is_known; /* it has a depth */
    int depth;
    int score_hundredths;
    uint64_t nodes;
};

struct ugi_answer {
    enum ugi_answer_kind kind;
    char word[UGI_ANSWER_WORD_BYTES]; /* the move; the response's first word */
    char second[16];                  /* the response's second word, or "" */
    struct ugi_info info;
};

struct ugi_answer ugi_read_answer(const char *line);

#endif
