/* Results of a worker: each is stored on the server, and its job is acknowledged then. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/worker_state.h"
#include "base/clock.h"
#include "base/hash.h"
#include "cluster/cluster_pack.h"

enum {
    STORE_MS = 10000,
    PAUSE_MS = 300,        /* between two attempts */
    LAST_STORE_MS = 15000, /* after Ctrl-C */
};

static enum err encode(struct worker *w, struct worker_work *work, struct cluster_bytes *out)
{
    enum err err = cluster_write_result(&work->result, out);
    err = err ? err : cluster_pack(out);
    bool is_too_large = err || out->count > queue_max_bytes(w->link.queue);
    if (is_too_large && work->result.log_count) {
        free(out->data); /* what programs printed is worth less than the games */
        *out = (struct cluster_bytes){0};
        for (size_t i = 0; i < work->result.log_count; i++) {
            free(work->result.logs[i].text);
        }
        work->result.log_count = 0;
        return encode(w, work, out);
    }
    return err;
}

/* Whether it should be tried once more to store a result. A worker that is stopped tries for a
 * while, and not at all when the tournament is over. */
static bool may_retry(struct worker *w, int64_t *stopped_ns)
{
    pthread_mutex_lock(&w->mutex);
    bool is_so = w->is_stopping;
    bool is_over = is_so && !w->err;
    pthread_mutex_unlock(&w->mutex);
    int64_t now_ns = clock_now_ns();
    *stopped_ns = *stopped_ns ? *stopped_ns : is_so ? now_ns : 0;
    return !is_so || (!is_over && now_ns - *stopped_ns < LAST_STORE_MS * CLOCK_NS_PER_MS &&
                      !queue_is_closed(w->link.queue));
}

/* Of this worker and this loan of the job: another attempt to store the same result is dropped. The
 * key of the job would not do: its first result may have been refused. */
static void name_delivery(const struct worker *w, const struct worker_work *work, char *out,
                          size_t room)
{
    struct queue_lease lease = queue_lease(&work->message);
    snprintf(out, room, "%016" PRIx64 "%016" PRIx64, w->link.hello.worker,
             hash_bytes(HASH_SEED, lease.subject, strlen(lease.subject)));
}

/* Until the server has confirmed it. */
static void deliver(struct worker *w, struct worker_work *work)
{
    struct cluster_bytes bytes = {0};
    struct note why;
    char id[64];
    int64_t stopped_ns = 0;
    enum err err = encode(w, work, &bytes);
    name_delivery(w, work, id, sizeof id);
    bool is_too_large = !err && bytes.count > queue_max_bytes(w->link.queue);
    bool is_stored = false;
    bool is_remarked = false;
    bool may_try = !err && !is_too_large;
    while (may_try && !is_stored) {
        is_stored = !queue_store(w->link.queue, w->link.names.result, bytes.data, bytes.count, id,
                                 STORE_MS, &why);
        may_try = is_stored || may_retry(w, &stopped_ns);
        if (!is_stored && may_try) {
            if (!is_remarked) {
                is_remarked = true;
                note_prefix(&why, "a result cannot be delivered yet");
                w->options->on_remark(w->options->owner, why.text);
            }
            worker_pause(PAUSE_MS);
        }
    }
    free(bytes.data);
    if (is_too_large) { /* also for every other worker */
        worker_link_report(&w->link, CLUSTER_TOO_LARGE, &work->job.key, "");
    }
    if (is_stored && is_remarked) {
        w->options->on_remark(w->options->owner, "the delayed result is delivered");
    }
    if (is_stored || is_too_large) {
        queue_acknowledge(w->link.queue, &work->message);
        worker_jobs_drop(w, work);
    } else {
        worker_jobs_give_back(
            w, work, err ? "no memory for a result" : "the server does not take the result");
        worker_stop(w, ERR_ENVIRONMENT, "a result could not be delivered; the work is given back");
    }
}

void *worker_results_deliver(void *owner)
{
    struct worker *w = owner;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        struct worker_work *work = worker_jobs_find(w, WORK_DONE);
        if (work) {
            pthread_mutex_unlock(&w->mutex);
            deliver(w, work);
            pthread_mutex_lock(&w->mutex);
        } else if (w->is_ended) {
            break;
        } else {
            pthread_cond_wait(&w->wakes[WORKER_DELIVERER], &w->mutex);
        }
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}
