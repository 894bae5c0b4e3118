#include "base/mailbox.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum err mailbox_init(struct mailbox *box, size_t capacity, size_t value_bytes, void *owner,
                      void (*wake)(void *owner), struct note *why)
{
    unsigned char *values = calloc(capacity, value_bytes);
    if (!values) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for messages between threads");
    }
    *box = (struct mailbox){.values = values,
                            .value_bytes = value_bytes,
                            .capacity = capacity,
                            .owner = owner,
                            .wake = wake};
    pthread_mutex_init(&box->lock, NULL);
    pthread_cond_init(&box->changed, NULL);
    return ERR_NONE;
}

void mailbox_free(struct mailbox *box)
{
    if (box->values) {
        free(box->values);
        pthread_cond_destroy(&box->changed);
        pthread_mutex_destroy(&box->lock);
        box->values = NULL;
    }
}

/* --- With the lock --- */

static unsigned char *value_at(const struct mailbox *box, size_t index)
{
    return box->values + (box->first + index) % box->capacity * box->value_bytes;
}

/* Those before it move up. An empty mailbox begins again at its start, so that one that is never
 * full uses little memory. */
static void take_at(struct mailbox *box, size_t index, void *out)
{
    memcpy(out, value_at(box, index), box->value_bytes);
    for (; index > 0; index--) {
        memcpy(value_at(box, index), value_at(box, index - 1), box->value_bytes);
    }
    box->count--;
    box->first = box->count ? (box->first + 1) % box->capacity : 0;
}

/* False: it is closed, and empty. */
static bool wait_for_value(struct mailbox *box)
{
    while (box->count == 0 && !box->is_closed) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    return box->count > 0;
}

/* --- Public --- */

bool mailbox_put(struct mailbox *box, const void *value)
{
    return mailbox_put_within(box, SIZE_MAX, value);
}

bool mailbox_put_within(struct mailbox *box, size_t most, const void *value)
{
    pthread_mutex_lock(&box->lock);
    bool has_room = !box->is_closed && box->count < box->capacity && box->count < most;
    if (has_room) {
        memcpy(value_at(box, box->count++), value, box->value_bytes);
        pthread_cond_signal(&box->changed);
        if (box->wake) {
            box->wake(box->owner);
        }
    }
    pthread_mutex_unlock(&box->lock);
    return has_room;
}

bool mailbox_take(struct mailbox *box, void *out)
{
    if (!box->values) {
        return false;
    }
    pthread_mutex_lock(&box->lock);
    bool is_found = box->count > 0;
    if (is_found) {
        take_at(box, 0, out);
    }
    pthread_mutex_unlock(&box->lock);
    return is_found;
}

bool mailbox_wait(struct mailbox *box, void *out)
{
    pthread_mutex_lock(&box->lock);
    bool is_found = wait_for_value(box);
    if (is_found) {
        take_at(box, 0, out);
    }
    pthread_mutex_unlock(&box->lock);
    return is_found;
}

bool mailbox_wait_best(struct mailbox *box, size_t (*rank)(void *owner, const void *value),
                       void *owner, void *out)
{
    pthread_mutex_lock(&box->lock);
    bool is_found = wait_for_value(box);
    if (is_found) {
        size_t best = 0;
        size_t best_rank = rank(owner, value_at(box, 0));
        for (size_t i = 1; i < box->count; i++) {
            size_t own_rank = rank(owner, value_at(box, i));
            best = own_rank > best_rank ? i : best;
            best_rank = own_rank > best_rank ? own_rank : best_rank;
        }
        take_at(box, best, out);
    }
    pthread_mutex_unlock(&box->lock);
    return is_found;
}

size_t mailbox_count(struct mailbox *box, size_t (*rank)(void *owner, const void *value),
                     void *owner)
{
    size_t count = 0;
    pthread_mutex_lock(&box->lock);
    for (size_t i = 0; i < box->count; i++) {
        count += rank(owner, value_at(box, i)) > 0;
    }
    pthread_mutex_unlock(&box->lock);
    return count;
}

void mailbox_close(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    box->is_closed = true;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

bool mailbox_is_closed(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    bool is_closed = box->is_closed;
    pthread_mutex_unlock(&box->lock);
    return is_closed;
}
