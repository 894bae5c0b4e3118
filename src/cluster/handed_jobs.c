#include "cluster/handed_jobs.h"

#include <stdlib.h>

#include "base/array.h"

static void free_job(struct handed_job *job)
{
    if (job->first) {
        cluster_result_free(&job->first->result);
        free(job->first);
    }
    free(job);
}

void handed_jobs_free(struct handed_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        free_job(jobs->list[i]);
    }
    free(jobs->list);
    *jobs = (struct handed_jobs){0};
}

struct handed_job *handed_jobs_add(struct handed_jobs *jobs, const struct cluster_job *job)
{
    struct handed_job **larger =
        array_reserve(jobs->list, &jobs->capacity, jobs->count + 1, sizeof(struct handed_job *));
    struct handed_job *added = larger ? calloc(1, sizeof *added) : NULL;
    jobs->list = larger ? larger : jobs->list;
    if (added) {
        added->job = *job;
        jobs->list[jobs->count++] = added;
    }
    return added;
}

struct handed_job *handed_jobs_find(const struct handed_jobs *jobs, const struct cluster_key *key)
{
    for (size_t i = 0; i < jobs->count; i++) {
        if (cluster_key_equal(&jobs->list[i]->job.key, key)) {
            return jobs->list[i];
        }
    }
    return NULL;
}

void handed_jobs_forget(struct handed_jobs *jobs, struct handed_job *job)
{
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->list[i] == job) {
            jobs->list[i] = jobs->list[--jobs->count];
            free_job(job);
            return;
        }
    }
}

size_t handed_jobs_list(struct handed_jobs *jobs, int64_t before_ns, struct stored_job *out,
                        size_t room)
{
    size_t count = 0;
    for (size_t seen = 0; seen < jobs->count && count < room; seen++) {
        const struct handed_job *job = jobs->list[jobs->listed++ % jobs->count];
        if (job->number && job->stored_ns < before_ns) {
            out[count++] = (struct stored_job){job->job.key, job->number};
        }
    }
    return count;
}
