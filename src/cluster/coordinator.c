/* Long because all that takes its lock is here.
 *
 * Threads: one fetches results and checks them, one does everything else that waits for the server.
 * Requests of workers are answered on threads of the library. All share one lock, which no thread
 * holds while it waits. */
#include "cluster/coordinator.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/number.h"
#include "cluster/cluster_pack.h"
#include "cluster/cluster_subject.h"
#include "cluster/result_check.h"

enum {
    START_MS = 60000,      /* until the server answers */
    START_AGAIN_MS = 1000, /* between two attempts to start one that ended */
    FETCH_MS = 1000,
    STORE_MS = 5000,
    PAUSE_MS = 20,     /* of the thread that does everything else */
    WATCH_MS = 500,    /* between two looks at the server's process and users */
    AUDIT_MS = 5000,   /* between two looks whether the server still has all jobs */
    SILENT_MS = 20000, /* a worker that is silent for longer does not count */
    RESULT_LEASE_MS = 60000,
    MOST_DEATHS = 5,
    BLOB_BYTES = 256 << 10,
};

/* A job that is handed out. */
struct handed_job {
    struct cluster_job job;
    uint64_t number; /* in the stream; 0: not stored yet */
    bool is_being_stored;
    int64_t stored_ns;
    uint64_t worker; /* that plays it; 0: none is known */
    int deaths;
};

struct known_worker {
    uint64_t id;
    char machine[CLUSTER_WORD_BYTES];
    int concurrency;
    int64_t heard_ns;
};

struct waiting_event {
    struct waiting_event *next;
    struct coordinator_event event;
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
    struct cluster_subjects names;
    struct queue *queue;
    pthread_t fetcher;
    pthread_t keeper;

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t wake;
    void *owner;
    void (*on_wake)(void *owner); /* NULL: detached */
    unsigned phase;               /* grows with each attach */
    bool is_draining;
    bool is_stopping;
    struct handed_job **jobs;
    size_t job_count;
    size_t job_capacity;
    struct known_worker *workers;
    size_t worker_count;
    size_t worker_capacity;
    struct waiting_event *first_event;
    struct waiting_event **last_event;
    struct delivery *deliveries;
    uint64_t last_delivery;
    struct coordinator_counts counts;
};

/* --- Events; the lock is held --- */

static void add_event(struct coordinator *c, const struct coordinator_event *event)
{
    struct waiting_event *waiting = malloc(sizeof *waiting);
    if (!waiting) {
        return; /* a result stays on the server */
    }
    waiting->event = *event;
    waiting->next = NULL;
    *c->last_event = waiting;
    c->last_event = &waiting->next;
    if (c->on_wake) {
        c->on_wake(c->owner);
    }
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

static void clear_events(struct coordinator *c)
{
    while (c->first_event) {
        struct waiting_event *waiting = c->first_event;
        c->first_event = waiting->next;
        cluster_result_free(&waiting->event.result);
        free(waiting);
    }
    c->last_event = &c->first_event;
}

static struct handed_job *find_job(struct coordinator *c, const struct cluster_key *key)
{
    for (size_t i = 0; i < c->job_count; i++) {
        if (cluster_key_equal(&c->jobs[i]->job.key, key)) {
            return c->jobs[i];
        }
    }
    return NULL;
}

static void forget_job(struct coordinator *c, struct handed_job *job)
{
    for (size_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i] == job) {
            c->jobs[i] = c->jobs[--c->job_count];
            free(job);
            return;
        }
    }
}

/* One more worker did not finish it. True: it is given up, and forgotten. */
static bool count_death(struct coordinator *c, struct handed_job *job)
{
    c->counts.deaths++;
    if (++job->deaths < MOST_DEATHS) {
        return false;
    }
    struct coordinator_event event = {.kind = COORDINATOR_GIVEN_UP, .key = job->job.key};
    remark(c, "%.100s against %.100s: %d workers did not finish this pairing; it is played here",
           job->job.players[0].name, job->job.players[1].name, job->deaths);
    add_event(c, &event);
    forget_job(c, job);
    return true;
}

/* --- Workers --- */

static const char *find_difference(const struct coordinator *c, const struct cluster_hello *hello,
                                   struct note *why)
{
    const struct cluster_host *needed = &c->options.needed;
    const struct cluster_host *host = &hello->host;
    if (strcmp(host->version, needed->version) != 0) {
        note_set(why, "this worker is plum %s, the tournament needs plum %s: install the same",
                 host->version, needed->version);
    } else if (hello->is_ready && c->options.terms.has_programs && needed->has_namespaces &&
               !host->has_namespaces) {
        note_set(why, "the sandbox of this machine lacks namespaces, which the tournament needs: "
                      "'plum sandbox' shows what to do");
    } else if (c->options.terms.has_programs && strcmp(host->libc, needed->libc) != 0) {
        note_set(why, "this machine has the C library %s, the tournament needs %s", host->libc,
                 needed->libc);
    } else if (hello->is_ready && c->options.terms.has_programs &&
               strcmp(host->python, needed->python) != 0) {
        note_set(why, "this machine has %s, the tournament needs %s",
                 *host->python ? host->python : "no Python",
                 *needed->python ? needed->python : "none");
    } else {
        return NULL;
    }
    return why->text;
}

static struct known_worker *find_worker(struct coordinator *c, uint64_t id)
{
    for (size_t i = 0; i < c->worker_count; i++) {
        if (c->workers[i].id == id) {
            return &c->workers[i];
        }
    }
    return NULL;
}

static void forget_worker(struct coordinator *c, uint64_t id)
{
    struct known_worker *worker = find_worker(c, id);
    if (worker) {
        *worker = c->workers[--c->worker_count];
    }
}

static void note_worker(struct coordinator *c, const struct cluster_hello *hello)
{
    struct known_worker *worker = find_worker(c, hello->worker);
    if (!worker) {
        struct known_worker *larger =
            array_reserve(c->workers, &c->worker_capacity, c->worker_count + 1, sizeof *larger);
        if (!larger || c->worker_count == COORDINATOR_MAX_WORKERS) {
            return;
        }
        c->workers = larger;
        worker = &c->workers[c->worker_count++];
        *worker = (struct known_worker){.id = hello->worker, .concurrency = hello->concurrency};
        snprintf(worker->machine, sizeof worker->machine, "%s", hello->machine);
        remark(c, "worker %s: %d game%s at once", hello->machine, hello->concurrency,
               hello->concurrency == 1 ? "" : "s");
        add_event(c, &(struct coordinator_event){.kind = COORDINATOR_CHANGED});
    }
    worker->heard_ns = clock_now_ns();
}

static void drop_silent_workers(struct coordinator *c)
{
    int64_t now_ns = clock_now_ns();
    for (size_t i = 0; i < c->worker_count;) {
        struct known_worker *worker = &c->workers[i];
        if (now_ns - worker->heard_ns > SILENT_MS * CLOCK_NS_PER_MS) {
            remark(c, "worker %s is silent", worker->machine);
            *worker = c->workers[--c->worker_count];
        } else {
            i++;
        }
    }
}

static int slots_of(const struct coordinator *c)
{
    int slots = 0;
    for (size_t i = 0; i < c->worker_count; i++) {
        slots += c->workers[i].concurrency;
    }
    return slots;
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
        welcome.is_refused = find_difference(c, &hello, &welcome.why);
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

/* A worker asks whether it should play a job: "1" or "0". */
static const char *note_taken(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = find_job(c, &report->key);
    if (!job || (job->worker && count_death(c, job))) {
        return "0";
    }
    job->worker = report->worker;
    return "1";
}

static void note_returned(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = find_job(c, &report->key);
    if (job) {
        job->worker = 0;
    }
}

static void on_report(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct cluster_report report;
    struct note ignored;
    const char *answer = "1";
    if (cluster_read_report(data, count, &report, &ignored)) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    if (report.kind == CLUSTER_TAKEN) {
        /* Before COORDINATOR_READY nothing is known about jobs. */
        answer = c->on_wake && !c->is_draining ? note_taken(c, &report) : "1";
    } else if (report.kind == CLUSTER_RETURNED) {
        note_returned(c, &report);
        remark(c, "worker %s gives its work back: %.300s", report.machine, report.why.text);
    } else {
        remark(c, "worker %s leaves%s%.300s", report.machine, *report.why.text ? ": " : "",
               report.why.text);
        forget_worker(c, report.worker);
    }
    pthread_mutex_unlock(&c->mutex);
    if (*reply) {
        queue_send(c->queue, reply, answer, 1);
    }
}

/* "HASH OFFSET" */
static void on_blob(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    char wish[CLUSTER_HASH_BYTES + 32];
    char path[4096];
    struct note ignored;
    int64_t offset = 0;
    if (count >= sizeof wish || !*reply) {
        return;
    }
    memcpy(wish, data, count);
    wish[count] = '\0';
    const char *hash = wish;
    char *space = strchr(wish, ' ');
    if (!space) {
        return;
    }
    *space = '\0';
    if (!cluster_is_hash(hash) ||
        number_read(space + 1, "", 0, CLUSTER_MAX_FILE_BYTES, &offset, &ignored)) {
        return;
    }
    snprintf(path, sizeof path, "%.3000s/%s", c->options.blobs, hash);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc(BLOB_BYTES);
    ssize_t got = file >= 0 && bytes ? pread(file, bytes, BLOB_BYTES, (off_t)offset) : -1;
    if (got >= 0) {
        queue_send(c->queue, reply, bytes, (size_t)got);
    }
    if (file >= 0) {
        close(file);
    }
    free(bytes);
}

/* --- Results --- */

/* The lock is held. */
static bool add_delivery(struct coordinator *c, const struct queue_message *message, uint64_t *id)
{
    struct delivery *delivery = malloc(sizeof *delivery);
    if (!delivery) {
        return false;
    }
    *id = ++c->last_delivery;
    *delivery = (struct delivery){c->deliveries, *id, *message, false};
    c->deliveries = delivery;
    return true;
}

/* A result for a job that is handed out is checked here, so that the caller's thread is not. */
static enum err check_result(struct coordinator *c, struct cluster_result *result,
                             bool *is_expected, struct note *why)
{
    struct cluster_job *job = malloc(sizeof *job);
    if (!job) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory");
    }
    pthread_mutex_lock(&c->mutex);
    const struct handed_job *handed = find_job(c, &result->key);
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
    struct handed_job *job = find_job(c, &result->key);
    c->counts.refused++;
    remark(c, "a result of worker %s is refused: %.300s", result->machine, why->text);
    if (job && !count_death(c, job)) {
        job->number = 0;
        job->worker = 0;
    }
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
    err = err ? err : check_result(c, &event.result, &event.is_expected, &why);
    event.key = event.result.key;
    bool is_kept = false;
    pthread_mutex_lock(&c->mutex);
    if (err == ERR_INPUT) {
        if (is_read) {
            refuse_result(c, &event.result, &why);
        } else {
            c->counts.refused++;
            remark(c, "a result is refused: %.300s", why.text);
        }
    } else if (!err && c->on_wake && !c->is_stopping && add_delivery(c, message, &event.delivery)) {
        struct handed_job *job = find_job(c, &event.key);
        event.is_expected = event.is_expected && job; /* since then given up? */
        if (job) {
            forget_job(c, job);
        }
        c->counts.results++;
        add_event(c, &event);
        is_kept = true;
    }
    pthread_mutex_unlock(&c->mutex);
    if (!is_kept) {
        if (err == ERR_INPUT) {
            queue_acknowledge(c->queue, message);
        } else {
            queue_give_back(c->queue, message);
        }
        queue_free(message);
        cluster_result_free(&event.result);
    }
}

/* No result waits any more: old jobs are removed, and new ones can be handed out. */
static void end_drain(struct coordinator *c, unsigned phase)
{
    struct note why;
    if (queue_purge(c->queue, c->names.jobs, &why)) {
        return; /* tried again after the next fetch */
    }
    pthread_mutex_lock(&c->mutex);
    if (c->phase == phase && c->is_draining) {
        c->is_draining = false;
        add_event(c, &(struct coordinator_event){.kind = COORDINATOR_READY});
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
            nanosleep(&(struct timespec){.tv_nsec = 100 * CLOCK_NS_PER_MS}, NULL);
        }
        pthread_mutex_lock(&c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

/* --- Everything else that waits for the server --- */

/* Takes one job that is not stored. */
static bool next_unstored(struct coordinator *c, struct cluster_job *out)
{
    bool is_found = false;
    pthread_mutex_lock(&c->mutex);
    for (size_t i = 0; !is_found && i < c->job_count; i++) {
        if (!c->jobs[i]->number && !c->is_draining) {
            *out = c->jobs[i]->job;
            is_found = true;
        }
    }
    pthread_mutex_unlock(&c->mutex);
    return is_found;
}

static void store_jobs(struct coordinator *c)
{
    struct cluster_job *job = malloc(sizeof *job);
    while (job && next_unstored(c, job)) {
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
        struct handed_job *handed = find_job(c, &job->key);
        if (handed) {
            handed->number = number;
            handed->stored_ns = clock_now_ns();
        }
        pthread_mutex_unlock(&c->mutex);
        if (!handed) { /* its result came in the meantime */
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

/* The caller may be slow: what it has is not lent out again. */
static void renew_deliveries(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    for (struct delivery *one = c->deliveries; one; one = one->next) {
        queue_renew(c->queue, &one->message);
    }
    pthread_mutex_unlock(&c->mutex);
}

static enum err make_streams(struct coordinator *c, struct note *why)
{
    enum err err =
        queue_make_stream(c->queue, c->names.results, c->names.result, RESULT_LEASE_MS, why);
    return err ? err
               : queue_make_stream(c->queue, c->names.jobs, c->names.job, c->options.terms.lease_ms,
                                   why);
}

/* A job that is neither in the stream nor on its way back is lost. A worker stores its result
 * before it acknowledges the job, so the stream of jobs is asked first. */
static void audit(struct coordinator *c)
{
    struct note why;
    uint64_t numbers[256];
    struct cluster_key keys[256];
    size_t count = 0;
    if (make_streams(c, &why)) {
        return;
    }
    int64_t now_ns = clock_now_ns();
    pthread_mutex_lock(&c->mutex);
    for (size_t i = 0; i < c->job_count && count < 256; i++) {
        if (c->jobs[i]->number && now_ns - c->jobs[i]->stored_ns > CLOCK_NS_PER_S) {
            keys[count] = c->jobs[i]->job.key;
            numbers[count++] = c->jobs[i]->number;
        }
    }
    pthread_mutex_unlock(&c->mutex);
    for (size_t i = 0; i < count; i++) {
        bool is_there = true;
        bool is_empty = false;
        if (queue_has(c->queue, c->names.jobs, numbers[i], &is_there) || is_there ||
            queue_is_empty(c->queue, c->names.results, &is_empty) || !is_empty) {
            continue;
        }
        pthread_mutex_lock(&c->mutex);
        struct handed_job *job = find_job(c, &keys[i]);
        if (job && job->number == numbers[i]) {
            job->number = 0;
            job->worker = 0;
            c->counts.repeats++;
        }
        pthread_mutex_unlock(&c->mutex);
    }
}

static void watch_server(struct coordinator *c)
{
    struct queue_server *server = &c->options.server;
    struct note why;
    if (!c->options.has_server) {
        return;
    }
    queue_server_update(server);
    if (queue_server_has_ended(server, &why)) {
        pthread_mutex_lock(&c->mutex);
        remark(c, "%.300s; it is started again", why.text);
        pthread_mutex_unlock(&c->mutex);
    }
    if (!server->process && queue_server_start(server, &why)) {
        return; /* tried again at the next look */
    }
}

static bool is_stopping(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    bool is_so = c->is_stopping;
    pthread_mutex_unlock(&c->mutex);
    return is_so;
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
            pthread_mutex_unlock(&c->mutex);
        }
        struct timespec until = clock_realtime_after(PAUSE_MS * CLOCK_NS_PER_MS);
        pthread_mutex_lock(&c->mutex);
        if (!c->is_stopping) {
            pthread_cond_timedwait(&c->wake, &c->mutex, &until);
        }
        pthread_mutex_unlock(&c->mutex);
    }
    acknowledge_settled(c);
    return NULL;
}

/* --- Opening and closing --- */

static enum err connect_to_server(struct coordinator *c, struct note *why)
{
    struct queue_server *server = &c->options.server;
    int64_t until_ns = clock_now_ns() + START_MS * CLOCK_NS_PER_MS;
    if (!c->options.has_server) {
        return queue_open(&c->queue, &c->options.address, "plum tournament", why);
    }
    enum err err = queue_server_start(server, why);
    while (!err) {
        err = queue_open(&c->queue, &c->options.address, "plum tournament", why);
        if (!err || err == ERR_NEGATIVE || clock_now_ns() > until_ns) {
            return err;
        }
        struct note ended;
        err = ERR_NONE;
        if (queue_server_has_ended(server, &ended)) {
            *why = ended;
            err = server->was_killed ? queue_server_start(server, why) : ERR_ENVIRONMENT;
        }
        nanosleep(&(struct timespec){.tv_nsec = 50 * CLOCK_NS_PER_MS}, NULL);
    }
    return err;
}

static enum err open_streams(struct coordinator *c, struct note *why)
{
    enum err err = make_streams(c, why);
    return err ? err : queue_take_back(c->queue, c->names.results, RESULT_LEASE_MS, why);
}

/* The server may be killed at any moment, also now. */
static enum err open_streams_patiently(struct coordinator *c, struct note *why)
{
    enum { PATIENCE_MS = 30000 };
    struct queue_server *server = &c->options.server;
    int64_t until_ns = clock_now_ns() + PATIENCE_MS * CLOCK_NS_PER_MS;
    enum err err = open_streams(c, why);
    while (err && c->options.has_server && clock_now_ns() < until_ns) {
        struct note ended;
        if (queue_server_has_ended(server, &ended)) {
            err = queue_server_start(server, why);
            if (err) {
                break;
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = 50 * CLOCK_NS_PER_MS}, NULL);
        err = open_streams(c, why);
    }
    return err;
}

static enum err prepare(struct coordinator *c, struct note *why)
{
    enum { LEAST_PAYLOAD = 1 << 20 };
    enum err err = connect_to_server(c, why);
    if (!err && queue_max_bytes(c->queue) < LEAST_PAYLOAD) {
        err = note_fail(why, ERR_ENVIRONMENT,
                        "the NATS server accepts messages of %zu bytes only: set max_payload to "
                        "1 MB or more",
                        queue_max_bytes(c->queue));
    }
    err = err ? err : open_streams_patiently(c, why);
    err = err ? err : queue_subscribe(c->queue, c->names.hello, on_hello, c, why);
    err = err ? err : queue_subscribe(c->queue, c->names.report, on_report, c, why);
    return err ? err : queue_subscribe(c->queue, c->names.blob, on_blob, c, why);
}

static void free_coordinator(struct coordinator *c)
{
    queue_close(c->queue);
    queue_server_stop(&c->options.server);
    clear_events(c);
    for (size_t i = 0; i < c->job_count; i++) {
        free(c->jobs[i]);
    }
    free(c->jobs);
    free(c->workers);
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
    c->names = cluster_subjects_make(options->address.tournament);
    c->last_event = &c->first_event;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->wake, NULL);
    enum err err = prepare(c, why);
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

void coordinator_close(struct coordinator *c, bool is_over)
{
    if (!c) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    c->is_stopping = true;
    c->on_wake = NULL;
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
    pthread_join(c->fetcher, NULL);
    pthread_join(c->keeper, NULL);
    if (is_over) {
        queue_remove_stream(c->queue, c->names.jobs);
        queue_remove_stream(c->queue, c->names.results);
        queue_send(c->queue, c->names.over, "", 0);
    }
    while (c->deliveries) {
        struct delivery *one = c->deliveries;
        c->deliveries = one->next;
        queue_free(&one->message);
        free(one);
    }
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
    if (c->first_event) {
        on_wake(owner);
    }
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
}

void coordinator_detach(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    c->on_wake = NULL;
    while (c->job_count) {
        free(c->jobs[--c->job_count]);
    }
    pthread_mutex_unlock(&c->mutex);
}

bool coordinator_next(struct coordinator *c, struct coordinator_event *out)
{
    pthread_mutex_lock(&c->mutex);
    struct waiting_event *waiting = c->first_event;
    if (waiting) {
        c->first_event = waiting->next;
        if (!c->first_event) {
            c->last_event = &c->first_event;
        }
        *out = waiting->event;
    }
    pthread_mutex_unlock(&c->mutex);
    bool is_found = waiting;
    free(waiting);
    return is_found;
}

int coordinator_room(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    int most = 2 * slots_of(c);
    most = most < COORDINATOR_MAX_JOBS ? most : COORDINATOR_MAX_JOBS;
    int room = c->is_draining ? 0 : most - (int)c->job_count;
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
                              struct note *why)
{
    struct handed_job *handed = calloc(1, sizeof *handed);
    pthread_mutex_lock(&c->mutex);
    struct handed_job **larger =
        array_reserve(c->jobs, &c->job_capacity, c->job_count + 1, sizeof(struct handed_job *));
    bool has_room = handed && larger;
    c->jobs = larger ? larger : c->jobs;
    if (has_room) {
        handed->job = *job;
        coordinator_complete(c, &handed->job);
        c->jobs[c->job_count++] = handed;
        pthread_cond_broadcast(&c->wake);
    } else {
        free(handed);
    }
    pthread_mutex_unlock(&c->mutex);
    return has_room ? ERR_NONE : note_fail(why, ERR_ENVIRONMENT, "no memory for a job");
}

void coordinator_settle(struct coordinator *c, uint64_t delivery, bool is_duplicate)
{
    pthread_mutex_lock(&c->mutex);
    for (struct delivery *one = c->deliveries; one; one = one->next) {
        if (one->id == delivery) {
            one->is_settled = true;
        }
    }
    c->counts.duplicates += is_duplicate;
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->mutex);
}

struct coordinator_counts coordinator_counts(struct coordinator *c)
{
    pthread_mutex_lock(&c->mutex);
    struct coordinator_counts counts = c->counts;
    counts.workers = (int)c->worker_count;
    counts.slots = slots_of(c);
    counts.jobs = (int)c->job_count;
    pthread_mutex_unlock(&c->mutex);
    return counts;
}
