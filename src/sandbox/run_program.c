#include "sandbox/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/* How it ended, as the supervisor reports it. */
struct run_report {
    int error;  /* of execvpe; 0: the program ran */
    int status; /* of wait4 */
    int64_t cpu_s;
};

static pid_t wait_for(pid_t child, int *status, struct rusage *used)
{
    pid_t ended = 0;
    while ((ended = wait4(child, status, 0, used)) < 0 && errno == EINTR) {
    }
    return ended;
}

/* --- In the new processes --- */

static void limit(enum __rlimit_resource what, uint64_t most)
{
    struct rlimit now;
    if (most && getrlimit(what, &now) == 0 && most < now.rlim_cur) {
        struct rlimit lower = {most, now.rlim_max};
        (void)setrlimit(what, &lower);
    }
}

/* The limits are set before the program begins: set later, they would not be those of a process
 * that it has started by then. Does not return: the program runs, or its errno is in `report`. */
static void become(const char *const argv[], char **environment,
                   const struct run_program_limits *limits, int output, int report)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0) {
        limit(RLIMIT_CPU, limits->cpu_s);
        limit(RLIMIT_AS, limits->memory_bytes);
        limit(RLIMIT_FSIZE, limits->file_bytes);
        execvpe(argv[0], (char *const *)argv, environment);
    }
    struct run_report failure = {.error = errno};
    _exit(write(report, &failure, sizeof failure) == sizeof failure ? 0 : 1);
}

static void end_group(int signal_number)
{
    (void)signal_number;
    kill(0, SIGKILL);
}

/* The first process of the program's group. A death signal reaches only direct children, and a
 * compiler has children of its own: this process ends the group when plum ends, also after
 * SIGKILL. Does not return. */
static void supervise(const char *const argv[], char **environment,
                      const struct run_program_limits *limits, int output, int report, pid_t plum)
{
    struct sigaction ending = {.sa_handler = end_group};
    struct run_report ended = {0};
    struct rusage used = {0};
    setpgid(0, 0);
    sigaction(SIGTERM, &ending, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t child = getppid() == plum ? fork() : -1;
    if (child == 0) {
        become(argv, environment, limits, output, report);
    }
    close(output); /* its end is that of the program */
    if (child < 0 || wait_for(child, &ended.status, &used) < 0) {
        ended.error = errno;
    }
    ended.cpu_s = (int64_t)used.ru_utime.tv_sec + used.ru_stime.tv_sec;
    _exit(write(report, &ended, sizeof ended) == sizeof ended ? 0 : 1);
}

/* --- In this process --- */

/* The variables of this process with another TMPDIR, `word`. The caller frees the list; NULL: no
 * memory. */
static char **change_environment(char *word)
{
    size_t count = 0;
    while (environ[count]) {
        count++;
    }
    char **list = calloc(count + 2, sizeof *list);
    for (size_t i = 0, used = 0; list && i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) {
            list[used++] = environ[i];
            list[used] = word;
        }
    }
    return list;
}

/* Returns 0 or an errno. *report: where a struct run_report will come from. */
static int spawn(const char *const argv[], const struct run_program_limits *limits, int output,
                 pid_t *supervisor, int *report)
{
    int ends[2] = {-1, -1};
    char word[PATH_MAX];
    snprintf(word, sizeof word, "TMPDIR=%s", limits->temporary ? limits->temporary : "");
    char **environment = limits->temporary ? change_environment(word) : environ;
    if (!environment || pipe2(ends, O_CLOEXEC) != 0) {
        int error = environment ? errno : ENOMEM;
        free(environment == environ ? NULL : environment);
        return error;
    }
    pid_t plum = getpid();
    *supervisor = fork();
    if (*supervisor == 0) {
        supervise(argv, environment, limits, output, ends[1], plum);
    }
    int error = *supervisor < 0 ? errno : 0;
    free(environment == environ ? NULL : environment);
    if (!error) {
        setpgid(*supervisor, *supervisor); /* whichever of the two is first */
    }
    close(ends[1]);
    *report = ends[0];
    if (error) {
        close(ends[0]);
    }
    return error;
}

enum waited { WAITED_READABLE, WAITED_TOO_LONG, WAITED_INTERRUPTED };

/* For something to read, or an end, before that time; 0: any time. */
static enum waited wait_until(int input, int64_t end_ns, const atomic_bool *stop)
{
    enum { STEP_MS = 100 }; /* after a signal, at most this until it is noticed */
    for (;;) {
        if (stop && atomic_load(stop)) {
            return WAITED_INTERRUPTED;
        }
        int64_t left_ns = end_ns ? end_ns - clock_now_ns() : CLOCK_NS_PER_S;
        if (left_ns <= 0) {
            return WAITED_TOO_LONG;
        }
        int64_t left_ms = left_ns / CLOCK_NS_PER_MS + 1;
        if (poll(&(struct pollfd){.fd = input, .events = POLLIN}, 1,
                 left_ms < STEP_MS ? (int)left_ms : STEP_MS) > 0) {
            return WAITED_READABLE;
        }
    }
}

/* Reads to the end; keeps the first RUN_PROGRAM_MAX_OUTPUT bytes in `out` and adds a NUL. */
static enum waited collect(int input, int64_t end_ns, const atomic_bool *stop, char *out)
{
    size_t kept = 0;
    char chunk[4096];
    ssize_t size = 1;
    enum waited waited = WAITED_READABLE;
    while (size && (waited = wait_until(input, end_ns, stop)) == WAITED_READABLE) {
        size = read(input, chunk, sizeof chunk);
        if (size < 0 && errno != EINTR) {
            break;
        }
        size_t room = RUN_PROGRAM_MAX_OUTPUT - kept;
        size_t taken = size < 0 ? 0 : (size_t)size;
        taken = taken < room ? taken : room;
        memcpy(out + kept, chunk, taken);
        kept += taken;
    }
    out[kept] = '\0';
    return waited;
}

/* A supervisor that was ended has written nothing: then the program was ended as well. */
static struct run_report read_report(int report)
{
    struct run_report ended = {.status = SIGKILL};
    ssize_t size = 0;
    while ((size = read(report, &ended, sizeof ended)) < 0 && errno == EINTR) {
    }
    return size == sizeof ended ? ended : (struct run_report){.status = SIGKILL};
}

enum err run_program(const char *const argv[], struct run_program_result *out, struct note *why)
{
    return run_program_limited(argv, &(struct run_program_limits){0}, out, why);
}

static enum err refuse(const char *const argv[], int error, struct note *why)
{
    note_set(why, "cannot run %.40s: %s", argv[0], strerror(error));
    return ERR_ENVIRONMENT;
}

enum err run_program_limited(const char *const argv[], const struct run_program_limits *limits,
                             struct run_program_result *out, struct note *why)
{
    int ends[2] = {-1, -1};
    int report = -1;
    pid_t supervisor = 0;
    char *output = malloc(RUN_PROGRAM_MAX_OUTPUT + 1);
    if (!output || pipe2(ends, O_CLOEXEC) != 0) {
        free(output);
        return refuse(argv, errno, why);
    }
    int error = spawn(argv, limits, ends[1], &supervisor, &report);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        free(output);
        return refuse(argv, error, why);
    }
    int64_t end_ns = limits->wall_s ? clock_now_ns() + limits->wall_s * CLOCK_NS_PER_S : 0;
    enum waited waited = collect(ends[0], end_ns, limits->stop, output);
    if (waited != WAITED_READABLE) {
        kill(-supervisor, SIGKILL);
    }
    struct run_report ended = read_report(report);
    close(ends[0]);
    close(report);
    (void)wait_for(supervisor, NULL, NULL);
    if (waited == WAITED_INTERRUPTED || ended.error) {
        free(output);
        if (ended.error) {
            return refuse(argv, ended.error, why);
        }
        note_set(why, "interrupted");
        return ERR_INTERRUPTED;
    }
    bool is_out_of_time =
        waited == WAITED_TOO_LONG || (limits->cpu_s && ended.cpu_s + 1 >= (int64_t)limits->cpu_s);
    *out = (struct run_program_result){
        .is_success = WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0,
        .is_out_of_time = is_out_of_time,
        .signal = !is_out_of_time && WIFSIGNALED(ended.status) ? WTERMSIG(ended.status) : 0,
        .output = output,
    };
    return ERR_NONE;
}

void run_program_result_free(struct run_program_result *result)
{
    free(result->output);
    *result = (struct run_program_result){0};
}
