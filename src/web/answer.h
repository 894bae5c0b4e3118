/* answer: what the arena says about games, positions, moves, records and bids.
 *
 * The same functions answer /api/v1/… on the server and, compiled to WebAssembly, inside a page:
 * a page needs no rules of its own, and with or without a server gets the same words.
 */
#ifndef WEB_ANSWER_H
#define WEB_ANSWER_H

#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "engine/engine.h"
#include "web/question.h"

/* Who answers, and how much thought may go into it. */
struct answerer {
    enum cpu_level cpu;
    struct engine *engine; /* NULL: it does not think */
    int64_t max_time_ns;   /* for one search */
    uint64_t max_nodes;
    size_t max_plies; /* when records have so many, further ones are left out; 0: none is */
    engine_depth_fn *on_depth; /* NULL: nobody wants to watch it think */
    void *context;
};

enum { ANSWER_MAX_FIELDS = 8 };

struct answer {
    const char *name;                          /* "position", as in /api/v1/position */
    const char *type;                          /* of what is written, "application/json" */
    const char *fields[ANSWER_MAX_FIELDS + 1]; /* what a question may have, up to NULL */
    bool needs_thought; /* it takes time: not in a thread that others wait for */
    bool needs_text;    /* the question's `text` is the body of a POST; reading it takes time */

    /* Nothing may be relied on in *out after a refusal: ERR_INPUT or ERR_NEGATIVE. */
    enum err (*write)(const struct answerer *answerer, const struct question *question, FILE *out,
                      struct note *why);
};

/* NULL: there is none of that name. */
const struct answer *answer_find(const char *name);

/* ERR_INPUT: it asks for something that this answer does not know. */
MUST_USE enum err answer_check(const struct answer *answer, const struct question *question,
                               struct note *why);

/* {"error": …} */
void answer_refusal(FILE *out, const char *why);

/* {"move", "score", "depth", "exact", "nodes", "time_ms", "line"} */
void answer_report(FILE *out, const struct game *game, const struct engine_report *report);

/* The rows that have files of their own. */
extern const struct answer answer_record, answer_bestmove, answer_auction, answer_bid;

#endif
