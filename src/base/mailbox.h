/* mailbox: values of one size that threads hand to each other, in order.
 *
 * It has a fixed capacity. To put a value never waits, so that a judge's thread can do it: a full
 * mailbox refuses. Values are copied; what a pointer in one owns is owned by the thread that has
 * the value. A thread sleeps in mailbox_wait; an event loop takes values when `wake` was called.
 */
#ifndef BASE_MAILBOX_H
#define BASE_MAILBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"

/* A zeroed struct is none: nothing can be taken from it, and it can be freed. Does not move in
 * memory. */
struct mailbox {
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    unsigned char *values; /* a ring */
    size_t value_bytes;
    size_t capacity;
    size_t first;
    size_t count;
    bool is_closed;
    void *owner;
    void (*wake)(void *owner);
};

/* `wake` is called for every value that is put, in the thread that puts it: it may not use the
 * mailbox. NULL: a thread waits. */
MUST_USE enum err mailbox_init(struct mailbox *box, size_t capacity, size_t value_bytes,
                               void *owner, void (*wake)(void *owner), struct note *why);

/* No thread uses it any more. The caller has taken the values that own something. */
void mailbox_free(struct mailbox *box);

/* False: it is full or closed, and the value is still the caller's. */
MUST_USE bool mailbox_put(struct mailbox *box, const void *value);

/* Also false when `most` values wait: for values that are worth less than others. */
MUST_USE bool mailbox_put_within(struct mailbox *box, size_t most, const void *value);

/* False: nothing waits. */
MUST_USE bool mailbox_take(struct mailbox *box, void *out);

/* Waits for a value. False: it is closed, and nothing is left. */
MUST_USE bool mailbox_wait(struct mailbox *box, void *out);

/* Likewise; of the values with the highest rank, the first. `rank` may not use the mailbox. */
MUST_USE bool mailbox_wait_best(struct mailbox *box, size_t (*rank)(void *owner, const void *value),
                                void *owner, void *out);

/* How many of those that wait have a rank above 0. */
size_t mailbox_count(struct mailbox *box, size_t (*rank)(void *owner, const void *value),
                     void *owner);

/* No more values are put. What waits can still be taken. */
void mailbox_close(struct mailbox *box);
bool mailbox_is_closed(struct mailbox *box);

#endif
