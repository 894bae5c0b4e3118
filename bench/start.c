/* start: what it costs to start a program in the sandbox, next to bubblewrap with the same
 * namespaces and a filter that is ready.
 *
 * usage: bench_start PLUM FOLDER ROUNDS        bwrap is looked up in PATH
 *
 * Starts `sh -c "exec /bin/true"` in FOLDER in turn without a sandbox, in Plum's with plum-helper,
 * which must be next to this program, and with PLUM as the helper, and in bubblewrap's. Prints the
 * medians of the processor time, of this process and all that it started, and of the time until its
 * end. The filter of bubblewrap refuses as many calls as Plum's. It has no counterpart to Plum's
 * limits, cgroups and record of attempts.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <seccomp.h>
#include <uv.h>

#include "base/clock.h"
#include "sandbox/process.h"

enum { MOST_ROUNDS = 10000, FILTER_FD = 9, REFUSED_CALLS = 60 };

enum kind { NOTHING, HELPER, ITSELF, BUBBLEWRAP, KINDS };

static const char *const names[KINDS] = {"no sandbox", "Plum, plum-helper", "Plum, its own helper",
                                         "bubblewrap"};
static double cpu_ms[KINDS][MOST_ROUNDS];
static double wall_ms[KINDS][MOST_ROUNDS];

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_start: %s\n", what);
    exit(EXIT_FAILURE);
}

static double used_ms(void)
{
    double ms = 0;
    for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
        struct rusage used;
        getrusage(who, &used);
        ms += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
              (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
    }
    return ms;
}

/* --- The two that are started without our library --- */

static void make_filter(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int file = memfd_create("filter", MFD_CLOEXEC);
    int error = 0;
    for (int call = 100; call < 100 + REFUSED_CALLS && !error; call++) { /* none that sh needs */
        bool is_needed = call == SCMP_SYS(getuid) || call == SCMP_SYS(getgid) ||
                         call == SCMP_SYS(geteuid) || call == SCMP_SYS(getegid) ||
                         call == SCMP_SYS(getppid) || call == SCMP_SYS(arch_prctl) ||
                         call == SCMP_SYS(setsid) || call == SCMP_SYS(capget) ||
                         call == SCMP_SYS(capset) || call == SCMP_SYS(prctl);
        error = is_needed ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
    }
    if (error || seccomp_export_bpf(filter, file) != 0 || dup2(file, FILTER_FD) < 0) {
        fail("cannot make a filter");
    }
    close(file);
    seccomp_release(filter);
}

static void run_plainly(const char *program, const char *const words[])
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&actions);
    if (lseek(FILTER_FD, 0, SEEK_SET) != 0 ||
        posix_spawnp(&pid, program, &actions, NULL, (char *const *)words, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
        fail(program);
    }
    posix_spawn_file_actions_destroy(&actions);
}

static void run_in_bubblewrap(const char *folder)
{
    const char *const words[] = {"bwrap",
                                 "--unshare-user",
                                 "--unshare-pid",
                                 "--unshare-net",
                                 "--unshare-ipc",
                                 "--unshare-uts",
                                 "--unshare-cgroup-try",
                                 "--new-session",
                                 "--die-with-parent",
                                 "--ro-bind",
                                 "/usr",
                                 "/usr",
                                 "--symlink",
                                 "usr/bin",
                                 "/bin",
                                 "--symlink",
                                 "usr/lib",
                                 "/lib",
                                 "--symlink",
                                 "usr/lib64",
                                 "/lib64",
                                 "--ro-bind",
                                 "/etc/alternatives",
                                 "/etc/alternatives",
                                 "--ro-bind",
                                 "/etc/ld.so.cache",
                                 "/etc/ld.so.cache",
                                 "--proc",
                                 "/proc",
                                 "--dev",
                                 "/dev",
                                 "--tmpfs",
                                 "/tmp",
                                 "--ro-bind",
                                 folder,
                                 folder,
                                 "--chdir",
                                 folder,
                                 "--seccomp",
                                 "9",
                                 "sh",
                                 "-c",
                                 "exec /bin/true",
                                 NULL};
    run_plainly("bwrap", words);
}

static void run_without_sandbox(void)
{
    static const char *const words[] = {"sh", "-c", "exec /bin/true", NULL};
    run_plainly("/bin/sh", words);
}

/* --- Plum's --- */

static void on_exit_event(void *owner, const struct process_exit *end)
{
    struct process **process = owner;
    if (end->how != PROCESS_EXITED || end->code != 0) {
        fail(end->sentence);
    }
    process_free(*process);
}

static void run_in_plum(uv_loop_t *loop, const struct sandbox *sandbox, const char *folder)
{
    struct process *process;
    struct note why;
    const struct process_spec spec = {
        .command = "/bin/true", .folder = folder, .cpu = -1, .sandbox = sandbox};
    const struct process_events events = {.owner = &process, .on_exit = on_exit_event};
    if (process_start(loop, &spec, &events, &process, &why)) {
        fail(why.text);
    }
    uv_run(loop, UV_RUN_DEFAULT);
}

static void run(enum kind kind, uv_loop_t *loop, const struct sandbox *sandbox, const char *plum,
                const char *folder)
{
    struct sandbox own = *sandbox;
    switch (kind) {
    case NOTHING:
        run_without_sandbox();
        break;
    case HELPER:
        run_in_plum(loop, sandbox, folder);
        break;
    case ITSELF:
        own.helper_path = plum;
        run_in_plum(loop, &own, folder);
        break;
    case BUBBLEWRAP:
        run_in_bubblewrap(folder);
        break;
    case KINDS:
        break;
    }
}

/* What the parent did not wait for counts as well: bubblewrap leaves its first process behind. */
static void reap_orphans(void)
{
    while (waitpid(-1, NULL, 0) > 0) {
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    struct sandbox sandbox;
    struct note missing;
    uv_loop_t loop;
    if (argc > 1 && strcmp(argv[1], SANDBOX_CHILD) == 0) {
        sandbox_child_main(argc, argv);
    }
    int rounds = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fail("usage: bench_start PLUM FOLDER ROUNDS");
    }
    const struct sandbox_limits limits = sandbox_limits_default();
    if (sandbox_probe(SANDBOX_AUTO, &limits, NULL, &sandbox, &missing)) {
        fail(missing.text);
    }
    make_filter();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    uv_loop_init(&loop);
    for (int round = -1; round < rounds; round++) { /* one more, which reads files */
        for (enum kind kind = 0; kind < KINDS; kind++) {
            double used_before_ms = used_ms();
            int64_t before_ns = clock_now_ns();
            run(kind, &loop, &sandbox, argv[1], argv[2]);
            reap_orphans();
            if (round >= 0) {
                cpu_ms[kind][round] = used_ms() - used_before_ms;
                wall_ms[kind][round] = (double)(clock_now_ns() - before_ns) / 1e6;
            }
        }
    }
    printf("ms for a start and end, %-15s processor   of bubblewrap's   until its end\n",
           sandbox_level(&sandbox));
    double cpu[KINDS];
    for (enum kind kind = 0; kind < KINDS; kind++) {
        cpu[kind] = median(cpu_ms[kind], rounds);
    }
    for (enum kind kind = 0; kind < KINDS; kind++) {
        printf("%-38s %10.2f %17.2f %15.2f\n", names[kind], cpu[kind], cpu[kind] / cpu[BUBBLEWRAP],
               median(wall_ms[kind], rounds));
    }
    return 0;
}
