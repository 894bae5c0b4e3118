/* Results of workers: fetched, checked, compared where two machines play, given to the caller, and
 * acknowledged when the caller has settled them. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "cluster/cluster_pack.h"
#include "cluster/coordinator_state.h"
#include "cluster/result_check.h"

enum { FETCH_MS = 1000, FETCH_MOST = 32 };

struct delivery {
    struct delivery *next;
    uint64_t id;
    uint64_t number; /* in the stream */
    struct queue_message message;
    bool is_settled;
};

/* --- Deliveries: results that the caller has not settled --- */

void coordinator_results_settle(struct coordinator *c, uint64_t id)
{
    for (struct delivery *one = c->deliveries; one; one = one->next) {
        if (one->id == id) {
            one->is_settled = true; /* it is acknowledged when the maintenance looks again */
        }
    }
}

uint64_t coordinator_results_count(const struct coordinator *c)
{
    uint64_t count = 0;
    for (const struct delivery *one = c->deliveries; one; one = one->next) {
        count++;
    }
    return count;
}

void coordinator_results_acknowledge(struct coordinator *c)
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
void coordinator_results_renew(struct coordinator *c)
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

void coordinator_results_return(struct coordinator *c)
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

/* --- From the server to the caller --- */

/* A result for a job that is handed out is checked here, so that the caller's thread is not. */
static enum err check_result(struct coordinator *c, struct cluster_result *result,
                             bool *is_expected, struct note *why)
{
    struct cluster_job *job = malloc(sizeof *job);
    if (!job) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory");
    }
    if (coordinator_workers_refuse_quarantined(c, result->machine, why)) {
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
    enum err err =
        *is_expected ? result_check(c->options.cpu, &c->options.terms, job, result, why) : ERR_NONE;
    free(job);
    return err;
}

/* A job whose result cannot be true goes out again. The lock is held. */
static void refuse_result(struct coordinator *c, const struct cluster_result *result,
                          const struct note *why)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &result->key);
    c->counts.refused++;
    coordinator_remark(c, "a result of worker %s is refused: %.300s", result->machine, why->text);
    coordinator_note_failure(c, result->machine, COORDINATOR_REFUSED);
    struct note ignored;
    bool is_own_fault = !coordinator_workers_refuse_quarantined(c, result->machine, &ignored);
    if (job && (!is_own_fault || !coordinator_jobs_count_failure(c, job))) {
        coordinator_jobs_hand_out_again(c, job);
    }
}

/* Gives a result that was held back to the caller, and forgets the job. */
static void release_first(struct coordinator *c, struct handed_job *job)
{
    if (coordinator_add_event(c, job->first)) {
        free(job->first);
        job->first = NULL;
        coordinator_jobs_remove(c, job);
    }
}

/* On a machine that may play. */
static bool has_other_machine(const struct coordinator *c, const char *machine)
{
    for (size_t i = 0; i < c->workers.count; i++) {
        const char *other = c->workers.list[i].machine;
        if (strcmp(other, machine) != 0 && !machine_list_is_set_aside(&c->machines, other)) {
            return true;
        }
    }
    return false;
}

/* The second result of a job that two machines play. */
static void compare_results(struct coordinator *c, struct handed_job *job,
                            struct coordinator_event *event)
{
    const struct cluster_result *first = &job->first->result;
    struct note why;
    coordinator_results_settle(c, event->delivery);
    if (strcmp(first->machine, event->result.machine) == 0) {
        c->counts.duplicates++;
    } else if (!result_compare(first, &event->result, &why)) {
        c->counts.verified++;
        release_first(c, job);
    } else {
        c->counts.differing++;
        coordinator_remark(
            c,
            "WARNING: the machines %s and %s played %.60s against %.60s differently, though both "
            "players are deterministic: %.120s",
            first->machine, event->result.machine, job->job.players[0].name,
            job->job.players[1].name, why.text);
        coordinator_jobs_give_up(c, job, "two machines disagree about this pairing");
    }
    cluster_result_free(&event->result);
}

/* The first one: it is held back until another machine has played the job. */
static bool hold_back(struct coordinator *c, struct handed_job *job,
                      const struct coordinator_event *event)
{
    if (!has_other_machine(c, event->result.machine)) {
        c->counts.unverified++;
        return false;
    }
    job->first = malloc(sizeof *job->first);
    if (!job->first) {
        return false;
    }
    *job->first = *event;
    memcpy(job->job.avoid, event->result.machine, sizeof job->job.avoid);
    coordinator_jobs_hand_out_again(c, job);
    return true;
}

void coordinator_results_release_unverified(struct coordinator *c)
{
    for (size_t i = c->jobs.count; i-- > 0;) {
        struct handed_job *job = c->jobs.list[i];
        if (job->first && !has_other_machine(c, job->first->result.machine)) {
            c->counts.unverified++;
            release_first(c, job);
        }
    }
}

/* The server has lent it out once more, because its lease ran out. It is not acknowledged before
 * the first copy is settled. The lock is held. */
static bool is_held_already(struct coordinator *c, struct queue_message *message)
{
    for (struct delivery *one = c->deliveries; one; one = one->next) {
        if (one->number == queue_number(message)) {
            struct queue_message before = one->message;
            one->message = *message;
            queue_free(&before);
            return true;
        }
    }
    return false;
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
    *delivery = (struct delivery){c->deliveries, c->last_delivery + 1, queue_number(message),
                                  *message, false};
    event->delivery = delivery->id;
    event->is_expected = event->is_expected && job; /* since then given up? */
    bool is_compared = event->is_expected && job->first;
    bool is_held =
        !is_compared && event->is_expected && job->is_verified && hold_back(c, job, event);
    if (!is_compared && !is_held && !coordinator_add_event(c, event)) {
        free(delivery);
        return false;
    }
    c->deliveries = delivery;
    c->last_delivery++;
    c->counts.results++;
    machine_list_note_result(&c->machines, event->result.machine);
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
    pthread_mutex_lock(&c->mutex);
    bool is_kept = is_held_already(c, message);
    pthread_mutex_unlock(&c->mutex);
    if (is_kept) {
        cluster_result_free(&event.result);
        return;
    }
    err = err ? err : check_result(c, &event.result, &event.is_expected, &why);
    event.key = event.result.key;
    pthread_mutex_lock(&c->mutex);
    if (!err) {
        is_kept = keep_result(c, message, &event);
    } else if (err == ERR_INPUT && is_read) {
        refuse_result(c, &event.result, &why);
    } else if (err == ERR_INPUT) {
        c->counts.refused++;
        coordinator_remark(c, "a result is refused: %.300s", why.text);
    }
    pthread_mutex_unlock(&c->mutex);
    if (is_kept) {
        return;
    }
    if (err == ERR_INPUT) {
        queue_acknowledge(c->queue, message);
    } else {
        queue_give_back(c->queue, message);
        coordinator_pause(COORDINATOR_RETRY_MS);
    }
    queue_free(message);
    cluster_result_free(&event.result);
}

/* What an earlier run has left, before this one hands out jobs. The jobs are read before the
 * results are fetched: what is in neither was not played. A caller that detaches meanwhile takes
 * none. */

static void set_attach(struct coordinator *c, unsigned phase, enum attach_state state)
{
    pthread_mutex_lock(&c->mutex);
    if (c->phase == phase) {
        c->attach = state;
    }
    pthread_mutex_unlock(&c->mutex);
}

static void begin_drain(struct coordinator *c, unsigned phase)
{
    if (coordinator_jobs_read(c)) {
        coordinator_pause(COORDINATOR_RETRY_MS);
    } else {
        set_attach(c, phase, ATTACH_DRAINS);
    }
}

/* No result waits any more. */
static void end_drain(struct coordinator *c, unsigned phase)
{
    struct coordinator_event event = {.kind = COORDINATOR_PENDING};
    set_attach(c, phase, ATTACH_OFFERS);
    pthread_mutex_lock(&c->mutex);
    bool is_current = c->phase == phase && c->on_wake;
    for (size_t i = 0; is_current && i < c->pending_count; i++) {
        event.key = c->pending[i].key;
        memcpy(event.name, c->pending[i].name, sizeof event.name);
        (void)coordinator_add_event(c, &event); /* if too many wait: the job is removed */
    }
    event = (struct coordinator_event){.kind = COORDINATOR_READY};
    if (is_current && !coordinator_add_event(c, &event)) {
        c->attach = ATTACH_DRAINS;
    }
    pthread_mutex_unlock(&c->mutex);
}

void *coordinator_results_fetch(void *owner)
{
    struct coordinator *c = owner;
    struct note why;
    pthread_mutex_lock(&c->mutex);
    while (!c->is_stopping) {
        if (!c->on_wake || c->attach == ATTACH_OFFERS) {
            pthread_cond_wait(&c->wake, &c->mutex);
            continue;
        }
        unsigned phase = c->phase;
        enum attach_state state = c->attach;
        pthread_mutex_unlock(&c->mutex);
        if (state == ATTACH_READS) {
            begin_drain(c, phase);
            pthread_mutex_lock(&c->mutex);
            continue;
        }
        bool is_draining = state == ATTACH_DRAINS;
        struct queue_message message = {0};
        enum err err = queue_fetch(c->queue, c->names.results, is_draining ? 1 : FETCH_MOST,
                                   is_draining ? 0 : FETCH_MS, &message, &why);
        if (!err) {
            take_result(c, &message);
        } else if (err == ERR_NEGATIVE && is_draining) {
            end_drain(c, phase);
        } else if (err == ERR_ENVIRONMENT) {
            coordinator_pause(COORDINATOR_RETRY_MS);
        }
        pthread_mutex_lock(&c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}
