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
        cluster_job_name(job, added->name);
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
