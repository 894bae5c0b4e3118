/* sandbox_watch: notices what a program tries although its sandbox does not allow it.
 *
 * The kernel stops the program at some system calls and asks the supervisor (seccomp user
 * notification, seccomp_unotify(2)). The answer does not depend on what is noticed: a call that the
 * sandbox refuses is refused, and for any other one the kernel decides as without the watch. That
 * matters because the program can change its memory after the watch has read it. For the same
 * reason a program with threads can hide a path or an address: what is recorded was tried, but not
 * all that was tried is recorded.
 *
 * The time that an answer takes does not depend on which hidden files exist: a program could
 * measure it.
 *
 * The rules that separate an attempt at harm from what ordinary programs and their libraries try
 * at their start protect nothing: the kernel refuses what they name, and more. So they are narrow:
 * a file counts only if it exists on this machine and the sandbox hides it, a write only outside
 * the folders where caches and logs are usual.
 *
 * Sources: seccomp_unotify(2), Documentation/userspace-api/seccomp_filter.rst of Linux.
 */
#ifndef SANDBOX_SANDBOX_WATCH_H
#define SANDBOX_SANDBOX_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/sandbox_seccomp.h"

struct seccomp_notif;
struct seccomp_notif_resp;

struct sandbox_watch {
    const struct sandbox_job *job;
    const struct sandbox_programs *programs; /* that its command names */
    const struct sandbox_folder *entries;    /* what it sees of its folder */
    const struct watched_call *calls[SANDBOX_SECCOMP_CALLS];
    pid_t seeker;     /* looks for a file, or did; 0: none */
    bool is_in_doubt; /* the call that is looked at counts only if a hidden file exists */
    int socket;       /* where a report with the filter's listener comes from; -1: no more */
    int listener;     /* -1: not here yet, or the program has ended */
    struct seccomp_notif *question;
    struct seccomp_notif_resp *answer;
    struct violation_list list;   /* its counts are of what was not sent yet */
    int sent_rank[VIOLATION_MAX]; /* of each row: 0: not sent yet, 2: it was hostile then */
    int hostile;                  /* attempts that only an attacker makes */
    int epoll_additions;          /* calls */
    int64_t left_ns;              /* of the processor time that it may use */
    int64_t filled_ns;            /* when that was added to */
};

/* `socket` belongs to the watch then; -1: nothing is watched. The rest outlives the watch, and the
 * lists are complete when the socket has a listener. */
void sandbox_watch_init(struct sandbox_watch *watch, const struct sandbox_job *job,
                        const struct sandbox_programs *programs,
                        const struct sandbox_folder *entries, int socket);

/* What to poll for reading, -1: nothing. *limit_ms is how long to wait at most before this is asked
 * again, -1: any time. */
int sandbox_watch_source(struct sandbox_watch *watch, int *limit_ms);

/* Call it when poll() returns `events` for the source: answers one call. Sends the first of each
 * row of violations to plum. */
void sandbox_watch_step(struct sandbox_watch *watch, short events);

/* Sends what was not yet sent, when the program has ended. Memory is left to the end of this
 * process. */
void sandbox_watch_finish(struct sandbox_watch *watch);

#endif
