#include "sandbox/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

static int wait_for(pid_t child, struct rusage *used)
{
    int status = 0;
    while (wait4(child, &status, 0, used) < 0 && errno == EINTR) {
    }
    return status;
}

/* In the new process. */
static void limit(enum __rlimit_resource what, uint64_t most)
{
    struct rlimit now;
    if (most && getrlimit(what, &now) == 0 && most < now.rlim_cur) {
        struct rlimit lower = {most, now.rlim_max};
        (void)setrlimit(what, &lower);
    }
}

/* Likewise. Does not return: the program runs, or its errno is in `report`. */
static void become(const char *const argv[], const struct run_program_limits *limits, int output,
                   int report)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0) {
        limit(RLIMIT_CPU, limits->cpu_s);
        limit(RLIMIT_AS, limits->memory_bytes);
        limit(RLIMIT_FSIZE, limits->file_bytes);
        execvp(argv[0], (char *const *)argv);
    }
    int error = errno;
    _exit(write(report, &error, sizeof error) == sizeof error ? 0 : 1);
}

/* Returns 0 or an errno. The limits are set before the program begins: set from here, they would
 * not be those of a process that it has started by then. */
static int spawn(const char *const argv[], const struct run_program_limits *limits, int output,
                 pid_t *child)
{
    int report[2] = {-1, -1};
    int error = 0;
    if (pipe2(report, O_CLOEXEC) != 0) {
        return errno;
    }
    *child = fork();
    if (*child == 0) {
        become(argv, limits, output, report[1]);
    }
    error = *child < 0 ? errno : 0;
    close(report[1]);
    ssize_t size = 0;
    while (!error && (size = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {
    }
    close(report[0]);
    if (error && *child > 0) {
        (void)wait_for(*child, NULL);
    }
    return error;
}

/* Its processes first: they would live on without it. They stay in our process group, so that
 * Ctrl-C reaches them. */
static void kill_family(pid_t parent)
{
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    kill(parent, SIGSTOP);
    FILE *children = fopen(path, "re");
    while (children && fscanf(children, "%d", &child) == 1) {
        kill_family(child);
    }
    if (children) {
        fclose(children);
    }
    kill(parent, SIGKILL);
}

/* Whether there is something to read, or an end, before that time; 0: any time. */
static bool wait_until(int input, int64_t end_ns)
{
    int ready = 0;
    do {
        int64_t left_ns = end_ns - clock_now_ns();
        int left_ms = left_ns > 0 ? (int)(left_ns / CLOCK_NS_PER_MS) + 1 : 0;
        ready = poll(&(struct pollfd){.fd = input, .events = POLLIN}, 1, end_ns ? left_ms : -1);
    } while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* Reads to the end; keeps the first RUN_PROGRAM_MAX_OUTPUT bytes in `out` and adds a NUL. False:
 * the end did not come in time. */
static bool collect(int input, int64_t end_ns, char *out)
{
    size_t kept = 0;
    char chunk[4096];
    ssize_t size = 1;
    bool is_in_time = true;
    while (size && (is_in_time = wait_until(input, end_ns))) {
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
    return is_in_time;
}

enum err run_program(const char *const argv[], struct run_program_result *out, struct note *why)
{
    return run_program_limited(argv, &(struct run_program_limits){0}, out, why);
}

enum err run_program_limited(const char *const argv[], const struct run_program_limits *limits,
                             struct run_program_result *out, struct note *why)
{
    int ends[2] = {-1, -1};
    char *output = malloc(RUN_PROGRAM_MAX_OUTPUT + 1);
    if (!output || pipe2(ends, O_CLOEXEC) != 0) {
        free(output);
        note_set(why, "cannot run %.40s: %s", argv[0], strerror(errno));
        return ERR_ENVIRONMENT;
    }
    pid_t child = 0;
    int error = spawn(argv, limits, ends[1], &child);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        free(output);
        note_set(why, "cannot run %.40s: %s", argv[0], strerror(error));
        return ERR_ENVIRONMENT;
    }
    int64_t end_ns = limits->wall_s ? clock_now_ns() + limits->wall_s * CLOCK_NS_PER_S : 0;
    bool is_in_time = collect(ends[0], end_ns, output);
    close(ends[0]);
    if (!is_in_time) {
        kill_family(child);
    }
    struct rusage used = {0};
    int status = wait_for(child, &used);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
        free(output);
        note_set(why, "interrupted");
        return ERR_INTERRUPTED;
    }
    *out = (struct run_program_result){
        .is_success = WIFEXITED(status) && WEXITSTATUS(status) == 0,
        .is_out_of_time =
            !is_in_time || (limits->cpu_s && used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 >=
                                                 (time_t)limits->cpu_s),
        .output = output,
    };
    return ERR_NONE;
}

void run_program_result_free(struct run_program_result *result)
{
    free(result->output);
    *result = (struct run_program_result){0};
}
