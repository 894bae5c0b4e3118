/* cluster_subject: the names of a tournament's streams and subjects. */
#ifndef CLUSTER_CLUSTER_SUBJECT_H
#define CLUSTER_CLUSTER_SUBJECT_H

#include <stdio.h>

enum { CLUSTER_SUBJECT_BYTES = 64 };

/* What is sent on the subject `over`. Workers can make the server send them other texts there, as
 * answers to requests. */
#define CLUSTER_OVER "over"

struct cluster_subjects {
    char jobs[CLUSTER_SUBJECT_BYTES];    /* a stream */
    char job[CLUSTER_SUBJECT_BYTES];     /* and "." and its key: the subject of a job */
    char results[CLUSTER_SUBJECT_BYTES]; /* a stream */
    char result[CLUSTER_SUBJECT_BYTES];  /* its subject */
    char hello[CLUSTER_SUBJECT_BYTES];   /* a worker's greeting; answered */
    char blob[CLUSTER_SUBJECT_BYTES];    /* "HASH OFFSET"; answered by bytes of the file */
    char report[CLUSTER_SUBJECT_BYTES];  /* what a worker does */
    char ply[CLUSTER_SUBJECT_BYTES];     /* and ".USER": what a worker's games are at */
    char over[CLUSTER_SUBJECT_BYTES];    /* to all workers: the tournament is over */
};

static inline struct cluster_subjects cluster_subjects_make(const char *tournament)
{
    struct cluster_subjects out;
    snprintf(out.jobs, sizeof out.jobs, "PLUM-%.24s-JOBS", tournament);
    snprintf(out.results, sizeof out.results, "PLUM-%.24s-RESULTS", tournament);
    snprintf(out.job, sizeof out.job, "plum.%.24s.job", tournament);
    snprintf(out.result, sizeof out.result, "plum.%.24s.result", tournament);
    snprintf(out.hello, sizeof out.hello, "plum.%.24s.hello", tournament);
    snprintf(out.blob, sizeof out.blob, "plum.%.24s.blob", tournament);
    snprintf(out.report, sizeof out.report, "plum.%.24s.report", tournament);
    snprintf(out.ply, sizeof out.ply, "plum.%.24s.ply", tournament);
    snprintf(out.over, sizeof out.over, "plum.%.24s.over", tournament);
    return out;
}

#endif
