/* process: a player's program, started in a sandbox, seen through its standard streams.
 *
 * Everything happens on one libuv loop, in its thread; nothing here blocks. A process
 * that floods, hangs or ignores signals costs its owner a bounded amount of work per turn
 * of the loop: one read of 32 KiB from each stream, and once 2 MiB of each when it has ended.
 * SIGPIPE gets blocked in the thread that starts a process.
 *
 *   process_start → on_ready → on_output … → on_exit → process_free
 */
#ifndef SANDBOX_PROCESS_H
#define SANDBOX_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "sandbox/sandbox.h"
#include "sandbox/violation.h"

enum {
    PROCESS_STDERR_BYTES = 64 * 1024,    /* kept of what a program writes to stderr */
    PROCESS_BACKLOG_BYTES = 1024 * 1024, /* written to it, not yet read by it */
};

struct process;
struct uv_loop_s; /* uv_loop_t, for those that have a loop */

/* Nothing in it is used after process_start. */
struct process_spec {
    const char *command; /* run as sh -c "exec COMMAND" */
    const char *folder;  /* the agent's own: read-only, the working directory; NULL: the current */
    /* A folder that it may write to, under this very path. The sandbox's user becomes its owner.
     * NULL: a fresh temporary one that vanishes with the process; process_private_folder()
     * tells where it is. In namespaces that one cannot outgrow the disk limit; any other
     * is looked at several times a second. */
    const char *private_folder;
    bool
        private_is_cwd; /* start in the private folder instead, with links to what is in `folder` */
    bool wants_terminal; /* its stdin and stdout are pseudo-terminals without echo */
    int listen_port;     /* 0: none; else a listener on 127.0.0.1 inside the sandbox */
    int cpu;             /* the only one it may run on; -1: any */
    const struct sandbox *sandbox;
    const char *const *environment; /* "NAME=VALUE" more or instead, NULL at the end; may be NULL */
};

enum process_end {
    PROCESS_EXITED,        /* code: its exit code */
    PROCESS_SIGNALLED,     /* code: the signal */
    PROCESS_KILLED,        /* by process_kill, or by process_quit after its grace */
    PROCESS_OUT_OF_MEMORY, /* the kernel killed it at its memory limit */
    PROCESS_OUT_OF_DISK,   /* stopped: its private folder grew beyond the disk limit */
    PROCESS_FLOODED,       /* stopped: it wrote more than the output limit */
    PROCESS_NOT_STARTED,   /* the sandbox could not be set up or broke */
};

struct process_exit {
    enum process_end how;
    int code;
    bool is_ours; /* this machine ran out of something, or the helper failed: not the program */
    char sentence[NOTE_BYTES + 32]; /* for the program's author: "it was killed by signal 11 (…)" */
};

/* Any of them may be NULL, and may call any function below, process_free included. */
struct process_events {
    void *owner;
    /* The command runs: its listener and private folder can be asked for. */
    void (*on_ready)(void *owner);
    /* From stdout, in pieces as they come; never empty. */
    void (*on_output)(void *owner, const char *bytes, size_t count);
    /* The last event, exactly once: it and everything it started are gone, and all
     * output was delivered. */
    void (*on_exit)(void *owner, const struct process_exit *exit);
    /* It tried something that the sandbox refuses: once for each thing, and before on_exit again
     * with how often it did so since. */
    void (*on_violation)(void *owner, const struct violation *violation);
};

/* Returns before the program runs. What goes wrong later comes with on_exit. An error is always
 * ours. */
MUST_USE enum err process_start(struct uv_loop_s *loop, const struct process_spec *spec,
                                const struct process_events *events, struct process **out,
                                struct note *why);

/* The listening socket, which then belongs to the caller; -1 before on_ready, when taken,
 * when not asked for, and when the sandbox has no network namespace: then the program looks for
 * its listener on the machine's own loopback. */
int process_take_listener(struct process *process);

/* From on_ready on: a path by which *this* process reaches the private folder; NULL before.
 * Valid until process_free. */
const char *process_private_folder(const struct process *process);

/* Never blocks. False when the program is gone, has closed its stdin, or has left
 * PROCESS_BACKLOG_BYTES unread. Without memory it is stopped, which is ours. */
bool process_write(struct process *process, const void *bytes, size_t count);

/* How much of the processors it may use. */
enum process_pace {
    PROCESS_RUNS,   /* as much as every other program */
    PROCESS_YIELDS, /* what the others leave, where it has a cgroup; else as PROCESS_RUNS */
    PROCESS_FROZEN, /* nothing: all its processes are stopped where they are */
};

/* Soon, and until the next call. A program that is asked to end or killed runs. Without a cgroup
 * SIGSTOP and SIGCONT do it, which a program can notice: see docs/sandbox.md. */
void process_set_pace(struct process *process, enum process_pace pace);

/* The whole tree, at once; on_exit follows. */
void process_kill(struct process *process);

/* Closes stdin, sends SIGTERM to all of it, kills what is left after the grace. */
void process_quit(struct process *process, int grace_ms);

/* The processor time of all its processes so far; -1: not known. Without a cpu cgroup a part is
 * estimated, see process_time.h. */
int64_t process_used_ns(struct process *process);

/* For process_waited_ns: from now on, instead of from its start. */
void process_begin_wait(struct process *process);

/* The time since then for which it wanted a processor that neither its own processes nor this one
 * occupied: see process_time.h. Meanwhile it is called several times a second, at times that the
 * program does not know. 0: none, or not known. */
int64_t process_waited_ns(struct process *process);

/* Does it, or anything that it started, hold the socket with this inode? */
bool process_has_socket(const struct process *process, uint64_t inode);

/* What it has written so far to stdout and stderr, in bytes. */
int64_t process_output_bytes(const struct process *process);

/* It has closed its stdout. */
bool process_has_closed_output(const struct process *process);

/* Copies what was kept of stderr: the beginning and, after a line with how much was
 * left out, the end. Always NUL-terminated if there is room; returns the length. */
size_t process_stderr(struct process *process, char *out, size_t room);

/* The same while it runs, without a last line that is not complete. */
size_t process_stderr_so_far(const struct process *process, char *out, size_t room);

/* No event follows. A program that still runs is killed; the loop must continue
 * running until that is done (uv_run by default does). NULL is allowed. */
void process_free(struct process *process);

#endif
