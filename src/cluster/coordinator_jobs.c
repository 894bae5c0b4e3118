/* Jobs of workers: handed out, stored on the server, handed out again when they are lost, and
 * removed when they are not wanted any more. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "cluster/coordinator_state.h"

enum {
    STORE_MS = 5000,
    MOST_FAILURES = 5,
    MOST_HAND_OUTS = 20, /* of a job that the server loses again and again */
};

/* --- The lock is held --- */

/* "A against B", or which games of self-play. */
static void name_games(const struct coordinator *c, const struct cluster_job *job, struct note *out)
{
    const struct tournament_work *work = &job->key.work;
    if (c->options.terms.rules.is_selfplay) {
        note_set(out, "games %d to %d", work->first_game + 1, work->first_game + work->to);
    } else {
        note_set(out, "%.100s against %.100s", job->players[0].name, job->players[1].name);
    }
}

void coordinator_jobs_remove(struct coordinator *c, struct handed_job *job)
{
    handed_jobs_forget(&c->jobs, job);
    c->must_compare = true;
    coordinator_wake_maintenance(c);
}

bool coordinator_jobs_give_up(struct coordinator *c, struct handed_job *job, const char *why)
{
    struct coordinator_event event = {.kind = COORDINATOR_GIVEN_UP, .key = job->job.key};
    if (!coordinator_add_event(c, &event)) {
        return false;
    }
    struct note name;
    name_games(c, &job->job, &name);
    coordinator_remark(c, "%.250s: %s; it is played here", name.text, why);
    if (job->first) {
        coordinator_results_settle(c, job->first->delivery);
    }
    coordinator_jobs_remove(c, job);
    return true;
}

bool coordinator_jobs_count_failure(struct coordinator *c, struct handed_job *job)
{
    return ++job->failures >= MOST_FAILURES &&
           coordinator_jobs_give_up(c, job,
                                    "five workers did not finish it, or sent impossible results");
}

void coordinator_jobs_hand_out_again(struct coordinator *c, struct handed_job *job)
{
    job->is_stored = false;
    job->worker = 0;
    job->hand_outs++;
    coordinator_wake_maintenance(c);
}

/* --- On the server --- */

static void name_subject(const struct coordinator *c, const char *name, char *out, size_t room)
{
    snprintf(out, room, "%s.%s", c->names.job, name);
}

/* Takes one job that is not stored. */
static bool next_unstored(struct coordinator *c, struct handed_job *out)
{
    bool is_found = false;
    pthread_mutex_lock(&c->mutex);
    for (size_t i = 0; !is_found && c->attach == ATTACH_DONE && i < c->jobs.count; i++) {
        if (!c->jobs.list[i]->is_stored) {
            *out = *c->jobs.list[i];
            is_found = true;
        }
    }
    pthread_mutex_unlock(&c->mutex);
    return is_found;
}

static void note_stored(struct coordinator *c, const struct handed_job *job)
{
    pthread_mutex_lock(&c->mutex);
    struct handed_job *own = handed_jobs_find(&c->jobs, &job->job.key);
    if (own && own->hand_outs == job->hand_outs) {
        own->is_stored = true;
        own->stored_ns = clock_now_ns();
    } else { /* its result came in the meantime */
        c->must_compare = true;
    }
    pthread_mutex_unlock(&c->mutex);
}

static enum err store(const struct coordinator *c, const struct handed_job *job)
{
    char subject[CLUSTER_SUBJECT_BYTES + CLUSTER_NAME_BYTES];
    char id[3 * CLUSTER_NAME_BYTES];
    struct cluster_bytes bytes = {0};
    struct note why;
    name_subject(c, job->name, subject, sizeof subject);
    snprintf(id, sizeof id, "%s-%" PRIx64 "-%u", job->name, c->run, job->hand_outs);
    enum err err = cluster_write_job(&job->job, &bytes);
    err = err ? err : queue_store(c->queue, subject, bytes.data, bytes.count, id, STORE_MS, &why);
    free(bytes.data);
    return err;
}

void coordinator_jobs_store(struct coordinator *c)
{
    struct handed_job *job = malloc(sizeof *job);
    while (job && next_unstored(c, job) && !store(c, job)) {
        note_stored(c, job);
    }
    free(job);
}

/* --- What the server has --- */

struct listed_job {
    char name[CLUSTER_NAME_BYTES];
    bool is_wanted;
};

struct job_listing {
    struct listed_job *list; /* owned */
    size_t count;
    size_t capacity;
    bool has_failed;
};

static void list_job(void *owner, const char *name)
{
    struct job_listing *listing = owner;
    struct listed_job *larger =
        array_reserve(listing->list, &listing->capacity, listing->count + 1, sizeof *larger);
    if (!larger) {
        listing->has_failed = true;
        return;
    }
    listing->list = larger;
    struct listed_job *listed = &larger[listing->count++];
    *listed = (struct listed_job){.is_wanted = false};
    snprintf(listed->name, sizeof listed->name, "%s", name);
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(((const struct listed_job *)one)->name, ((const struct listed_job *)other)->name);
}

/* In order. The caller frees the list. */
static enum err list_jobs(const struct coordinator *c, struct job_listing *out)
{
    enum err err = queue_each_key(c->queue, c->names.jobs, c->names.job, list_job, out);
    if (!err && out->count) {
        qsort(out->list, out->count, sizeof *out->list, compare_names);
    }
    return err || out->has_failed ? ERR_ENVIRONMENT : ERR_NONE;
}

static bool is_listed(struct job_listing *listing, const char *name)
{
    struct listed_job wish = {.is_wanted = true};
    snprintf(wish.name, sizeof wish.name, "%s", name);
    struct listed_job *found =
        listing->count ? bsearch(&wish, listing->list, listing->count, sizeof wish, compare_names)
                       : NULL;
    if (found) {
        found->is_wanted = true;
    }
    return found;
}

/* The server has lost it: its disk, or a worker acknowledged it and its result could not be read.
 * The lock is held. */
static void repeat(struct coordinator *c, struct handed_job *job)
{
    c->counts.repeats++;
    bool is_given_up = job->worker && coordinator_jobs_count_failure(c, job);
    if (!is_given_up && job->hand_outs >= MOST_HAND_OUTS) {
        is_given_up = coordinator_jobs_give_up(c, job, "it was lost again and again");
    }
    if (!is_given_up) {
        coordinator_jobs_hand_out_again(c, job);
    }
}

/* `listed_ns`: before the server was asked. The lock is held. */
static void repeat_lost(struct coordinator *c, struct job_listing *listing, int64_t listed_ns,
                        bool is_result_on_its_way)
{
    for (size_t i = c->jobs.count; i-- > 0;) { /* it may be given up */
        struct handed_job *job = c->jobs.list[i];
        bool is_there = is_listed(listing, job->name);
        if (!is_there && !is_result_on_its_way && job->is_stored && job->stored_ns < listed_ns) {
            repeat(c, job);
        }
    }
}

static void remove_job(const struct coordinator *c, const char *name)
{
    char subject[CLUSTER_SUBJECT_BYTES + CLUSTER_NAME_BYTES];
    name_subject(c, name, subject, sizeof subject);
    queue_delete(c->queue, c->names.jobs, subject);
}

static void remove_unwanted(const struct coordinator *c, const struct job_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        if (!listing->list[i].is_wanted) {
            remove_job(c, listing->list[i].name);
        }
    }
}

/* A job that is neither in the stream nor on its way back is lost. A worker stores its result
 * before it acknowledges the job, so the stream of jobs is asked first. A server that does not
 * answer is asked again the next time. */
void coordinator_jobs_compare(struct coordinator *c)
{
    struct job_listing listing = {0};
    struct note why;
    int64_t listed_ns = clock_now_ns();
    uint64_t results = 0;
    if (!job_queue_make_streams(&c->link, &why) && !list_jobs(c, &listing) &&
        !queue_count(c->queue, c->names.results, &results)) {
        pthread_mutex_lock(&c->mutex);
        bool is_known = c->on_wake && c->attach == ATTACH_DONE;
        if (is_known) {
            repeat_lost(c, &listing, listed_ns, results > coordinator_results_count(c));
        }
        pthread_mutex_unlock(&c->mutex);
        if (is_known) {
            remove_unwanted(c, &listing);
        }
    }
    free(listing.list);
}

/* --- Jobs of an earlier run --- */

/* False: it is of another tournament, or of other rules. */
static bool read_pending(const struct coordinator *c, const struct queue_message *message,
                         const char *name, struct pending_job *out)
{
    struct cluster_job *job = malloc(sizeof *job);
    struct note ignored;
    bool is_own = job && !cluster_read_job(message->data, message->count, job, &ignored) &&
                  job->key.stamp == c->options.stamp && job->conditions == c->conditions;
    if (is_own) {
        out->key = job->key;
        memcpy(out->name, name, sizeof out->name);
    }
    free(job);
    return is_own;
}

enum err coordinator_jobs_read(struct coordinator *c)
{
    struct job_listing listing = {0};
    enum err err = list_jobs(c, &listing);
    free(c->pending);
    c->pending_count = 0;
    c->pending = calloc(listing.count + 1, sizeof *c->pending);
    for (size_t i = 0; !err && c->pending && i < listing.count; i++) {
        const char *name = listing.list[i].name;
        char subject[CLUSTER_SUBJECT_BYTES + CLUSTER_NAME_BYTES];
        struct queue_message message = {0};
        name_subject(c, name, subject, sizeof subject);
        err = queue_look(c->queue, c->names.jobs, subject, &message);
        if (!err && read_pending(c, &message, name, &c->pending[c->pending_count])) {
            c->pending_count++;
        } else if (!err) {
            remove_job(c, name);
        }
        err = err == ERR_NEGATIVE ? ERR_NONE : err; /* it was played since */
        queue_free(&message);
    }
    free(listing.list);
    return c->pending ? err : ERR_ENVIRONMENT;
}
