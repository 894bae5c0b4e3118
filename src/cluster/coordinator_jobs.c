/* Jobs of workers: handed out, stored on the server, and handed out again when they are lost. */
#include <stdlib.h>

#include "base/clock.h"
#include "cluster/coordinator_state.h"

enum {
    STORE_MS = 5000,
    MOST_CHECKED = 256, /* jobs in one look whether the server still has them */
    MOST_FAILURES = 5,
    MOST_HAND_OUTS = 20, /* of a job that the server loses again and again */
};

/* --- The lock is held --- */

/* "A against B", or which games of self-play. */
static void name_job(const struct coordinator *c, const struct cluster_job *job, struct note *out)
{
    const struct tournament_work *work = &job->key.work;
    if (c->options.terms.is_selfplay) {
        note_set(out, "games %d to %d", work->first_game + 1, work->first_game + work->to);
    } else {
        note_set(out, "%.100s against %.100s", job->players[0].name, job->players[1].name);
    }
}

bool coordinator_jobs_give_up(struct coordinator *c, struct handed_job *job, const char *why)
{
    struct coordinator_event event = {.kind = COORDINATOR_GIVEN_UP, .key = job->job.key};
    if (!coordinator_add_event(c, &event)) {
        return false;
    }
    struct note name;
    name_job(c, &job->job, &name);
    coordinator_remark(c, "%.250s: %s; it is played here", name.text, why);
    if (job->first) {
        coordinator_results_settle(c, job->first->delivery);
    }
    handed_jobs_forget(&c->jobs, job);
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
    job->number = 0;
    job->worker = 0;
    job->hand_outs++;
    coordinator_wake_maintenance(c);
}

/* --- On the server --- */

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

void coordinator_jobs_store(struct coordinator *c)
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

/* The server has lost it: its disk, or a worker acknowledged it and its result could not be read.
 * The lock is held. */
static void repeat(struct coordinator *c, struct handed_job *job)
{
    bool is_given_up = job->worker && coordinator_jobs_count_failure(c, job);
    if (!is_given_up && job->hand_outs >= MOST_HAND_OUTS) {
        is_given_up = coordinator_jobs_give_up(c, job, "it was lost again and again");
    }
    if (!is_given_up) {
        coordinator_jobs_hand_out_again(c, job);
    }
}

/* A job that is neither in the stream nor on its way back is lost. A worker stores its result
 * before it acknowledges the job, so the stream of jobs is asked first. A server that does not
 * answer is asked again the next time. */
void coordinator_jobs_find_lost(struct coordinator *c)
{
    struct note why;
    struct stored_job stored[MOST_CHECKED];
    if (job_queue_make_streams(&c->link, &why)) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    size_t count =
        handed_jobs_list(&c->jobs, clock_now_ns() - CLOCK_NS_PER_S, stored, MOST_CHECKED);
    pthread_mutex_unlock(&c->mutex);
    for (size_t i = 0; i < count && !coordinator_is_stopping(c); i++) {
        bool is_there = true;
        uint64_t results = 0;
        if (queue_has(c->queue, c->names.jobs, stored[i].number, &is_there) ||
            (!is_there && queue_count(c->queue, c->names.results, &results))) {
            return;
        }
        pthread_mutex_lock(&c->mutex);
        struct handed_job *job = handed_jobs_find(&c->jobs, &stored[i].key);
        bool is_on_its_way = results > coordinator_results_count(c);
        if (!is_there && !is_on_its_way && job && job->number == stored[i].number) {
            c->counts.repeats++;
            repeat(c, job);
        }
        pthread_mutex_unlock(&c->mutex);
    }
}
