#include "web/deadline.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"

struct deadline_clock {
    int socket;
    int64_t until_ns; /* 0: stopped */
    struct deadline_clock *next;
    struct deadline_clock *previous;
};

struct deadline {
    pthread_t id;
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t changed;
    bool is_ending;
    struct deadline_clock *clocks;
};

/* MHD sees the end of the stream and closes the socket itself. */
static void shut_overdue(struct deadline *deadline)
{
    int64_t now = clock_now_ns();
    for (struct deadline_clock *clock = deadline->clocks; clock; clock = clock->next) {
        if (clock->until_ns && now > clock->until_ns) {
            shutdown(clock->socket, SHUT_RDWR);
            clock->until_ns = 0;
        }
    }
}

static void *watch(void *argument)
{
    struct deadline *deadline = argument;
    pthread_mutex_lock(&deadline->lock);
    while (!deadline->is_ending) {
        struct timespec until = clock_realtime_after(CLOCK_NS_PER_S);
        pthread_cond_timedwait(&deadline->changed, &deadline->lock, &until);
        shut_overdue(deadline);
    }
    pthread_mutex_unlock(&deadline->lock);
    return NULL;
}

enum err deadline_start(struct deadline **out, struct note *why)
{
    struct deadline *deadline = calloc(1, sizeof *deadline);
    if (!deadline) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the server");
    }
    pthread_mutex_init(&deadline->lock, NULL);
    pthread_cond_init(&deadline->changed, NULL);
    int error = pthread_create(&deadline->id, NULL, watch, deadline);
    if (error) {
        note_set(why, "cannot start a thread: %s", strerror(error));
        free(deadline);
        return ERR_ENVIRONMENT;
    }
    *out = deadline;
    return ERR_NONE;
}

void deadline_stop(struct deadline *deadline)
{
    if (!deadline) {
        return;
    }
    pthread_mutex_lock(&deadline->lock);
    deadline->is_ending = true;
    pthread_cond_signal(&deadline->changed);
    pthread_mutex_unlock(&deadline->lock);
    pthread_join(deadline->id, NULL);
    pthread_cond_destroy(&deadline->changed);
    pthread_mutex_destroy(&deadline->lock);
    free(deadline);
}

struct deadline_clock *deadline_add(struct deadline *deadline, int socket)
{
    struct deadline_clock *clock = calloc(1, sizeof *clock);
    if (!clock) {
        return NULL;
    }
    clock->socket = socket;
    clock->until_ns = clock_now_ns() + DEADLINE_S * CLOCK_NS_PER_S;
    pthread_mutex_lock(&deadline->lock);
    clock->next = deadline->clocks;
    if (clock->next) {
        clock->next->previous = clock;
    }
    deadline->clocks = clock;
    pthread_mutex_unlock(&deadline->lock);
    return clock;
}

void deadline_remove(struct deadline *deadline, struct deadline_clock *clock)
{
    if (!clock) {
        return;
    }
    pthread_mutex_lock(&deadline->lock);
    if (clock->previous) {
        clock->previous->next = clock->next;
    } else {
        deadline->clocks = clock->next;
    }
    if (clock->next) {
        clock->next->previous = clock->previous;
    }
    pthread_mutex_unlock(&deadline->lock);
    free(clock);
}

static void set_clock(struct deadline *deadline, struct deadline_clock *clock, int64_t until_ns)
{
    if (clock) {
        pthread_mutex_lock(&deadline->lock);
        clock->until_ns = until_ns;
        pthread_mutex_unlock(&deadline->lock);
    }
}

void deadline_pause(struct deadline *deadline, struct deadline_clock *clock)
{
    set_clock(deadline, clock, 0);
}

void deadline_answer(struct deadline *deadline, struct deadline_clock *clock, size_t bytes)
{
    int64_t most_s = DEADLINE_ANSWER_S + (int64_t)bytes / DEADLINE_ANSWER_BYTES_PER_S;
    set_clock(deadline, clock, clock_now_ns() + most_s * CLOCK_NS_PER_S);
}

void deadline_restart(struct deadline *deadline, struct deadline_clock *clock)
{
    set_clock(deadline, clock, clock_now_ns() + DEADLINE_S * CLOCK_NS_PER_S);
}
