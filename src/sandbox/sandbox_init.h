/* sandbox_init: the first process inside a sandbox. It makes the namespaces habitable, starts the
 * program, and takes everything down with itself when the program has ended.
 *
 * The new root is a small file system in memory, read-only except for SANDBOX_INIT_PRIVATE, /tmp
 * and /dev/shm, which share one size limit. The system and the interpreters that a program needs
 * are mounted into it, read-only, under the paths they have outside; so is a private folder,
 * writable. The program's folder is made anew, with a mount for each entry that it may see. /etc is
 * made up.
 */
#ifndef SANDBOX_SANDBOX_INIT_H
#define SANDBOX_SANDBOX_INIT_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_player.h"

/* What a program may write to, if it has no other private folder. */
#define SANDBOX_INIT_PRIVATE "/private"

enum { SANDBOX_INIT_INODES = 16384 }; /* files, folders and links that it may make */

/* Sent to the init by its supervisor: send `order` to all other processes of the sandbox. Two
 * signals could be handled in the wrong order. */
enum { SANDBOX_INIT_OBEY = SIGUSR1 };

/* In memory that the supervisor and the init share. */
struct sandbox_init_shared {
    atomic_int order;  /* SIGSTOP or SIGCONT */
    atomic_int status; /* the program's wait status; -1: it has not ended */
};

struct sandbox_init {
    const struct sandbox_player *player; /* its listener and private folder are made here */
    const struct sandbox_cgroup *group;
    struct sandbox_init_shared *shared;
    int supervisor; /* a pidfd */
    uid_t user;     /* outside the sandbox */
    gid_t user_group;
};

/* In a process with new mount, pid, network, ipc and uts namespaces and, if it may not become
 * another user, a new user namespace. It ends with the program or its supervisor; every process of
 * the sandbox is dead once it is reaped. */
_Noreturn void sandbox_init_run(const struct sandbox_init *init);

#endif
