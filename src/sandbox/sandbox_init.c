#include "sandbox/sandbox_init.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_network.h"
#include "sandbox/sandbox_player.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/sandbox_report.h"
#include "sandbox/sandbox_view.h"

/* Who we are outside, asked before the namespace makes us nobody. */
struct origin {
    uid_t user;
    gid_t group;
    bool is_root; /* with the right to become another user */
};

static bool has(const struct sandbox_job *job, enum sandbox_feature feature)
{
    return (job->features & feature) != 0;
}

static _Noreturn void fail(const struct sandbox_init *init, unsigned feature,
                           const struct note *why)
{
    struct sandbox_report report = {
        .kind = SANDBOX_FAILED,
        .value = (int)feature,
        .error = errno,
        .note = *why,
        .listener = -1,
        .folder = -1,
    };
    sandbox_report_send(init->control, &report);
    _exit(ERR_ENVIRONMENT);
}

static void forward_to_all(int signal) { kill(-1, signal); }

/* Asks for death with the supervisor, and makes sure that it has not died before we asked:
 * then nobody reads our status any more. */
static void tie_to_supervisor(const struct sandbox_init *init)
{
    struct pollfd reader = {.fd = init->status[1]};
    close(init->status[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (poll(&reader, 1, 0) != 0) {
        _exit(0);
    }
}

static enum err open_network(const struct sandbox_job *job, int *listener, struct note *why)
{
    enum err err = sandbox_network_raise_loopback(why);
    *listener = -1;
    if (!err && job->listen_port > 0) {
        err = sandbox_network_listen(job->listen_port, listener, why);
    }
    return err;
}

static void arrange_files(const struct sandbox_init *init, const struct origin *origin,
                          const struct sandbox_programs *programs)
{
    struct sandbox_view view;
    struct note why;
    struct sandbox_view_spec spec = {
        .folder = init->job->folder,
        .private_folder = init->job->private_folder,
        .programs = programs,
        .disk_bytes = init->job->limits.disk_bytes,
        .is_root = origin->is_root,
        .user = SANDBOX_USER,
    };
    if (sandbox_view_collect(&view, &spec, &why) || sandbox_view_enter(&view, &spec, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    if (has(init->job, SANDBOX_FRESH_PROC) && sandbox_view_mount_proc(&why)) {
        fail(init, SANDBOX_FRESH_PROC, &why);
    }
    if (sandbox_view_seal(&why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
}

/* What may only be done by somebody with rights; afterwards we have none. */
static void settle(const struct sandbox_init *init, const struct origin *origin,
                   const struct sandbox_programs *programs, int *listener)
{
    struct note why;
    int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) {
        note_set(&why, "cannot open /proc: %s", strerror(errno));
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    if (!origin->is_root && sandbox_identity_map(proc, origin->user, origin->group, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    if (sandbox_cgroup_join(init->group, &why)) {
        fail(init, SANDBOX_MEMORY_CGROUP | SANDBOX_PIDS_CGROUP, &why);
    }
    (void)unshare(CLONE_NEWCGROUP);
    (void)sethostname("sandbox", strlen("sandbox"));
    if (open_network(init->job, listener, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    arrange_files(init, origin, programs);
    if (origin->is_root && sandbox_identity_leave_root_to_namespace(proc, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    close(proc);
}

static pid_t start_player(const struct sandbox_init *init, const struct sandbox_programs *programs,
                          int listener)
{
    const char *folder =
        *init->job->private_folder ? init->job->private_folder : SANDBOX_VIEW_PRIVATE;
    struct sandbox_player player = {
        .job = init->job,
        .programs = programs,
        .private_folder = folder,
        .control = init->control,
        .listener = listener,
        .folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
    };
    struct note why;
    if (player.folder < 0) {
        note_set(&why, "cannot open the private folder: %s", strerror(errno));
        fail(init, 0, &why);
    }
    pid_t pid = fork();
    if (pid == 0) {
        sandbox_player_run(&player);
    }
    if (pid < 0) {
        note_set(&why, "cannot start a process: %s", strerror(errno));
        fail(init, 0, &why);
    }
    return pid;
}

/* Nothing of the outside may be left in the one process that the program can see. */
static int keep_only(int fd)
{
    if (fd != STDIN_FILENO) {
        dup2(fd, STDIN_FILENO);
    }
    close_range(STDIN_FILENO + 1, ~0U, 0);
    return STDIN_FILENO;
}

static _Noreturn void reap_until_end_of(pid_t player, int status_pipe)
{
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid == player || (pid < 0 && errno == ECHILD)) {
            (void)!write(status_pipe, &status, sizeof status);
            _exit(0);
        }
    }
}

static _Noreturn void run(const struct sandbox_init *init, const struct origin *origin)
{
    struct sandbox_programs programs = {0};
    struct note why;
    int listener = -1;
    sandbox_programs_find(init->job->command, init->job->folder, getenv("PATH"), &programs);
    if (programs.error) {
        errno = programs.error;
        note_set(&why, "cannot look for its programs: %s", strerror(errno));
        fail(init, 0, &why);
    }
    settle(init, origin, &programs, &listener);
    tie_to_supervisor(init);
    struct sigaction forwarding = {.sa_handler = forward_to_all};
    sigaction(SIGTERM, &forwarding, NULL);
    pid_t player = start_player(init, &programs, listener);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (sandbox_identity_drop_capabilities(&why)) {
        fail(init, 0, &why);
    }
    sandbox_programs_free(&programs);
    reap_until_end_of(player, keep_only(init->status[1]));
}

enum err sandbox_init_start(const struct sandbox_init *init, pid_t *pid, struct note *why)
{
    struct origin origin = {geteuid(), getegid(), has(init->job, SANDBOX_OTHER_USER)};
    unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                          (origin.is_root ? 0 : CLONE_NEWUSER);
    long result = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
    if (result == 0) {
        run(init, &origin);
    }
    if (result < 0) {
        note_set(why, "no namespaces: %s", sandbox_identity_refusal(errno));
        return ERR_ENVIRONMENT;
    }
    *pid = (pid_t)result;
    return ERR_NONE;
}
