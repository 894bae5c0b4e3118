/* record: one game as it was played, and its text.
 *
 *     [Game "NAME"]
 *     [Black "alice"]
 *     [White "bob"]
 *     [Result "1-0"]
 *
 *     1. b 33 {t=0.431 d=14 s=+0.52 n=1234567}
 *     2. w 34 {t=5.260 fault=late}
 *     {b t=1.002 fault=malformed}
 *
 * Tags, an empty line, one line per ply, and where a game ended in the middle of a turn one
 * closing line with that turn's side. The form is that of PGN, so people can read it and
 * tools can split it. A record is only words: it knows neither the rules nor whether its tags
 * are true. Replaying it (judge/replay.h) finds that out.
 *
 * Reading is in judge/record_reader.h.
 */
#ifndef JUDGE_RECORD_H
#define JUDGE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/note.h"
#include "game/game.h"
#include "judge/annotation.h"

enum {
    RECORD_MAX_PLIES = 1100,    /* see judge.h */
    RECORD_MAX_NUMBER = 9999,   /* the number before a ply */
    RECORD_MAX_OTHER_TAGS = 16, /* tags that are not in enum record_tag */
    RECORD_NAME_BYTES = 32,     /* a tag's name with its final NUL */
    RECORD_VALUE_BYTES = 512,   /* a tag's value with its final NUL */
    RECORD_LINE_BYTES = 2048,   /* any line of a record's text, with its line end */
};

/* In the order in which they are written. */
enum record_tag {
    RECORD_GAME,
    RECORD_EVENT,
    RECORD_ROUND,
    RECORD_DATE,
    RECORD_BLACK,
    RECORD_WHITE,
    RECORD_RESULT, /* 1-0 is Black's win, 0-1 White's, 1/2-1/2, 0-0 lost by both, * unfinished */
    RECORD_SCORE,  /* Black's and White's: 5-3, 8--8 */
    RECORD_REASON,
    RECORD_SEED,
    RECORD_TIME_LIMIT,
    RECORD_GRACE,
    RECORD_LATE_LIMIT, /* late moves in a row that lose the game; absent: none do */
    RECORD_SANDBOX,
    RECORD_START, /* a position; absent: the game's own */
    RECORD_BIDS,  /* 0 5, 0 40, tie 0: colour and price by player; tie: player 1's lot */
    RECORD_TAGS,
};

/* The offset of a text in a record; 0: none. */
typedef uint32_t record_text;

struct record_turn {
    int number; /* as written; 0 in the closing turn */
    int line;   /* of the file it was read from; 0 when it was not */
    enum side side;
    record_text move;
    record_text comment;     /* between the braces, word for word */
    struct annotation facts; /* read from the comment */
};

struct record_entry {
    int line;
    record_text name;
    record_text value;
};

/* A zeroed struct is a record without tags and plies. */
struct record {
    int line; /* what is added next came from here; 0: not from a file */
    struct record_entry tags[RECORD_TAGS];
    struct record_entry other_tags[RECORD_MAX_OTHER_TAGS];
    size_t other_tag_count;
    struct record_turn *plies;
    size_t ply_count;
    size_t ply_capacity;
    bool is_closed;             /* there is a closing turn */
    struct record_turn closing; /* begun, but no move came of it */
    char *words;
    size_t word_bytes;
    size_t word_capacity;
};

/* Makes it empty but keeps its memory for the next game. */
void record_clear(struct record *record);
void record_free(struct record *record);

const char *record_tag_name(enum record_tag tag);

/* The value of RECORD_RESULT. */
const char *record_result_word(enum outcome outcome);

/* The text, valid until something is added; NULL for none. */
const char *record_words(const struct record *record, record_text text);
const char *record_tag(const struct record *record, enum record_tag tag);

/* Whether a tag has that value; one that is missing has the value "". */
bool record_has_tag(const struct record *record, enum record_tag tag, const char *value);
/* The same for a time, as RECORD_TIME_LIMIT is written. */
bool record_has_seconds(const struct record *record, enum record_tag tag, int64_t ns);

/* The adding functions refuse what could not be written and read back: ERR_INPUT; without
 * memory they give ERR_ENVIRONMENT. The record is unchanged then. */

/* Each name once; names that enum record_tag does not list are kept after the others. */
MUST_USE enum err record_add_tag(struct record *record, const char *name, const char *value,
                                 struct note *why);

/* `comment` is the text between braces, as annotation_write makes it; NULL: no braces. */
MUST_USE enum err record_add_ply(struct record *record, int number, enum side side,
                                 const char *move, const char *comment, struct note *why);

/* Nothing can be played after this. */
MUST_USE enum err record_close(struct record *record, enum side side, const char *comment,
                               struct note *why);

/* The text and an empty line after it. ERR_ENVIRONMENT: not all of it could be written. */
MUST_USE enum err record_write(const struct record *record, FILE *file, struct note *why);

/* Writes a record's text, as record_to_string makes it, at the end of a file and flushes it. On
 * failure (ERR_ENVIRONMENT) the file, unless it is a pipe, ends with the record before. `path` is
 * for the message. */
MUST_USE enum err record_append_text(const char *text, FILE *file, const char *path,
                                     struct note *why);

/* The text as a string for the caller to free; NULL: no memory. */
char *record_to_string(const struct record *record);

/* A ply as a line of a record's text, without its end. */
void record_ply_line(const struct game *game, const struct move *move, enum side side, int number,
                     const struct annotation *facts, char *out, size_t room);

#endif
