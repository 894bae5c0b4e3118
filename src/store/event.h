/* event: what happened in a tournament, in order, for whoever follows it.
 *
 *     created, run, stopped, finished    of the whole tournament
 *     round      text: its number, from 0; its pairings are made
 *     start      text: the numbers of Black's and White's team, the position
 *     ply        text: as a line of a record; gone when the game is over
 *     over       text: result, score, reason
 *     annul, replay, withdraw            text: why
 */
#ifndef STORE_EVENT_H
#define STORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "store/store.h"

struct store_event {
    int64_t id; /* grows; some are missing */
    int64_t at_ms;
    const char *kind;
    int game; /* or -1 */
    const char *text;
};

/* Texts are valid during the call; returns false to stop. */
typedef bool store_event_visit(void *owner, const struct store_event *event);

/* Those with an id above `after`, in order, `limit` at most. */
MUST_USE enum err store_each_event(struct store *store, int64_t after, int limit,
                                   store_event_visit *visit, void *owner, struct note *why);

#endif
