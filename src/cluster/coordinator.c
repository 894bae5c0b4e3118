/* Long because all that takes its lock is here.
 *
 * Threads: one fetches results and checks them, one does everything else that waits for the server.
 * Requests of workers are answered on threads of the library. All share one lock, which no thread
 * holds while it waits. */
#include "cluster/coordinator.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "cluster/cluster_host.h"
#include "cluster/cluster_pack.h"
#include "cluster/cluster_subject.h"
#include "cluster/event_list.h"
#include "cluster/handed_jobs.h"
#include "cluster/job_queue.h"
#include "cluster/program_files.h"
#include "cluster/result_check.h"
#include "cluster/worker_list.h"

enum {
    FETCH_MS = 1000,
    RETRY_MS = 100, /* after a failure */
    STORE_MS = 5000,
    PAUSE_MS = 100,   /* of the thread that does everything else, if nothing wakes it */
    WATCH_MS = 500,   /* between two looks at the server's process and users */
    AUDIT_MS = 5000,  /* between two looks whether the server still has all jobs */
    AUDIT_JOBS = 256, /* in one look */
    MOST_FAILURES = 5,
};

/* A result that the caller has not settled. */
struct delivery {
    struct delivery *next;
    uint64_t id;
    struct queue_message message;
    bool is_settled;
};

struct coordinator {
    struct coordinator_options options;
    struct job_queue link;
    struct cluster_subjects names; /* of the link, as is the next */
    struct queue *queue;
    pthread_t fetcher;
    pthread_t keeper;
    bool is_disk_full; /* when the keeper looked last */

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t wake;
    void *owner;
    void (*on_wake)(void *owner); /* NULL: detached */
    unsigned phase;               /* grows with each attach */
    bool is_draining;
    bool is_stopping;
    bool is_over;  /* the tournament, when it stops */
    bool has_work; /* for the keeper: since it looked last */
    struct handed_jobs jobs;
    struct worker_list workers;
    struct event_list events;
    struct delivery *deliveries;
    uint64_t last_delivery;
    struct coordinator_counts counts;
};

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * CLOCK_NS_PER_MS}, NULL);
}

/* --- Events; the lock is held --- */

/* False: no memory. */
static bool add_event(struct coordinator *c, const struct coordinator_event *event)
{
    if (!event_list_add(&c->events, event)) {
        return false;
    }
    if (c->on_wake) {
        c->on_wake(c->owner);
    }
    return true;
}

__attribute__((format(printf, 2, 3))) static void remark(struct coordinator *c, const char *format,
                                                         ...)
{
    struct coordinator_event event = {.kind = COORDINATOR_REMARK};
    va_list list;
    va_start(list, format);
    vsnprintf(event.remark.text, sizeof event.remark.text, format, list);
    va_end(list);
    add_event(c, &event);
}

static void note_failure(struct coordinator *c, const char *machine,
                         enum coordinator_failure failure)
{
    struct coordinator_event event = {.kind = COORDINATOR_FAILURE, .failure = failure};
    snprintf(event.machine, sizeof event.machine, "%s", machine);
    add_event(c, &event);
}

static void wake_keeper(struct coordinator *c)
{
    c->has_work = true;
    pthread_cond_broadcast(&c->wake);
}

/* --- Jobs; the lock is held --- */

/* The server may forget a result. */
static void settle(struct coordinator *c, uint64_t id)
{
    for (struct delivery *one = c->deliveries; one; one = one->next) {
        if (one->id == id) {
            one->is_settled = true;
        }
    }
    wake_keeper(c);
}

/* "A against B", or which games of self-play. */
static void name_job(const struct cluster_job *job, struct note *out)
{
    const struct tournament_work *work = &job->key.work;
    if (job->terms.is_selfplay) {
        note_set(out, "games %d to %d", work->first_game + 1, work->first_game + work->to);
    } else {
        note_set(out, "%.100s against %.100s", job->players[0].name, job->players[1].name);
    }
}

/* It is not handed out any more, and forgotten; the caller plays it. False: no memory. */
static bool give_up(struct coordinator *c, struct handed_job *job, const char *why)
{
    struct coordinator_event event = {.kind = COORDINATOR_GIVEN_UP, .key = job->job.key};
    if (!add_event(c, &event)) {
        return false;
    }
    struct note name;
    name_job(&job->job, &name);
    remark(c, "%.250s: %s; it is played here", name.text, why);
    if (job->first) {
        settle(c, job->first->delivery);
    }
    handed_jobs_forget(&c->jobs, job);
    return true;
}

/* It must be played once more. True: it is given up, and forgotten. */
static bool count_failure(struct coordinator *c, struct handed_job *job)
{
    return ++job->failures >= MOST_FAILURES &&
           give_up(c, job, "five workers did not finish it, or sent impossible results");
}

/* It is stored again, for another worker. */
static void hand_out_again(struct coordinator *c, struct handed_job *job)
{
    job->number = 0;
    job->worker = 0;
    job->hand_outs++;
    wake_keeper(c);
}

/* --- Workers --- */

/* ERR_NEGATIVE: the machine may not play. */
static enum err refuse_quarantined(const struct coordinator *c, const char *machine,
                                   struct note *why)
{
    for (size_t i = 0; i < c->options.quarantine_count; i++) {
        const struct cluster_quarantine *one = &c->options.quarantines[i];
        if (strcmp(one->machine, machine) == 0) {
            return note_fail(why, ERR_NEGATIVE, "the machine %s is in quarantine: %.250s", machine,
                             one->why.text);
        }
    }
    return ERR_NONE;
}

static enum err refuse_worker(const struct coordinator *c, const struct cluster_hello *hello,
                              struct note *why)
{
    const struct coordinator_options *options = &c->options;
    enum err err = refuse_quarantined(c, hello->machine, why);
    err =
        err ? err : cluster_host_compare(&options->needed, options->terms.has_programs, hello, why);
    return err ? err
               : cluster_host_compare_speed(&options->speed, options->slowest_percent, hello, why);
}

static void note_worker(struct coordinator *c, const struct cluster_hello *hello)
{
    const struct cluster_speed *speed = &hello->speed;
    int percent = cluster_host_percent(&c->options.speed, speed);
    char comparison[64] = "";
    if (percent) {
        snprintf(comparison, sizeof comparison, ", %d %% as fast as this machine", percent);
    }
    if (worker_list_note(&c->workers, hello, clock_now_ns())) {
        remark(c, "worker %s: %d game%s at once%s%s", hello->machine, hello->concurrency,
               hello->concurrency == 1 ? "" : "s", comparison,
               speed->wall < speed->processor / 2 ? "; it is busy with other programs" : "");
        add_event(c, &(struct coordinator_event){.kind = COORDINATOR_CHANGED});
    }
}

static void drop_silent_workers(struct coordinator *c)
{
    struct known_worker worker;
    while (worker_list_take_silent(&c->workers, clock_now_ns(), &worker)) {
        remark(c, "worker %s is silent", worker.machine);
    }
}

static void on_hello(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct cluster_hello hello;
    struct cluster_welcome welcome = {.terms = c->options.terms};
    struct cluster_bytes bytes = {0};
    if (cluster_read_hello(data, count, &hello, &welcome.why)) {
        welcome.is_refused = true;
    } else {
        welcome.is_refused = refuse_worker(c, &hello, &welcome.why);
        pthread_mutex_lock(&c->mutex);
        if (welcome.is_refused) {
            remark(c, "worker %s is refused: %.300s", hello.machine, welcome.why.text);
        } else if (hello.is_ready) {
            note_worker(c, &hello);
        }
        pthread_mutex_unlock(&c->mutex);
    }
    if (*reply && !cluster_write_welcome(&welcome, &bytes)) {
        queue_send(c->queue, reply, bytes.data, bytes.count);
    }
    free(bytes.data);
}

/* A worker asks whether it should play a job. */
static const char *note_taken(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &report->key);
    if (!job) {
        return CLUSTER_CLAIM_NO;
    }
    if (job->first && strcmp(job->first->result.machine, report->machine) == 0) {
        return CLUSTER_CLAIM_LATER;
    }
    if (job->worker) {
        c->counts.deaths++;
        note_failure(c, job->machine, COORDINATOR_LOST);
        if (count_failure(c, job)) {
            return CLUSTER_CLAIM_NO;
        }
    }
    job->worker = report->worker;
    memcpy(job->machine, report->machine, sizeof job->machine);
    return CLUSTER_CLAIM_YES;
}

/* A worker does not play a job that it had. */
static void note_returned(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &report->key);
    if (report->kind == CLUSTER_RETURNED) {
        remark(c, "worker %s gives its work back: %.300s", report->machine, report->why.text);
    }
    if (job && job->worker == report->worker) {
        job->worker = 0;
        if (report->kind == CLUSTER_RETURNED) {
            note_failure(c, report->machine, COORDINATOR_RETURNED);
        }
    }
    if (job && report->kind == CLUSTER_TOO_LARGE) {
        give_up(c, job, "its result is larger than the NATS server accepts");
    }
}

static void on_report(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct cluster_report report;
    struct note ignored;
    const char *answer = CLUSTER_CLAIM_YES;
    if (cluster_read_report(data, count, &report, &ignored)) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    if (report.kind == CLUSTER_TAKEN) {
        /* Before COORDINATOR_READY nothing is known about jobs. */
        answer = c->on_wake && !c->is_draining ? note_taken(c, &report) : CLUSTER_CLAIM_YES;
    } else if (report.kind == CLUSTER_LEAVING) {
        remark(c, "worker %s leaves%s%.300s", report.machine, *report.why.text ? ": " : "",
               report.why.text);
        worker_list_forget(&c->workers, report.worker);
    } else {
        note_returned(c, &report);
    }
    pthread_mutex_unlock(&c->mutex);
    if (*reply) {
        queue_send(c->queue, reply, answer, 1);
    }
}

/* Spectators see what the worker that has claimed the job reports. */
static void on_plies(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct coordinator_event event = {.kind = COORDINATOR_PLIES};
    struct note ignored;
    (void)reply;
    event.plies = malloc(sizeof *event.plies);
    if (!event.plies || cluster_read_plies(data, count, event.plies, &ignored)) {
        free(event.plies);
        return;
    }
    pthread_mutex_lock(&c->mutex);
    const struct handed_job *job = handed_jobs_find(&c->jobs, &event.plies->key);
    bool is_shown = c->on_wake && job && job->worker == event.plies->worker && !job->first;
    if (!is_shown || !add_event(c, &event)) {
        free(event.plies);
    }
    pthread_mutex_unlock(&c->mutex);
}

static void on_blob(void *owner, const void *data, size_t count, const char *reply)
{
    const struct coordinator *c = owner;
    program_files_answer(c->queue, c->options.blobs, data, count, reply);
}

/* --- Results --- */

/* A result for a job that is handed out is checked here, so that the caller's thread is not. */
static enum err check_result(struct coordinator *c, struct cluster_result *result,
                             bool *is_expected, struct note *why)
{
    struct cluster_job *job = malloc(sizeof *job);
    if (!job) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory");
    }
    if (refuse_quarantined(c, result->machine, why)) {
        free(job);
        return ERR_INPUT;
    }
    pthread_mutex_lock(&c->mutex);
    const struct handed_job *handed = handed_jobs_find(&c->jobs, &result->key);
    *is_expected = handed;
    if (handed) {
        *job = handed->job;
    }
    pthread_mutex_unlock(&c->mutex);
    enum err err = *is_expected ? result_check(c->options.cpu, job, result, why) : ERR_NONE;
    free(job);
    return err;
}

/* A job whose result cannot be true goes out again. The lock is held. */
static void refuse_result(struct coordinator *c, const struct cluster_result *result,
                          const struct note *why)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &result->key);
    c->counts.refused++;
    remark(c, "a result of worker %s is refused: %.300s", result->machine, why->text);
    note_failure(c, result->machine, COORDINATOR_REFUSED);
    struct note ignored;
    bool is_own_fault = !refuse_quarantined(c, result->machine, &ignored);
    if (job && (!is_own_fault || !count_failure(c, job))) {
        hand_out_again(c, job);
    }
}

/* Gives a result that was held back to the caller, and forgets the job. */
static void release_first(struct coordinator *c, struct handed_job *job)
{
    if (add_event(c, job->first)) {
        free(job->first);
        job->first = NULL;
        handed_jobs_forget(&c->jobs, job);
    }
}

/* The second result of a job that two machines play. */
static void compare_results(struct coordinator *c, struct handed_job *job,
                            struct coordinator_event *event)
{
    const struct cluster_result *first = &job->first->result;
    struct note why;
    settle(c, event->delivery);
    if (strcmp(first->machine, event->result.machine) == 0) {
        c->counts.duplicates++;
    } else if (!result_compare(first, &event->result, &why)) {
        c->counts.verified++;
        release_first(c, job);
    } else {
        c->counts.differing++;
        remark(
            c,
            "WARNING: the machines %s and %s played %.60s against %.60s differently, though both "
            "players are deterministic: %.120s",
            first->machine, event->result.machine, job->job.players[0].name,
            job->job.players[1].name, why.text);
        give_up(c, job, "two machines disagree about this pairing");
    }
    cluster_result_free(&event->result);
}

/* The first one: it is held back until another machine has played the job. */
static bool hold_back(struct coordinator *c, struct handed_job *job,
                      const struct coordinator_event *event)
{
    if (!worker_list_has_other(&c->workers, event->result.machine)) {
        c->counts.unverified++;
        return false;
    }
    job->first = malloc(sizeof *job->first);
    if (!job->first) {
        return false;
    }
    *job->first = *event;
    hand_out_again(c, job);
    return true;
}

/* Where there is no second machine any more, the first result counts. The lock is held. */
static void release_unverified(struct coordinator *c)
{
    for (size_t i = c->jobs.count; i-- > 0;) {
        struct handed_job *job = c->jobs.list[i];
        if (job->first && !worker_list_has_other(&c->workers, job->first->result.machine)) {
            c->counts.unverified++;
            release_first(c, job);
        }
    }
}

/* Gives it to the caller, or holds it back to compare it. False: it stays on the server. The lock
 * is held. */
static bool keep_result(struct coordinator *c, const struct queue_message *message,
                        struct coordinator_event *event)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &event->key);
    struct delivery *delivery = c->on_wake && !c->is_stopping ? malloc(sizeof *delivery) : NULL;
    if (!delivery) {
        return false;
    }
    *delivery = (struct delivery){c->deliveries, c->last_delivery + 1, *message, false};
    event->delivery = delivery->id;
    event->is_expected = event->is_expected && job; /* since then given up? */
    bool is_compared = event->is_expected && job->first;
    bool is_held =
        !is_compared && event->is_expected && job->is_verified && hold_back(c, job, event);
    if (!is_compared && !is_held && !add_event(c, event)) {
        free(delivery);
        return false;
    }
    c->deliveries = delivery;
    c->last_delivery++;
    c->counts.results++;
    if (is_compared) {
        compare_results(c, job, event);
    } else if (event->is_expected && !is_held) {
        handed_jobs_forget(&c->jobs, job);
    }
    return true;
}

static void take_result(struct coordinator *c, struct queue_message *message)
{
    struct coordinator_event event = {.kind = COORDINATOR_RESULT};
    struct cluster_bytes bytes = {0};
    struct note why;
    enum err err = cluster_unpack(message->data, message->count, &bytes, &why);
    err = err ? err : cluster_read_result(bytes.data, bytes.count, &event.result, &why);
    free(bytes.data);
    bool is_read = !err;
    bool is_kept = false;
    err = err ? err : check_result(c, &event.result, &event.is_expected, &why);
    event.key = event.result.key;
    pthread_mutex_lock(&c->mutex);
    if (!err) {
        is_kept = keep_result(c, message, &event);
    } else if (err == ERR_INPUT && is_read) {
        refuse_result(c, &event.result, &why);
    } else if (err == ERR_INPUT) {
        c->counts.refused++;
        remark(c, "a result is refused: %.300s", why.text);
    }
    pthread_mutex_unlock(&c->mutex);
    if (is_kept) {
        return;
    }
    if (err == ERR_INPUT) {
        queue_acknowledge(c->queue, message);
    } else {
        queue_give_back(c->queue, message);
        sleep_ms(RETRY_MS);
    }
    queue_free(message);
    cluster_result_free(&event.result);
}

/* No result waits any more: old jobs are removed, and new ones can be handed out. */
static void end_drain(struct coordinator *c, unsigned phase)
{
    struct note why;
    if (queue_purge(c->queue, c->names.jobs, &why)) {
        sleep_ms(RETRY_MS);
        return; /* tried again after the next fetch */
    }
    pthread_mutex_lock(&c->mutex);
    if (c->phase == phase && c->is_draining) {
        c->is_draining = !add_event(c, &(struct coordinator_event){.kind = COORDINATOR_READY});
    }
    pthread_mutex_unlock(&c->mutex);
}

static void *fetch_results(void *owner)
{
    struct coordinator *c = owner;
    struct note why;
    pthread_mutex_lock(&c->mutex);
    while (!c->is_stopping) {
        if (!c->on_wake) {
            pthread_cond_wait(&c->wake, &c->mutex);
            continue;
        }
        unsigned phase = c->phase;
        bool is_draining = c->is_draining;
        pthread_mutex_unlock(&c->mutex);
        struct queue_message message = {0};
        enum err err =
            queue_fetch(c->queue, c->names.results, is_draining ? 0 : FETCH_MS, &message, &why);
        if (!err) {
            take_result(c, &message);
        } else if (err == ERR_NEGATIVE && is_draining) {
            end_drain(c, phase);
        } else if (err == ERR_ENVIRONMENT) {
            sleep_ms(RETRY_MS);
        }
        pthread_mutex_lock(&c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

/* --- Everything else that waits for the server --- */

/* Takes one job that is not stored. */
static bool next_unstored(struct coordinator *c, struct cluster_job *out, unsigned *hand_outs)
{
    bool is_found = false;
    pthread_mutex_lock(&c->mutex);
    for (size_t i = 0; !is_found && !c->is_draining && i < c->jobs.count; i++) {
        if (!c->jobs.list[i]->number) {
            *out = c->jobs.list[i]->job;
            *hand_outs = c->jobs.list[i]->hand_outs;
            is_found = true;
        }
    }
    pthread_mutex_unlock(&c->mutex);
    return is_found;
}

static void store_jobs(struct coordinator *c)
{
    struct cluster_job *job = malloc(sizeof *job);
    unsigned hand_outs = 0;
    while (job && next_unstored(c, job, &hand_outs)) {
        struct cluster_bytes bytes = {0};
        struct note why;
        uint64_t number = 0;
        enum err err = cluster_write_job(job, &bytes);
        err = err ? err
                  : queue_store(c->queue, c->names.job, bytes.data, bytes.count, STORE_MS, &number,
                                &why);
        free(bytes.data);
        if (err) {
            break;
        }
        pthread_mutex_lock(&c->mutex);
        struct handed_job *handed = handed_jobs_find(&c->jobs, &job->key);
        bool is_current = handed && handed->hand_outs == hand_outs;
        if (is_current) {
            handed->number = number;
            handed->stored_ns = clock_now_ns();
        }
        pthread_mutex_unlock(&c->mutex);
        if (!is_current) { /* its result came in the meantime */
            queue_delete(c->queue, c->names.jobs, number);
        }
    }
    free(job);
}

static void acknowledge_settled(struct coordinator *c)
{
    struct delivery *settled = NULL;
    pthread_mutex_lock(&c->mutex);
    for (struct delivery **at = &c->deliveries; *at;) {
        struct delivery *one = *at;
        if (one->is_settled) {
            *at = one->next;
            one->next = settled;
            settled = one;
        } else {
            at = &one->next;
        }
    }
    pthread_mutex_unlock(&c->mutex);
    while (settled) {
        struct delivery *one = settled;
        settled = one->next;
        queue_acknowledge(c->queue, &one->message);
        queue_free(&one->message);
        free(one);
    }
}

/* The caller may be slow: what it has is not lent out again. The lock is not held while the
 * connection is used, which may wait for the network. */
static void renew_deliveries(struct coordinator *c)
{
    struct queue_lease *leases = NULL;
    size_t count = 0;
    size_t capacity = 0;
    pthread_mutex_lock(&c->mutex);
    for (const struct delivery *one = c->deliveries; one; one = one->next) {
        struct queue_lease *larger = array_reserve(leases, &capacity, count + 1, sizeof *larger);
        if (!larger) {
            break;
        }
        leases = larger;
        leases[count++] = queue_lease(&one->message);
    }
    pthread_mutex_unlock(&c->mutex);
    for (size_t i = 0; i < count; i++) {
        queue_renew(c->queue, &leases[i]);
    }
    free(leases);
}

static bool is_stopping(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    bool is_so = c->is_stopping;
    pthread_mutex_unlock(&c->mutex);
    return is_so;
}

/* Results that are here and stay on the server until they are settled. */
static uint64_t count_deliveries(const struct coordinator *c)
{
    uint64_t count = 0;
    for (const struct delivery *one = c->deliveries; one; one = one->next) {
        count++;
    }
    return count;
}

/* A job that is neither in the stream nor on its way back is lost. A worker stores its result
 * before it acknowledges the job, so the stream of jobs is asked first. A server that does not
 * answer is asked again the next time. */
static void audit(struct coordinator *c)
{
    struct note why;
    struct stored_job stored[AUDIT_JOBS];
    if (job_queue_make_streams(&c->link, &why)) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    size_t count = handed_jobs_list(&c->jobs, clock_now_ns() - CLOCK_NS_PER_S, stored, AUDIT_JOBS);
    pthread_mutex_unlock(&c->mutex);
    for (size_t i = 0; i < count && !is_stopping(c); i++) {
        bool is_there = true;
        uint64_t results = 0;
        if (queue_has(c->queue, c->names.jobs, stored[i].number, &is_there) ||
            (!is_there && queue_count(c->queue, c->names.results, &results))) {
            return;
        }
        pthread_mutex_lock(&c->mutex);
        struct handed_job *job = handed_jobs_find(&c->jobs, &stored[i].key);
        bool is_on_its_way = results > count_deliveries(c);
        if (!is_there && !is_on_its_way && job && job->number == stored[i].number) {
            c->counts.repeats++;
            /* A worker had it: perhaps its result could not be read. */
            if (!job->worker || !count_failure(c, job)) {
                hand_out_again(c, job);
            }
        }
        pthread_mutex_unlock(&c->mutex);
    }
}

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
        remark(c, "the disk of %.200s is full: workers keep their results until there is space",
               c->options.server.folder);
        pthread_mutex_unlock(&c->mutex);
    }
    c->is_disk_full = is_full;
}

static void watch_server(struct coordinator *c)
{
    struct note why;
    watch_disk(c);
    if (job_queue_watch(&c->link, &why)) {
        pthread_mutex_lock(&c->mutex);
        remark(c, "%.300s; it is started again", why.text);
        pthread_mutex_unlock(&c->mutex);
    }
}

/* In the thread that may have started the server: the kernel ends the server with this thread. */
static void end_tournament(struct coordinator *c)
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

static void *keep_house(void *owner)
{
    struct coordinator *c = owner;
    int64_t watched_ns = 0;
    int64_t audited_ns = clock_now_ns();
    unsigned reconnects = 0;
    while (!is_stopping(c)) {
        store_jobs(c);
        acknowledge_settled(c);
        int64_t now_ns = clock_now_ns();
        if (now_ns - watched_ns > WATCH_MS * CLOCK_NS_PER_MS) {
            watched_ns = now_ns;
            watch_server(c);
        }
        unsigned reconnected = queue_reconnects(c->queue);
        if (now_ns - audited_ns > AUDIT_MS * CLOCK_NS_PER_MS || reconnected != reconnects) {
            audited_ns = now_ns;
            reconnects = reconnected;
            renew_deliveries(c);
            audit(c);
            pthread_mutex_lock(&c->mutex);
            drop_silent_workers(c);
            release_unverified(c);
            pthread_mutex_unlock(&c->mutex);
        }
        struct timespec until = clock_realtime_after(PAUSE_MS * CLOCK_NS_PER_MS);
        pthread_mutex_lock(&c->mutex);
        if (!c->is_stopping && !c->has_work) {
            pthread_cond_timedwait(&c->wake, &c->mutex, &until);
        }
        c->has_work = false;
        pthread_mutex_unlock(&c->mutex);
    }
    acknowledge_settled(c);
    end_tournament(c);
    return NULL;
}

/* --- Opening and closing --- */

static enum err open_link(struct coordinator *c, struct note *why)
{
    char plies[CLUSTER_SUBJECT_BYTES + 4];
    enum err err = job_queue_open(&c->link, why);
    if (err) {
        return err;
    }
    c->queue = c->link.queue;
    snprintf(plies, sizeof plies, "%s.*", c->names.ply);
    err = queue_subscribe(c->queue, c->names.hello, on_hello, c, why);
    err = err ? err : queue_subscribe(c->queue, c->names.report, on_report, c, why);
    err = err ? err : queue_subscribe(c->queue, plies, on_plies, c, why);
    return err ? err : queue_subscribe(c->queue, c->names.blob, on_blob, c, why);
}

static void free_coordinator(struct coordinator *c)
{
    job_queue_close(&c->link);
    event_list_free(&c->events);
    handed_jobs_free(&c->jobs);
    worker_list_free(&c->workers);
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
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->wake, NULL);
    enum err err = open_link(c, why);
    if (!err && pthread_create(&c->fetcher, NULL, fetch_results, c)) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread");
    } else if (!err && pthread_create(&c->keeper, NULL, keep_house, c)) {
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

/* What the caller has not settled stays on the server. */
static void return_deliveries(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    struct delivery *returned = c->deliveries;
    c->deliveries = NULL;
    pthread_mutex_unlock(&c->mutex);
    while (returned) {
        struct delivery *one = returned;
        returned = one->next;
        if (one->is_settled) {
            queue_acknowledge(c->queue, &one->message);
        } else {
            queue_give_back(c->queue, &one->message);
        }
        queue_free(&one->message);
        free(one);
    }
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
    pthread_join(c->keeper, NULL);
    return_deliveries(c);
    free_coordinator(c);
}

/* --- The caller --- */

void coordinator_attach(struct coordinator *c, void *owner, void (*on_wake)(void *owner))
{
    pthread_mutex_lock(&c->mutex);
    c->owner = owner;
    c->on_wake = on_wake;
    c->is_draining = true;
    c->phase++;
    if (c->events.first) {
        on_wake(owner);
    }
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
}

/* Its events are about games of the caller that leaves. */
void coordinator_detach(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    c->on_wake = NULL;
    event_list_free(&c->events);
    handed_jobs_free(&c->jobs);
    pthread_mutex_unlock(&c->mutex);
    return_deliveries(c);
}

bool coordinator_next(struct coordinator *c, struct coordinator_event *out)
{
    pthread_mutex_lock(&c->mutex);
    bool is_found = event_list_take(&c->events, out);
    pthread_mutex_unlock(&c->mutex);
    return is_found;
}

int coordinator_room(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    int most = 2 * worker_list_slots(&c->workers);
    most = most < COORDINATOR_MAX_JOBS ? most : COORDINATOR_MAX_JOBS;
    int room = c->is_draining ? 0 : most - (int)c->jobs.count;
    pthread_mutex_unlock(&c->mutex);
    return room > 0 ? room : 0;
}

void coordinator_complete(const struct coordinator *c, struct cluster_job *job)
{
    job->terms = c->options.terms;
    job->key.stamp = c->options.stamp;
    memcpy(job->version, c->options.needed.version, sizeof job->version);
}

enum err coordinator_hand_out(struct coordinator *c, const struct cluster_job *job,
                              bool is_verified, struct note *why)
{
    pthread_mutex_lock(&c->mutex);
    struct handed_job *handed = handed_jobs_add(&c->jobs, job);
    if (handed) {
        coordinator_complete(c, &handed->job);
        handed->is_verified = is_verified;
        wake_keeper(c);
    }
    pthread_mutex_unlock(&c->mutex);
    return handed ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for a job");
}

void coordinator_settle(struct coordinator *c, uint64_t delivery, bool is_duplicate)
{
    pthread_mutex_lock(&c->mutex);
    settle(c, delivery);
    c->counts.duplicates += is_duplicate;
    pthread_mutex_unlock(&c->mutex);
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
