/* deadline: limits the time in which a client must send its request and read its answer.
 *
 * The library only ends connections that are silent; one that sends a byte now and then would
 * stay. Here the clock of a connection runs while its request is incomplete, and again while an
 * answer of some size is read; a thread of its own shuts down connections that are over time.
 */
#ifndef WEB_DEADLINE_H
#define WEB_DEADLINE_H

#include <stddef.h>

#include "base/note.h"

enum {
    DEADLINE_S = 10,        /* for a request */
    DEADLINE_ANSWER_S = 30, /* for an answer, and besides: */
    DEADLINE_ANSWER_BYTES_PER_S = 32 * 1024,
};

struct deadline;
struct deadline_clock; /* of one connection */

MUST_USE enum err deadline_start(struct deadline **out, struct note *why);
void deadline_stop(struct deadline *deadline); /* after the last connection; NULL is fine */

/* A connection on this socket begins, its clock running; NULL without memory. */
struct deadline_clock *deadline_add(struct deadline *deadline, int socket);

/* Before the socket is closed; NULL is fine. */
void deadline_remove(struct deadline *deadline, struct deadline_clock *clock);

/* A request is complete; an answer of this size begins; or it has been read and the next request
 * may come. NULL is fine. */
void deadline_pause(struct deadline *deadline, struct deadline_clock *clock);
void deadline_answer(struct deadline *deadline, struct deadline_clock *clock, size_t bytes);
void deadline_restart(struct deadline *deadline, struct deadline_clock *clock);

#endif
