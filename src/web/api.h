/* api: the endpoints of the arena that need no tournament: games, positions, moves, records, bids.
 *
 * The same functions answer /api/v1/… on the server and, compiled to WebAssembly, inside a page. A
 * page needs no rules of its own, and gets the same text with or without a server. A query comes
 * from a URL or from a page's worker; the caller keeps its texts.
 */
#ifndef WEB_API_H
#define WEB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/note.h"
#include "engine/engine.h"
#include "game/game.h"

enum {
    API_MAX_FIELDS = 16, /* of a query */
    API_MAX_PLIES = 1100 /* of the field `moves`: as many as a record may have */
};

/* Fields with values. A zeroed struct has none. */
struct api_query {
    size_t count;
    struct {
        const char *name;
        const char *value;
    } fields[API_MAX_FIELDS];
};

/* False: there are too many, or one of that name already. */
MUST_USE bool api_query_add(struct api_query *query, const char *name, const char *value);

/* NULL: the field is absent. */
const char *api_query_get(const struct api_query *query, const char *name);

/* *out is untouched when the field is absent. */
MUST_USE enum err api_query_number(const struct api_query *query, const char *name, int64_t low,
                                   int64_t high, int64_t *out, struct note *why);

/* The fields `game` and `position` (absent: the start), with the moves in `moves` played. ERR_INPUT
 * and ERR_NEGATIVE as in game.h. */
MUST_USE enum err api_query_position(const struct api_query *query, enum cpu_level cpu,
                                     const struct game **game, struct state *out, struct note *why);

/* ERR_INPUT: the query has a field that is not in `fields`, a list that ends with NULL. `endpoint`
 * is its name for the message. */
MUST_USE enum err api_query_check(const struct api_query *query, const char *endpoint,
                                  const char *const *fields, struct note *why);

/* What an endpoint may use. */
struct api_context {
    enum cpu_level cpu;
    struct engine *engine; /* NULL: endpoints that search are not called */
    int64_t max_time_ns;   /* of one search */
    uint64_t max_nodes;
    size_t max_plies; /* further records are left out once this many were written; 0: no limit */
    engine_depth_fn *on_depth; /* or NULL */
    void *owner;               /* of on_depth */
};

enum { API_MAX_ENDPOINT_FIELDS = 8 };

struct api_endpoint {
    const char *name;                                /* "position", as in /api/v1/position */
    const char *type;                                /* media type; NULL: application/json */
    const char *fields[API_MAX_ENDPOINT_FIELDS + 1]; /* that a query may have, up to NULL */
    bool needs_search; /* a POST, because it takes time: it must not run in a thread that others
                          wait for */
    bool needs_text;   /* the field `text` is the body of a POST; reading it takes time */

    /* ERR_INPUT or ERR_NEGATIVE: what was written has no meaning. */
    enum err (*write)(const struct api_context *context, const struct api_query *query, FILE *out,
                      struct note *why);
};

/* NULL: there is no endpoint of that name. */
const struct api_endpoint *api_find(const char *name);

const char *api_type(const struct api_endpoint *endpoint);

/* Error: {"error": …} */
void api_write_error(FILE *out, const char *why);

/* The endpoints, by file. */
extern const struct api_endpoint api_games, api_position, api_next, api_picture,
    api_record;                                        /* api_game.c */
extern const struct api_endpoint api_bid, api_auction; /* api_auction.c */
extern const struct api_endpoint api_bestmove; /* api_bestmove.c; browser/rules_module.c refuses */

#endif
