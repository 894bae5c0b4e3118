/* The processor time of real processes: those that run, those that have ended, those that wait. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "sandbox/process_usage.h"

/* The kernel counts in steps of 10 ms, and cuts user and system time of each process. */
enum { WORK_MS = 100, MARGIN_MS = 60 };

static void work(void)
{
    while (clock() < WORK_MS * (CLOCKS_PER_SEC / 1000)) {
    }
}

/* A child that works and waits, with a child that does, and one that did and has ended. */
static void live(int told)
{
    pid_t dead = fork();
    if (dead == 0) {
        work();
        _exit(0);
    }
    waitpid(dead, NULL, 0);
    if (fork() == 0) {
        work();
        (void)!write(told, "x", 1);
        pause();
    }
    work();
    (void)!write(told, "x", 1);
    pause();
}

static struct process_usage usage;

static int64_t look(pid_t root) { return process_usage_look(&usage, root, clock_now_ns()); }

static void it_is_that_of_the_whole_family(void **state)
{
    (void)state;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t root = fork();
    if (root == 0) {
        setpgid(0, 0);
        live(ends[1]);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read(ends[0], &byte, 1), 1);
    }
    int64_t used_ns = look(getpid());
    int64_t again_ns = look(getpid());
    kill(-root, SIGKILL);
    waitpid(root, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    if (used_ns < 0) {
        print_message("skipped: /proc/PID/task/*/children is missing on this machine\n");
        skip();
    }
    assert_in_range(used_ns, (3 * WORK_MS - MARGIN_MS) * INT64_C(1000000), INT64_C(10000000000));
    assert_in_range(again_ns - used_ns, 0, MARGIN_MS * INT64_C(1000000));
}

static void without_descendants_it_is_not_known(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        pause();
    }
    assert_int_equal(look(child), -1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(look(child), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_whole_family),
        cmocka_unit_test(without_descendants_it_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
