/* sandbox_seccomp: the system calls that no player of a board game needs.
 *
 * What is refused fails with an error code, as on a kernel without it: programs that only
 * try whether they may live on.
 */
#ifndef SANDBOX_SANDBOX_SECCOMP_H
#define SANDBOX_SANDBOX_SECCOMP_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"

/* The sockets a program may open, besides those within its sandbox. */
enum sandbox_network {
    SANDBOX_NETWORK_OWN,    /* it has a network namespace: any it likes */
    SANDBOX_NETWORK_STREAM, /* TCP only, to reach a listener on this machine */
    SANDBOX_NETWORK_NONE,
};

struct sandbox_seccomp_rules {
    enum sandbox_network network;
    bool keeps_cpu;     /* it may not choose its processors */
    bool keeps_session; /* nor make sessions, each of which has its own share of the processors */
    bool is_measured;   /* its memory: none that cannot be, such as shared memory without a file,
                           which   is not counted while it is not mapped */
    bool is_stopped_by_signal; /* and may not have the signal sent that continues it */
    bool sees_others;          /* processes: it may not change their limits and priorities */
    bool shares_user; /* with plum: it may not change who may do what with a file, which Landlock
                         leaves open, nor use up the few inotify instances of the user */
};

/* For this process and all it starts, for good. Needs no_new_privs. With `listener` the calls of
 * sandbox_watch.h wait for its answers: *listener is then a descriptor that closes at exec. */
MUST_USE enum err sandbox_seccomp_apply(const struct sandbox_seccomp_rules *rules, int *listener,
                                        struct note *why);

#endif
