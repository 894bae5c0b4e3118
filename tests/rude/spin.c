/* spin KIND COUNT: COUNT children use the processor, while this process answers each line.
 *
 * KIND is `loop` (they never end), `sessions` (each first asks for a session of its own),
 * `chain` (each works for a moment, starts its successor and ends), `unwaited` (each has children
 * that work for a moment, and ignores their end), or a way to continue after
 * SIGSTOP: `timer` (timers of the kernel), `kill` (they send SIGCONT to each other) or `wake`
 * (both).
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work_until(clock_t end)
{
    while (clock() < end) {
    }
}

static bool is_kind(const char *kind, const char *wanted)
{
    return strcmp(kind, wanted) == 0 || strcmp(kind, "wake") == 0;
}

static void do_nothing(int signal) { (void)signal; }

/* Linux does not repeat a timer whose signal is ignored, or is pending when SIGSTOP comes: one of
 * many remains. */
static void start_timers(void)
{
    enum { TIMERS = 40, MS = 1000000 };
    signal(SIGCONT, do_nothing);
    for (int i = 1; i <= TIMERS; i++) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
        struct itimerspec often = {.it_interval.tv_nsec = (10 + i) * MS,
                                   .it_value.tv_nsec = (10 + i) * MS};
        timer_t timer;
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
            timer_settime(timer, 0, &often, NULL);
        }
    }
}

/* A child's clock starts at zero. */
static void work(const char *kind)
{
    if (is_kind(kind, "timer")) {
        start_timers();
    }
    while (is_kind(kind, "kill")) {
        kill(0, SIGCONT);
    }
    if (strcmp(kind, "unwaited") == 0) {
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            if (fork() == 0) {
                work_until(CLOCKS_PER_SEC / 200);
                _exit(0);
            }
            (void)wait(NULL); /* until there is none: nothing is left to be waited for */
        }
    }
    if (strcmp(kind, "sessions") == 0 && setsid() < 0) {
        (void)!write(STDOUT_FILENO, "refused\n", 8);
    }
    if (strcmp(kind, "chain") != 0) {
        for (;;) {
        }
    }
    for (;;) {
        work_until(CLOCKS_PER_SEC / 500);
        if (fork() != 0) {
            _exit(0);
        }
    }
}

int main(int argc, char **argv)
{
    char line[64];
    if (argc < 3) {
        return 2;
    }
    for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
        if (fork() == 0) {
            work(argv[1]);
        }
    }
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        printf("got %s", line);
        fflush(stdout);
    }
    kill(0, SIGKILL);
    return 0;
}
