/* annotation: what is known about one turn, in the words that a game record puts between braces.
 *
 *     t=0.431 d=14 s=+0.52 n=1234567 fault=late
 *
 * time in seconds, search depth, score in the mover's eyes, nodes, and what the player did
 * wrong. Words with other keys are allowed and mean nothing here.
 */
#ifndef JUDGE_ANNOTATION_H
#define JUDGE_ANNOTATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

enum {
    ANNOTATION_BYTES = 512, /* the longest text with its final NUL */
    ANNOTATION_MAX_DEPTH = 1000,
};

/* A zeroed struct knows nothing. */
struct annotation {
    bool has_time;
    bool has_depth;
    bool has_score;
    bool has_nodes;
    bool has_fault;
    int64_t time_ns;
    int64_t depth;
    int64_t score_hundredths;
    int64_t nodes;
    enum fault fault;
};

/* Reads key=value words with spaces between them. Anything else: ERR_INPUT, `why` names the
 * word, *out is untouched. */
MUST_USE enum err annotation_read(const char *text, struct annotation *out, struct note *why);

/* Whether `word` names a fault, as fault_name writes it; if so, which one. */
bool annotation_name_fault(const char *word, enum fault *out);

/* Times are written to the millisecond, or exactly where that is not enough. */
void annotation_write(const struct annotation *annotation, char out[ANNOTATION_BYTES]);

#endif
