#include "cluster/coordinator_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "base/clock.h"
#include "cluster/result_check.h"

enum {
    PAUSE_MS = 100,    /* of the maintenance, if nothing wakes it */
    WATCH_MS = 500,    /* between two looks at the server's process and users */
    COMPARE_MS = 5000, /* between two looks whether the server has the jobs that are handed out */
    MOST_UNANSWERED = 2,
    ALONE_MS = 6000, /* without workers after an attach: they greet every 4 s */
    MOST_EVENTS = 2 * COORDINATOR_MAX_JOBS, /* that wait for the caller */
    MOST_BEFORE_MINOR = 1000, /* with more, remarks and plies are dropped: any worker causes them */
};

void coordinator_pause(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * CLOCK_NS_PER_MS}, NULL);
}

bool coordinator_is_stopping(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    bool is_so = c->is_stopping;
    pthread_mutex_unlock(&c->mutex);
    return is_so;
}

/* --- Events; the lock is held --- */

static void wake_caller(void *owner)
{
    const struct coordinator *c = owner;
    if (c->on_wake) {
        c->on_wake(c->owner);
    }
}

bool coordinator_add_event(struct coordinator *c, const struct coordinator_event *event)
{
    bool is_minor = event->kind == COORDINATOR_REMARK || event->kind == COORDINATOR_PLIES;
    return mailbox_put_within(&c->events, is_minor ? MOST_BEFORE_MINOR : MOST_EVENTS, event);
}

static void drop_events(struct coordinator *c)
{
    struct coordinator_event event;
    while (mailbox_take(&c->events, &event)) {
        cluster_result_free(&event.result);
        free(event.plies);
    }
}

void coordinator_remark(struct coordinator *c, const char *format, ...)
{
    struct coordinator_event event = {.kind = COORDINATOR_REMARK};
    va_list list;
    va_start(list, format);
    vsnprintf(event.remark.text, sizeof event.remark.text, format, list);
    va_end(list);
    coordinator_add_event(c, &event);
}

void coordinator_note_failure(struct coordinator *c, const char *machine,
                              enum coordinator_failure failure)
{
    struct coordinator_event event = {.kind = COORDINATOR_FAILURE, .failure = failure};
    if (!machine_list_add(&c->machines, machine)) {
        return;
    }
    snprintf(event.machine, sizeof event.machine, "%s", machine);
    coordinator_add_event(c, &event);
}

void coordinator_wake_maintenance(struct coordinator *c)
{
    c->has_work = true;
    pthread_cond_broadcast(&c->wake);
}

/* --- Maintenance: everything else that waits for the server --- */

/* The server itself only repeats in its log that it cannot write. */
static void watch_disk(struct coordinator *c)
{
    enum { LEAST_BYTES = 1 << 20 };
    struct statvfs disk;
    if (!c->options.has_server || statvfs(c->options.server.folder, &disk)) {
        return;
    }
    bool is_full = disk.f_bavail * disk.f_frsize < LEAST_BYTES;
    if (is_full && !c->is_disk_full) {
        pthread_mutex_lock(&c->mutex);
        coordinator_remark(
            c, "the disk of %.200s is full: workers keep their results until there is space",
            c->options.server.folder);
        pthread_mutex_unlock(&c->mutex);
    }
    c->is_disk_full = is_full;
}

/* nats-server 2.9 can wait for itself for ever when a write has failed in its middle. */
static void watch_answers(struct coordinator *c)
{
    uint64_t results = 0;
    bool is_silent = queue_is_connected(c->queue) && !c->is_disk_full &&
                     queue_count(c->queue, c->names.results, &results);
    c->unanswered = is_silent ? c->unanswered + 1 : 0;
    if (c->unanswered == MOST_UNANSWERED) {
        c->unanswered = 0;
        queue_server_kill(&c->link.server); /* watch_server starts it again */
    }
}

static void watch_server(struct coordinator *c)
{
    struct note why;
    watch_disk(c);
    if (job_queue_watch(&c->link, &why)) {
        pthread_mutex_lock(&c->mutex);
        coordinator_remark(c, "%.300s; it is started again", why.text);
        pthread_mutex_unlock(&c->mutex);
    }
}

/* In the thread that may have started the server: the kernel ends the server with this thread. */
static void leave_server(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    bool is_over = c->is_over;
    pthread_mutex_unlock(&c->mutex);
    if (is_over) {
        job_queue_remove_streams(&c->link);
        queue_send(c->queue, c->names.over, CLUSTER_OVER, strlen(CLUSTER_OVER));
    }
    queue_flush(c->queue);
}

/* No worker is known that could have a job. The lock is held. */
static bool is_alone(const struct coordinator *c)
{
    return c->jobs.count && !c->workers.count && c->attach == ATTACH_DONE &&
           clock_now_ns() - c->attached_ns > ALONE_MS * CLOCK_NS_PER_MS;
}

static bool take_must_compare(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    bool is_so = c->must_compare;
    c->must_compare = false;
    pthread_mutex_unlock(&c->mutex);
    return is_so;
}

static void *maintain_queue(void *owner)
{
    struct coordinator *c = owner;
    int64_t watched_ns = 0;
    int64_t checked_ns = clock_now_ns();
    unsigned reconnects = 0;
    while (!coordinator_is_stopping(c)) {
        coordinator_jobs_store(c);
        coordinator_results_acknowledge(c);
        int64_t now_ns = clock_now_ns();
        if (now_ns - watched_ns > WATCH_MS * CLOCK_NS_PER_MS) {
            watched_ns = now_ns;
            watch_server(c);
        }
        unsigned reconnected = queue_reconnects(c->queue);
        if (now_ns - checked_ns > COMPARE_MS * CLOCK_NS_PER_MS || reconnected != reconnects) {
            checked_ns = now_ns;
            reconnects = reconnected;
            coordinator_results_renew(c);
            watch_answers(c);
            pthread_mutex_lock(&c->mutex);
            coordinator_workers_drop_silent(c);
            coordinator_results_release_unverified(c);
            c->must_compare = true;
            if (is_alone(c)) { /* the caller may want to take a job back */
                coordinator_add_event(c, &(struct coordinator_event){.kind = COORDINATOR_CHANGED});
            }
            pthread_mutex_unlock(&c->mutex);
        }
        if (!c->unanswered && take_must_compare(c)) {
            coordinator_jobs_compare(c);
        }
        struct timespec until = clock_realtime_after(PAUSE_MS * CLOCK_NS_PER_MS);
        pthread_mutex_lock(&c->mutex);
        if (!c->is_stopping && !c->has_work) {
            pthread_cond_timedwait(&c->wake, &c->mutex, &until);
        }
        c->has_work = false;
        pthread_mutex_unlock(&c->mutex);
    }
    coordinator_results_acknowledge(c);
    leave_server(c);
    return NULL;
}

/* --- Opening and closing --- */

static enum err open_link(struct coordinator *c, struct note *why)
{
    enum err err = job_queue_open(&c->link, why);
    c->queue = c->link.queue;
    return err ? err : coordinator_workers_subscribe(c, why);
}

static void free_coordinator(struct coordinator *c)
{
    job_queue_close(&c->link);
    drop_events(c);
    mailbox_free(&c->events);
    free(c->pending);
    handed_jobs_free(&c->jobs);
    worker_list_free(&c->workers);
    machine_list_free(&c->machines);
    pthread_cond_destroy(&c->wake);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

enum err coordinator_open(struct coordinator **out, const struct coordinator_options *options,
                          struct note *why)
{
    struct coordinator *c = calloc(1, sizeof *c);
    if (!c) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the workers");
    }
    c->options = *options;
    c->link = job_queue_make(&options->address, options->has_server, &options->server,
                             options->terms.lease_ms);
    c->names = c->link.names;
    c->run = (uint64_t)clock_now_ns();
    c->conditions = cluster_conditions(&options->terms, options->needed.version);
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->wake, NULL);
    enum err err = mailbox_init(&c->events, MOST_EVENTS, sizeof(struct coordinator_event), c,
                                wake_caller, why);
    err = err ? err : open_link(c, why);
    if (!err && pthread_create(&c->fetcher, NULL, coordinator_results_fetch, c)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread");
    } else if (!err && pthread_create(&c->maintainer, NULL, maintain_queue, c)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread");
        pthread_mutex_lock(&c->mutex);
        c->is_stopping = true;
        pthread_cond_broadcast(&c->wake);
        pthread_mutex_unlock(&c->mutex);
        pthread_join(c->fetcher, NULL);
    }
    if (err) {
        free_coordinator(c);
    } else {
        *out = c;
    }
    return err;
}

void coordinator_close(struct coordinator *c, bool is_over)
{
    if (!c) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    c->is_stopping = true;
    c->is_over = is_over;
    c->on_wake = NULL;
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
    pthread_join(c->fetcher, NULL);
    pthread_join(c->maintainer, NULL);
    coordinator_results_return(c);
    free_coordinator(c);
}

/* --- The caller --- */

void coordinator_attach(struct coordinator *c, void *owner, void (*on_wake)(void *owner))
{
    pthread_mutex_lock(&c->mutex);
    c->owner = owner;
    c->on_wake = on_wake;
    c->attach = ATTACH_READS;
    c->attached_ns = clock_now_ns();
    c->phase++;
    on_wake(owner); /* there may be events already */
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
}

/* Its events are about games of the caller that leaves. */
void coordinator_detach(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    c->on_wake = NULL;
    drop_events(c);
    handed_jobs_free(&c->jobs);
    pthread_mutex_unlock(&c->mutex);
    coordinator_results_return(c);
}

bool coordinator_next(struct coordinator *c, struct coordinator_event *out)
{
    bool is_found = mailbox_take(&c->events, out);
    if (is_found && out->kind == COORDINATOR_READY) {
        pthread_mutex_lock(&c->mutex);
        c->attach = ATTACH_DONE;
        pthread_cond_broadcast(&c->wake);
        pthread_mutex_unlock(&c->mutex);
    }
    return is_found;
}

int coordinator_room(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    int most = 2 * worker_list_slots(&c->workers);
    most = most < COORDINATOR_MAX_JOBS ? most : COORDINATOR_MAX_JOBS;
    int room = c->attach == ATTACH_DONE ? most - (int)c->jobs.count : 0;
    pthread_mutex_unlock(&c->mutex);
    return room > 0 ? room : 0;
}

/* The lock is held. */
static struct handed_job *add_job(struct coordinator *c, const struct cluster_job *job,
                                  bool is_verified)
{
    struct cluster_job own = *job;
    own.key.stamp = c->options.stamp;
    own.conditions = c->conditions;
    struct handed_job *handed = handed_jobs_add(&c->jobs, &own);
    if (handed) {
        handed->is_verified = is_verified;
    }
    return handed;
}

enum err coordinator_hand_out(struct coordinator *c, const struct cluster_job *job,
                              bool is_verified, struct note *why)
{
    pthread_mutex_lock(&c->mutex);
    bool is_added = add_job(c, job, is_verified);
    coordinator_wake_maintenance(c);
    pthread_mutex_unlock(&c->mutex);
    return is_added ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for a job");
}

bool coordinator_adopt(struct coordinator *c, const struct cluster_job *job, bool is_verified,
                       const char *name)
{
    pthread_mutex_lock(&c->mutex);
    struct handed_job *handed = add_job(c, job, is_verified);
    bool is_same = handed && strcmp(handed->name, name) == 0;
    if (is_same) {
        handed->is_stored = true;
        handed->stored_ns = clock_now_ns();
    } else if (handed) {
        handed_jobs_forget(&c->jobs, handed);
    }
    pthread_mutex_unlock(&c->mutex);
    return is_same;
}

bool coordinator_take_back(struct coordinator *c, struct tournament_work *out)
{
    pthread_mutex_lock(&c->mutex);
    bool is_found = is_alone(c);
    if (is_found) {
        struct handed_job *job = c->jobs.list[c->jobs.count - 1];
        *out = job->job.key.work;
        coordinator_jobs_remove(c, job);
    }
    pthread_mutex_unlock(&c->mutex);
    return is_found;
}

void coordinator_settle(struct coordinator *c, uint64_t delivery, bool is_duplicate)
{
    pthread_mutex_lock(&c->mutex);
    coordinator_results_settle(c, delivery);
    c->counts.duplicates += is_duplicate;
    pthread_mutex_unlock(&c->mutex);
}

bool coordinator_is_true(struct coordinator *c, const struct cluster_job *job,
                         struct cluster_result *result)
{
    struct cluster_job own = *job;
    struct note why;
    own.key.stamp = c->options.stamp;
    if (!cluster_key_equal(&own.key, &result->key)) {
        return false;
    }
    if (!result_check(c->options.cpu, &c->options.terms, &own, result, &why)) {
        return true;
    }
    pthread_mutex_lock(&c->mutex);
    coordinator_remark(c, "a result of worker %s is refused: %.300s", result->machine, why.text);
    coordinator_note_failure(c, result->machine, COORDINATOR_REFUSED);
    pthread_mutex_unlock(&c->mutex);
    return false;
}

struct coordinator_counts coordinator_counts(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    struct coordinator_counts counts = c->counts;
    counts.workers = (int)c->workers.count;
    counts.slots = worker_list_slots(&c->workers);
    counts.jobs = (int)c->jobs.count;
    pthread_mutex_unlock(&c->mutex);
    return counts;
}
