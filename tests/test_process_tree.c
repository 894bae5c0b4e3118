/* The processor time of real processes, those that run, those that have ended, those that wait; and
 * for how long they had to wait for it. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "sandbox/process_tree.h"
#include "sandbox/process_time.h"

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
    assert_int_equal(process_tree_count_tasks(getpid()), 2);
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

/* --- What a program waits for. All of this is on one processor. --- */

enum {
    TASKS = 6,
    MANY = PROCESS_WAIT_TASKS + 8,
    LONG_MS = 200,
    PAUSE_MS = 15,
    SHORT_LIFE_MS = 4,
    TURNS = 10,
    TURN_MS = 20,
};

/* What children that nothing waits for have used, and whether they may still start others. */
struct shared_count {
    _Atomic int64_t used_ns;
    _Atomic bool is_over;
    _Atomic int phase;
};

static struct shared_count *shared;

static int64_t own_cpu_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * CLOCK_NS_PER_S + used.tv_nsec;
}

static void spin(void)
{
    for (;;) {
    }
}

static void spin_with_children(void)
{
    for (int i = 0; i < TASKS; i++) {
        if (fork() == 0) {
            spin();
        }
    }
    spin();
}

/* No one waits for them, and each has ended before it could be looked at twice. */
static void spin_with_short_lives(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < TASKS; i++) {
        if (fork() == 0) {
            while (!shared->is_over) {
                if (fork() == 0) {
                    while (own_cpu_ns() < SHORT_LIFE_MS * CLOCK_NS_PER_MS) {
                    }
                    shared->used_ns += own_cpu_ns();
                    _exit(0);
                }
                usleep(1000);
            }
            _exit(0);
        }
    }
    spin();
}

static void spin_at_the_end_of_the_queue(void)
{
    (void)!nice(5);
    spin();
}

static void *spin_at_turn(void *number)
{
    for (;;) {
        int64_t turn = clock_now_ns() / (TURN_MS * CLOCK_NS_PER_MS);
        if (turn % TURNS != (intptr_t)number) {
            usleep(1000);
        }
    }
    return NULL;
}

/* One task works after the other, as the processes of a start do. */
static void spin_in_turn(void)
{
    pthread_t threads[TURNS];
    for (intptr_t i = 1; i < TURNS; i++) {
        pthread_create(&threads[i], NULL, spin_at_turn, (void *)i); /* NOLINT: a number */
    }
    spin_at_turn(NULL);
}

static void sleep_on(void) { pause(); }

struct waited {
    int64_t elapsed_ns;
    int64_t used_ns;     /* by the program, as far as it is seen */
    int64_t reported_ns; /* used by children that nothing waits for, before the last look */
    int64_t wait_ns;
    int64_t own_wait_ns; /* of this process for a processor, which counts as the judge's */
};

/* In the queue of a processor since this thread has begun; 0: the kernel does not tell. */
static int64_t own_queue_ns(void)
{
    long long waited_ns = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    if (file) {
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        (void)!fscanf(file, "%*s %lld", &waited_ns);
        fclose(file);
    }
    return waited_ns;
}

/* Lets a program run next to `others` that it has not started, and looks at it as a judge does. */
static struct waited watch(void (*program)(void), int others)
{
    static struct process_wait wait;
    pid_t outside[TASKS];
    usage = (struct process_usage){0};
    wait = (struct process_wait){0};
    for (int i = 0; i < others; i++) {
        if ((outside[i] = fork()) == 0) {
            spin();
        }
    }
    int64_t began_ns = clock_now_ns();
    int64_t own_queue_began_ns = own_queue_ns();
    process_wait_begin(&wait, -1, 0, began_ns);
    pid_t root = fork();
    if (root == 0) {
        setpgid(0, 0);
        if (fork() == 0) {
            program();
        }
        pause();
    }
    setpgid(root, root); /* it may not have run yet when it is killed */
    struct waited out = {0};
    while (out.elapsed_ns < LONG_MS * CLOCK_NS_PER_MS) {
        usleep((useconds_t)(PAUSE_MS * 1000 + clock_now_ns() % (PAUSE_MS * 1000)));
        out.reported_ns = shared->used_ns;
        out.used_ns = look(root);
        process_wait_look(&wait, root, -1, clock_now_ns());
        out.wait_ns = process_wait_ns(&wait, out.used_ns > 0 ? out.used_ns : 0);
        out.elapsed_ns = clock_now_ns() - began_ns;
        out.own_wait_ns = own_queue_ns() - own_queue_began_ns;
    }
    kill(-root, SIGKILL);
    waitpid(root, NULL, 0);
    for (int i = 0; i < others; i++) {
        kill(outside[i], SIGKILL);
        waitpid(outside[i], NULL, 0);
    }
    return out;
}

/* They wait for each other, then sleep; at last the older half ends. */
static void live_in_phases(int number)
{
    enum { NAP_US = 10000 };
    while (shared->phase == 0) {
    }
    while (number >= MANY / 2 || shared->phase == 1) {
        usleep(NAP_US);
    }
    _exit(0);
}

static void start_many(void)
{
    setpgid(0, 0);
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < MANY; i++) {
        if (fork() == 0) {
            live_in_phases(i);
        }
    }
    live_in_phases(MANY);
}

/* There are more tasks than are looked at. What the younger ones have waited before the turn does
 * not count when the older ones end. */
static void tasks_that_come_into_view_bring_no_earlier_wait(void **state)
{
    enum { EARLIER_US = 300000, CALM_US = 50000, TURN_US = 100000 };
    static struct process_wait wait;
    (void)state;
    usage = (struct process_usage){0};
    shared->phase = 0;
    pid_t root = fork();
    if (root == 0) {
        start_many();
    }
    setpgid(root, root);
    usleep(EARLIER_US);
    shared->phase = 1;
    usleep(CALM_US);
    int64_t began_ns = clock_now_ns();
    int64_t own_queue_began_ns = own_queue_ns();
    process_wait_begin(&wait, root, look(root), began_ns);
    shared->phase = 2;
    usleep(TURN_US);
    process_wait_look(&wait, root, -1, clock_now_ns());
    int64_t wait_ns = process_wait_ns(&wait, look(root));
    int64_t elapsed_ns = clock_now_ns() - began_ns;
    kill(-root, SIGKILL);
    waitpid(root, NULL, 0);
    assert_in_range(wait_ns, 0, elapsed_ns / 2 + own_queue_ns() - own_queue_began_ns);
}

static int set_up_waiting(void **state)
{
    (void)state;
    cpu_set_t cores;
    int core = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    assert_int_equal(sched_getaffinity(0, sizeof cores, &cores), 0);
    while (!CPU_ISSET((size_t)core, &cores)) {
        core++;
    }
    CPU_ZERO(&cores);
    CPU_SET((size_t)core, &cores);
    return sched_setaffinity(0, sizeof cores, &cores);
}

static void skip_without_schedstat(void)
{
    if (access("/proc/thread-self/schedstat", R_OK) != 0) {
        print_message("skipped: /proc/PID/schedstat is missing on this machine\n");
        skip();
    }
}

static void a_program_next_to_busy_strangers_is_starved(void **state)
{
    (void)state;
    skip_without_schedstat();
    struct waited at = watch(spin, TASKS);
    assert_in_range(at.wait_ns, at.elapsed_ns / 2, at.elapsed_ns);
}

/* None of them has waited for as long as all of them together. */
static void a_program_whose_tasks_work_in_turn_is_starved(void **state)
{
    (void)state;
    skip_without_schedstat();
    struct waited at = watch(spin_in_turn, TASKS);
    assert_in_range(at.wait_ns, at.elapsed_ns / 2, at.elapsed_ns);
}

/* Next to so many strangers this process may wait for half of the time itself. */
static void a_program_that_sleeps_is_not_starved(void **state)
{
    (void)state;
    struct waited at = watch(sleep_on, TASKS);
    assert_in_range(at.wait_ns, 0, at.elapsed_ns / 2 + at.own_wait_ns);
}

/* What strangers could have used at most is what the program has not: on a busy machine the bound
 * is larger, on a quiet one next to nothing. */
static void a_program_that_keeps_itself_waiting_is_not_starved(void **state)
{
    (void)state;
    struct waited at = watch(spin_with_children, 0);
    assert_in_range(at.wait_ns, 0, at.elapsed_ns - at.used_ns + MARGIN_MS * CLOCK_NS_PER_MS);
}

static void children_that_end_at_once_do_not_help(void **state)
{
    (void)state;
    struct waited at = watch(spin_with_short_lives, 0);
    shared->is_over = true;
    assert_in_range(at.wait_ns, 0, at.elapsed_ns - at.reported_ns + at.elapsed_ns / 4);
}

static void a_program_that_gives_up_its_share_is_not_starved(void **state)
{
    (void)state;
    assert_int_equal(watch(spin_at_the_end_of_the_queue, TASKS).wait_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_whole_family),
        cmocka_unit_test(without_descendants_it_is_not_known),
        cmocka_unit_test_setup(a_program_next_to_busy_strangers_is_starved, set_up_waiting),
        cmocka_unit_test(a_program_whose_tasks_work_in_turn_is_starved),
        cmocka_unit_test(a_program_that_sleeps_is_not_starved),
        cmocka_unit_test(a_program_that_keeps_itself_waiting_is_not_starved),
        cmocka_unit_test(children_that_end_at_once_do_not_help),
        cmocka_unit_test(a_program_that_gives_up_its_share_is_not_starved),
        cmocka_unit_test(tasks_that_come_into_view_bring_no_earlier_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
