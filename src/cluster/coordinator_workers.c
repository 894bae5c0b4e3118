/* What workers send: who may play, what they do with jobs, what a game is at, requests for files of
 * programs. On threads of the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/cluster_host.h"
#include "cluster/coordinator_state.h"
#include "cluster/program_files.h"

/* --- Who may play --- */

enum err coordinator_workers_refuse_quarantined(const struct coordinator *c, const char *machine,
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

static enum err refuse_set_aside(const struct coordinator *c, const char *machine, struct note *why)
{
    return machine_list_is_set_aside(&c->machines, machine)
               ? note_fail(why, ERR_NEGATIVE,
                           "the machine %s is set aside: it took %d jobs in a row for each of its "
                           "slots and finished none; look at it, then restart the coordinator",
                           machine, MACHINE_LIST_MOST_UNFINISHED)
               : ERR_NONE;
}

/* The lock is held. */
static enum err refuse_worker(const struct coordinator *c, const struct cluster_hello *hello,
                              struct note *why)
{
    const struct coordinator_options *options = &c->options;
    enum err err = coordinator_workers_refuse_quarantined(c, hello->machine, why);
    err = err ? err : refuse_set_aside(c, hello->machine, why);
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
    machine_list_note_slots(&c->machines, hello->machine, hello->concurrency);
    if (percent) {
        snprintf(comparison, sizeof comparison, ", %d %% as fast as this machine", percent);
    }
    if (worker_list_note(&c->workers, hello, clock_now_ns())) {
        coordinator_remark(c, "worker %s: %d game%s at once%s%s", hello->machine,
                           hello->concurrency, hello->concurrency == 1 ? "" : "s", comparison,
                           speed->wall < speed->processor / 2 ? "; it is busy with other programs"
                                                              : "");
        coordinator_add_event(c, &(struct coordinator_event){.kind = COORDINATOR_CHANGED});
    }
}

void coordinator_workers_drop_silent(struct coordinator *c)
{
    struct known_worker worker;
    while (worker_list_take_silent(&c->workers, clock_now_ns(), &worker)) {
        coordinator_remark(c, "worker %s is silent", worker.machine);
    }
}

static void on_hello(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct cluster_hello hello;
    struct cluster_welcome welcome = {.conditions = c->conditions, .terms = c->options.terms};
    struct cluster_bytes bytes = {0};
    if (cluster_read_hello(data, count, &hello, &welcome.why)) {
        welcome.is_refused = true;
    } else {
        pthread_mutex_lock(&c->mutex);
        welcome.is_refused = refuse_worker(c, &hello, &welcome.why);
        if (welcome.is_refused) {
            coordinator_remark(c, "worker %s is refused: %.300s", hello.machine, welcome.why.text);
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

/* --- What becomes of jobs --- */

static void note_unfinished(struct coordinator *c, const char *machine)
{
    struct note why;
    c->counts.unfinished++;
    coordinator_note_failure(c, machine, COORDINATOR_LOST);
    if (machine_list_note_unfinished(&c->machines, machine) && refuse_set_aside(c, machine, &why)) {
        coordinator_remark(c, "WARNING: %.300s", why.text);
    }
}

/* A worker plays a job. One that had it before has neither delivered nor returned it: its lease ran
 * out. */
static void note_begun(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &report->key);
    if (!job || machine_list_is_set_aside(&c->machines, report->machine)) {
        return;
    }
    if (job->worker) {
        note_unfinished(c, job->machine);
        if (coordinator_jobs_count_failure(c, job)) {
            return;
        }
    }
    job->worker = report->worker;
    memcpy(job->machine, report->machine, sizeof job->machine);
}

/* A worker does not play a job that it had. */
static void note_returned(struct coordinator *c, const struct cluster_report *report)
{
    struct handed_job *job = handed_jobs_find(&c->jobs, &report->key);
    if (report->kind == CLUSTER_RETURNED) {
        coordinator_remark(c, "worker %s gives its work back: %.300s", report->machine,
                           report->why.text);
    }
    if (!job || job->worker != report->worker) {
        return;
    }
    job->worker = 0;
    if (report->kind == CLUSTER_RETURNED) {
        coordinator_note_failure(c, report->machine, COORDINATOR_RETURNED);
    } else {
        coordinator_jobs_give_up(c, job, "its result is larger than the NATS server accepts");
    }
}

static void on_report(void *owner, const void *data, size_t count, const char *reply)
{
    struct coordinator *c = owner;
    struct cluster_report report;
    struct note ignored;
    (void)reply;
    if (cluster_read_report(data, count, &report, &ignored)) {
        return;
    }
    pthread_mutex_lock(&c->mutex);
    if (report.kind == CLUSTER_BEGUN) {
        note_begun(c, &report);
    } else if (report.kind == CLUSTER_LEAVING) {
        coordinator_remark(c, "worker %s leaves%s%.300s", report.machine,
                           *report.why.text ? ": " : "", report.why.text);
        worker_list_forget(&c->workers, report.worker);
    } else {
        note_returned(c, &report);
    }
    pthread_mutex_unlock(&c->mutex);
}

/* --- Running games and files --- */

/* Spectators see what the worker shows that has begun the job; its report may come later. */
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
    bool is_shown =
        c->on_wake && job && !job->first && (!job->worker || job->worker == event.plies->worker);
    if (!is_shown || !coordinator_add_event(c, &event)) {
        free(event.plies);
    }
    pthread_mutex_unlock(&c->mutex);
}

static void on_blob(void *owner, const void *data, size_t count, const char *reply)
{
    const struct coordinator *c = owner;
    program_files_answer(c->queue, c->options.blobs, data, count, reply);
}

enum err coordinator_workers_subscribe(struct coordinator *c, struct note *why)
{
    char plies[CLUSTER_SUBJECT_BYTES + 4];
    snprintf(plies, sizeof plies, "%s.*", c->names.ply);
    enum err err = queue_subscribe(c->queue, c->names.hello, on_hello, c, why);
    err = err ? err : queue_subscribe(c->queue, c->names.report, on_report, c, why);
    err = err ? err : queue_subscribe(c->queue, plies, on_plies, c, why);
    return err ? err : queue_subscribe(c->queue, c->names.blob, on_blob, c, why);
}
