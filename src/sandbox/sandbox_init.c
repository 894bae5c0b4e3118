#include "sandbox/sandbox_init.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_player.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_view.h"

enum { BACKLOG = 16 };

/* The user outside the sandbox, read before the namespace hides it. */
struct sandbox_origin {
    uid_t user;
    gid_t group;
    bool is_root; /* with the right to become another user */
};

static _Noreturn void fail(const struct sandbox_init *init, unsigned feature,
                           const struct note *why)
{
    sandbox_job_report_failure(init->control, feature, why);
    _exit(ERR_ENVIRONMENT);
}

static const atomic_int *is_stopped; /* for the handler */

/* To all processes of the namespace but this one, at one moment: also to a process that is just
 * being started. */
static void forward_to_all(int signal)
{
    kill(-1, signal != SANDBOX_INIT_OBEY ? signal : atomic_load(is_stopped) ? SIGSTOP : SIGCONT);
}

/* The kernel kills this process when the supervisor dies. If the supervisor died before the call,
 * the other end of the status pipe is closed. */
static void tie_to_supervisor(const struct sandbox_init *init)
{
    struct pollfd reader = {.fd = init->status[1]};
    close(init->status[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (poll(&reader, 1, 0) != 0) {
        _exit(0);
    }
}

static enum err raise_loopback(struct note *why)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return sandbox_job_report_errno(why, "no socket");
    }
    enum err err = ERR_NONE;
    if (ioctl(fd, SIOCSIFFLAGS, &request) != 0) {
        err = sandbox_job_report_errno(why, "no loopback");
    }
    close(fd);
    return err;
}

/* A listener on 127.0.0.1, for the judge. */
static enum err listen_on(int port, int *out, struct note *why)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return sandbox_job_report_errno(why, "no socket");
    }
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0) {
        enum err err = sandbox_job_report_errno(why, "no listener");
        close(fd);
        return err;
    }
    *out = fd;
    return ERR_NONE;
}

static enum err open_network(const struct sandbox_job *job, int *listener, struct note *why)
{
    enum err err = raise_loopback(why);
    *listener = -1;
    if (!err && job->listen_port > 0) {
        err = listen_on(job->listen_port, listener, why);
    }
    return err;
}

static void arrange_files(const struct sandbox_init *init, const struct sandbox_origin *origin,
                          const struct sandbox_programs *programs,
                          const struct sandbox_folder *entries)
{
    struct sandbox_view view;
    struct note why;
    struct sandbox_view_spec spec = {
        .folder = init->job->folder,
        .entries = entries,
        .private_folder = init->job->private_folder,
        .programs = programs,
        .disk_bytes = init->job->limits.disk_bytes,
        .is_root = origin->is_root,
        .user = init->job->user,
    };
    if (sandbox_view_collect(&view, &spec, &why) || sandbox_view_enter(&view, &spec, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    if (sandbox_job_has(init->job, SANDBOX_FRESH_PROC) && sandbox_view_mount_proc(&why)) {
        fail(init, SANDBOX_FRESH_PROC, &why);
    }
    if (sandbox_view_pivot(&why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
}

/* Everything that needs privileges; afterwards there are none left. */
static void settle(const struct sandbox_init *init, const struct sandbox_origin *origin,
                   const struct sandbox_programs *programs, const struct sandbox_folder *entries,
                   int *listener)
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
        fail(init, SANDBOX_CGROUPS, &why);
    }
    (void)unshare(CLONE_NEWCGROUP);
    (void)!sethostname("sandbox", strlen("sandbox"));
    if (open_network(init->job, listener, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    arrange_files(init, origin, programs, entries);
    if (origin->is_root && sandbox_identity_leave_root_to_namespace(proc, init->job->user, &why)) {
        fail(init, SANDBOX_NAMESPACES, &why);
    }
    sandbox_identity_limit_quotas(proc, init->job->limits.inotify_instances);
    close(proc);
}

static pid_t start_player(const struct sandbox_init *init, const struct sandbox_programs *programs,
                          const struct sandbox_folder *entries, int listener)
{
    const char *folder =
        *init->job->private_folder ? init->job->private_folder : SANDBOX_VIEW_PRIVATE;
    struct sandbox_player player = {
        .job = init->job,
        .programs = programs,
        .entries = entries,
        .private_folder = folder,
        .control = init->control,
        .listener = listener,
        .folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
        .watch = init->watch,
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

/* The program can see this process, so it keeps no other descriptor from outside the sandbox. */
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

static _Noreturn void run(const struct sandbox_init *init, const struct sandbox_origin *origin)
{
    struct sandbox_programs programs = {0};
    struct sandbox_folder entries = {0};
    struct note why;
    int listener = -1;
    sandbox_programs_find(init->job->command, init->job->folder, getenv("PATH"), &programs);
    if (programs.error) {
        errno = programs.error;
        note_set(&why, "cannot look for its programs: %s", strerror(errno));
        fail(init, 0, &why);
    }
    if (*programs.refusal.text) {
        errno = 0; /* not a shortage */
        fail(init, 0, &programs.refusal);
    }
    if (sandbox_folder_list(init->job->folder, init->job->command, &init->job->rule, &entries,
                            &why)) {
        fail(init, 0, &why);
    }
    settle(init, origin, &programs, &entries, &listener);
    tie_to_supervisor(init);
    struct sigaction forwarding = {.sa_handler = forward_to_all};
    sigaction(SIGTERM, &forwarding, NULL);
    is_stopped = init->is_stopped;
    sigaction(SANDBOX_INIT_OBEY, &forwarding, NULL);
    pid_t player = start_player(init, &programs, &entries, listener);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (sandbox_identity_drop_capabilities(&why)) {
        fail(init, 0, &why);
    }
    sandbox_programs_free(&programs);
    sandbox_folder_free(&entries);
    reap_until_end_of(player, keep_only(init->status[1]));
}

enum err sandbox_init_start(const struct sandbox_init *init, pid_t *pid, struct note *why)
{
    struct sandbox_origin origin = {geteuid(), getegid(),
                                    sandbox_job_has(init->job, SANDBOX_OTHER_USER)};
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
