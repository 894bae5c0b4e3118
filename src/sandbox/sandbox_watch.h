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
 * Sources: seccomp_unotify(2), Documentation/userspace-api/seccomp_filter.rst of Linux.
 */
#ifndef SANDBOX_SANDBOX_WATCH_H
#define SANDBOX_SANDBOX_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/violation.h"
#include "sandbox/watch_rules.h"

struct seccomp_notif;
struct seccomp_notif_resp;
struct sandbox_watch;

/* --- In the process that becomes the program: which calls the filter reports. --- */

enum { SANDBOX_WATCH_NUMBERS = 512 }; /* of calls: all are below */

struct watched_call {
    const char *names;
    int error;       /* the sandbox refuses it with this errno; 0: the kernel decides */
    bool is_partial; /* only calls with certain arguments are refused or reported: sandbox_seccomp
                        has the rules */
    void (*note)(struct sandbox_watch *, const struct seccomp_notif *);
    /* Instead: each path that it reads or writes, with the numbers of its arguments. "w0" is
     * argument 0; "r12f" is argument 2, from the folder 1 on, with flags in the next argument. */
    const char *paths;
};

extern const struct watched_call sandbox_watch_calls[];
extern const size_t sandbox_watch_call_count;

/* The names after the next one that is a call of this processor, whose number is *number then;
 * NULL: there is none. */
const char *sandbox_watch_next_call(const char *names, int *number);

/* --- In the supervisor. --- */

struct sandbox_watch {
    struct watch_rules rules;
    const struct watched_call *calls[SANDBOX_WATCH_NUMBERS];
    pid_t seeker;     /* looks for a file, or did; 0: none */
    bool is_in_doubt; /* the call that is looked at counts only if a hidden file exists */
    int socket;       /* where a report with the filter's listener comes from; -1: no more */
    int listener;     /* -1: not here yet, or the program has ended */
    struct seccomp_notif *question;
    struct seccomp_notif_resp *answer;
    struct violation_list list;
    int64_t sent[VIOLATION_MAX];     /* how much of each row's count was reported */
    bool was_hostile[VIOLATION_MAX]; /* when it was reported */
    int hostile;                     /* attempts that only an attacker makes */
    int64_t left_ns;                 /* of the processor time that it may use */
    int64_t filled_ns;               /* when that was added to */
};

/* `socket` belongs to the watch then; -1: nothing is watched. The job outlives the watch. */
void sandbox_watch_init(struct sandbox_watch *watch, const struct sandbox_job *job, int socket);

/* What to poll for reading, -1: nothing. *limit_ms is how long to wait at most before this is asked
 * again, -1: any time. */
int sandbox_watch_source(struct sandbox_watch *watch, int *limit_ms);

/* Call it when poll() returns `events` for the source: answers one call. Sends the first of each
 * row of violations to `control`. */
void sandbox_watch_step(struct sandbox_watch *watch, short events, int control);

/* Sends what was not yet sent, when the program has ended. */
void sandbox_watch_finish(struct sandbox_watch *watch, int control);

#endif
