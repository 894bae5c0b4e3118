/* sandbox_seccomp: the system calls that a player of a board game may use.
 *
 * A call that is not in the list fails with ENOSYS, as on a kernel without it: programs that only
 * try whether they may continue. A call of another processor's kind (32-bit x86, x32) ends the
 * program with SIGSYS. Nothing of that is evidence: what only an attacker tries is
 * among the watched calls.
 *
 * The filter is made here and not by libseccomp, because each program's start waits for it: 0.2 ms
 * of processor time instead of 0.8 (getrusage of 200 children that do nothing else).
 */
#ifndef SANDBOX_SANDBOX_SECCOMP_H
#define SANDBOX_SANDBOX_SECCOMP_H

#include <stdbool.h>

#include "base/note.h"

/* What is special about a sandbox, as a set of bits: each refuses more. */
enum sandbox_seccomp_case {
    SANDBOX_NO_SOCKETS = 1 << 0,    /* but pairs */
    SANDBOX_ONLY_STREAMS = 1 << 1,  /* TCP alone, to reach a listener on this machine */
    SANDBOX_KEEPS_CPU = 1 << 2,     /* it may not choose its processors */
    SANDBOX_KEEPS_SESSION = 1 << 3, /* each session has its own share of the processors */
    SANDBOX_IS_MEASURED = 1 << 4,   /* no memory that cannot be measured: it has no cgroup */
    SANDBOX_IS_STOPPED = 1 << 5,    /* by a signal: it may not have that one sent that continues */
    SANDBOX_SEES_OTHERS = 1 << 6,   /* it has no namespaces */
    SANDBOX_SHARES_USER = 1 << 7,   /* with plum: Landlock leaves open who may do what with a file,
                                       and its times */
    SANDBOX_CUTS_FILES = 1 << 9,    /* Landlock is too old to know how a file is cut off */
    SANDBOX_IS_WATCHED = 1 << 8,    /* set by sandbox_seccomp_apply() itself */
};

/* For this process and all it starts, for good. Needs no_new_privs. With `listener` the watched
 * calls wait for its answers: *listener is then a descriptor that closes at exec. */
MUST_USE enum err sandbox_seccomp_apply(unsigned cases, int *listener, struct note *why);

/* Whether the call of this processor is in the list; its arguments may be refused. */
bool sandbox_seccomp_allows(int call);

/* --- For the supervisor, see sandbox_watch.h --- */

enum { SANDBOX_SECCOMP_CALLS = 512 }; /* all numbers of calls are below */

struct watched_call {
    const char *names;
    int error;       /* the sandbox refuses it with this errno; 0: the kernel decides */
    bool is_partial; /* only calls with certain arguments are refused or reported: see the rules */
    /* What it may want of others, with the numbers of its arguments. "r0", "w0": to read or write
     * the path 0; "r12f": the path 2, from the folder 1 on, with flags in the next argument; "o":
     * as openat2; "a1": to reach the address 1; "k02": to send signal 2 to process 0; "p0": to look
     * into process 0; "t": as ptrace; "f0": a family of sockets; "n0": namespaces; "e": a place in
     * epoll; "m": it always wants to change the machine. */
    const char *wants;
};

/* Fills in the watched ones, by their numbers. */
void sandbox_seccomp_list_watched(const struct watched_call *out[SANDBOX_SECCOMP_CALLS]);

#endif
