/* Real programs that are frozen and continue, in each kind of sandbox. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "process_support.h"
#include "sandbox/sandbox_cgroup.h"

enum { MUCH_WORK_MS = 500, LOOK_MS = 200, STILL_MS = 20, WORK_MS = 40, SHARE_MS = 300 };

static struct run run;
static struct run other;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t used_ms(void) { return process_used_ns(run.process) / 1000000; }

/* The processor time that it uses in a while. */
static int64_t growth_ms(void)
{
    int64_t before_ms = used_ms();
    int64_t end_ms = now_ms() + LOOK_MS;
    while (now_ms() < end_ms && !run.has_exited) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
        usleep(5000);
    }
    return used_ms() - before_ms;
}

static void wait_until_still(void)
{
    while (growth_ms() > 0) {
        assert_false(run.is_late || run.has_exited);
    }
}

static void wait_until_it_works(void)
{
    int64_t before_ms = used_ms();
    while (used_ms() < before_ms + WORK_MS) {
        assert_false(run.is_late || run.has_exited);
        uv_run(&run.loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
}

static void start(const char *command, const struct sandbox *sandbox)
{
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    run_start(&run, &spec);
    run_until_output(&run, "ready\n");
    if (used_ms() < 0) {
        run_free(&run);
        SKIP_BECAUSE("/proc/PID/task/*/children is missing on this machine");
    }
}

static void freeze(void)
{
    wait_until_it_works();
    process_set_pace(run.process, PROCESS_FROZEN);
    wait_until_still();
}

static void let_end(void)
{
    process_kill(run.process);
    run_until_exit(&run);
    run_free(&run);
    assert_int_equal(count_children(), 0);
    assert_int_equal(count_cgroups(), 0);
}

static struct sandbox without_cgroups(void)
{
    struct sandbox sandbox = *run_sandbox();
    sandbox.features &= ~(unsigned)SANDBOX_CGROUPS;
    return sandbox;
}

static void assert_it_stands_still_and_continues(const char *command, const struct sandbox *sandbox)
{
    start(command, sandbox);
    freeze();
    assert_true(process_write(run.process, "a line\n", 7));
    assert_in_range(growth_ms(), 0, STILL_MS);
    assert_null(strstr(run.output, "got"));
    process_set_pace(run.process, PROCESS_RUNS);
    run_until_output(&run, "got a line\n");
    freeze();
    let_end();
}

static void a_frozen_program_uses_no_processor_time_until_it_continues(void **state)
{
    (void)state;
    assert_it_stands_still_and_continues("./spin loop 8", run_sandbox());
}

static void it_is_frozen_without_cgroups(void **state)
{
    (void)state;
    struct sandbox sandbox = without_cgroups();
    assert_it_stands_still_and_continues("./spin loop 8", &sandbox);
}

static void without_cgroups_it_cannot_continue_itself(void **state)
{
    (void)state;
    struct sandbox sandbox = without_cgroups();
    if (!(sandbox.features & SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("no seccomp filter");
    }
    assert_it_stands_still_and_continues("./spin timer 2", &sandbox);
    assert_it_stands_still_and_continues("./spin kill 3", &sandbox);
}

/* What only a moment's chance would show. */
static void without_cgroups_no_other_signal_continues_it(void **state)
{
    (void)state;
    static const char *const ways[] = {"io", "parent", "child", "thread", "queue"};
    struct sandbox sandbox = without_cgroups();
    if (!(sandbox.features & SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("no seccomp filter");
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char command[64];
        snprintf(command, sizeof command, "./attempt 1 continue-by-%s", ways[i]);
        struct process_spec spec = run_spec(command);
        spec.sandbox = &sandbox;
        run_whole(&run, &spec);
        assert_string_equal(run.output, "refused 1\n");
    }
}

static void it_is_frozen_without_a_sandbox(void **state)
{
    (void)state;
    struct sandbox sandbox = *run_sandbox();
    sandbox.mode = SANDBOX_OFF;
    sandbox.features = 0;
    assert_it_stands_still_and_continues("./spin loop 3", &sandbox);
}

/* No list of its processes is ever complete. */
static void a_program_that_always_starts_another_is_frozen(void **state)
{
    (void)state;
    if (!(run_sandbox()->features & SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("without namespaces its processes are found one by one");
    }
    struct sandbox sandbox = without_cgroups();
    assert_it_stands_still_and_continues("./spin chain 3", run_sandbox());
    assert_it_stands_still_and_continues("./spin chain 3", &sandbox);
}

/* With SIGCHLD ignored the kernel forgets the time of a process that ends. */
static void children_that_are_not_waited_for_count(void **state)
{
    (void)state;
    const struct sandbox bare = without_cgroups();
    const struct sandbox *sandboxes[] = {run_sandbox(), &bare};
    for (int i = 0; i < 2; i++) {
        start("./spin unwaited 2", sandboxes[i]);
        int64_t before_ms = used_ms();
        while (used_ms() < before_ms + MUCH_WORK_MS) {
            assert_false(run.is_late || run.has_exited);
            uv_run(&run.loop, UV_RUN_NOWAIT);
            usleep(20000);
        }
        let_end();
    }
}

/* Orders that come close together are obeyed in their order. */
static void it_runs_if_that_was_the_last_order(void **state)
{
    (void)state;
    const struct sandbox bare = without_cgroups();
    const struct sandbox *sandboxes[] = {run_sandbox(), &bare};
    for (int i = 0; i < 2; i++) {
        start("./spin loop 2", sandboxes[i]);
        for (int j = 0; j < 300; j++) {
            process_set_pace(run.process, PROCESS_FROZEN);
            process_set_pace(run.process, PROCESS_RUNS);
            if (j % 30 == 0) {
                wait_until_it_works();
            }
        }
        wait_until_it_works();
        let_end();
    }
}

static void a_frozen_program_is_killed(void **state)
{
    (void)state;
    const struct sandbox bare = without_cgroups();
    const struct sandbox *sandboxes[] = {run_sandbox(), &bare};
    for (int i = 0; i < 2; i++) {
        start("./spin loop 8", sandboxes[i]);
        freeze();
        let_end();
    }
}

static void a_frozen_program_that_is_asked_to_end_continues(void **state)
{
    (void)state;
    const struct sandbox bare = without_cgroups();
    const struct sandbox *sandboxes[] = {run_sandbox(), &bare};
    for (int i = 0; i < 2; i++) {
        start("sh -c 'trap \"echo bye; exit 3\" TERM; echo ready; while :; do :; done'",
              sandboxes[i]);
        freeze();
        process_quit(run.process, RUN_LIMIT_MS);
        run_until_exit(&run);
        run_free(&run);
        assert_non_null(strstr(run.output, "bye\n"));
        assert_int_equal(run.exit.how, PROCESS_EXITED);
        assert_int_equal(run.exit.code, 3);
    }
}

/* In version 1 of cgroups a frozen process outlives SIGKILL; the next start of plum ends it. */
static void a_frozen_program_ends_when_its_supervisor_is_killed(void **state)
{
    (void)state;
    start("sh -c 'echo ready; while :; do :; done'", run_sandbox());
    freeze();
    kill(only_child(), SIGKILL);
    run_until_exit(&run);
    run_free(&run);
    int64_t end_ms = now_ms() + RUN_LIMIT_MS;
    while (count_cgroups() > 0) {
        sandbox_cgroup_sweep(&sandbox_cgroup_kernel);
        assert_in_range(now_ms(), 0, end_ms);
        usleep(1000);
    }
}

/* Two programs on one processor, the first with one busy process and the second, which yields, with
 * many. Returns how much of it the second gets while the first works for a while, in hundredths of
 * that. tests/attacks.c compares two that do not yield. */
static int64_t share_of_many_that_yield(void)
{
    cpu_set_t allowed;
    struct process_spec one = run_spec("./spin loop 1");
    struct process_spec many = run_spec("./spin loop 8");
    CPU_ZERO(&allowed);
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    while (!CPU_ISSET((size_t)(one.cpu + 1), &allowed)) {
        one.cpu++;
    }
    many.cpu = ++one.cpu;
    one.sandbox = many.sandbox = run_sandbox();
    run_start(&other, &many);
    run_until_output(&other, "ready\n");
    run_start(&run, &one);
    run_until_output(&run, "ready\n");
    process_set_pace(other.process, PROCESS_YIELDS);
    wait_until_it_works();
    int64_t one_ms = used_ms();
    int64_t many_ns = process_used_ns(other.process);
    while (used_ms() < one_ms + SHARE_MS) {
        assert_false(run.is_late || run.has_exited);
        uv_run(&run.loop, UV_RUN_NOWAIT);
        usleep(5000);
    }
    int64_t share = (process_used_ns(other.process) - many_ns) / 10000 / (used_ms() - one_ms);
    run_free(&other);
    let_end();
    return share;
}

static void a_program_that_yields_gets_what_the_other_leaves(void **state)
{
    (void)state;
    if (!(run_sandbox()->features & SANDBOX_CPU_CGROUP)) {
        SKIP_BECAUSE("no cpu cgroup");
    }
    assert_in_range(share_of_many_that_yield(), 0, 20);
}

static void a_program_that_yielded_gets_its_share_again(void **state)
{
    (void)state;
    start("./spin loop 3", run_sandbox());
    process_set_pace(run.process, PROCESS_YIELDS);
    process_set_pace(run.process, PROCESS_RUNS);
    wait_until_it_works();
    let_end();
}

/* The kernel gives each session its own share of the processors. */
static void without_cgroups_it_has_one_session(void **state)
{
    (void)state;
    struct sandbox sandbox = without_cgroups();
    if (!(sandbox.features & SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("no seccomp filter");
    }
    start("./spin sessions 3", &sandbox);
    run_until_output(&run, "refused\n");
    let_end();
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frozen_program_uses_no_processor_time_until_it_continues),
        cmocka_unit_test(it_is_frozen_without_cgroups),
        cmocka_unit_test(without_cgroups_it_cannot_continue_itself),
        cmocka_unit_test(without_cgroups_no_other_signal_continues_it),
        cmocka_unit_test(it_is_frozen_without_a_sandbox),
        cmocka_unit_test(a_program_that_always_starts_another_is_frozen),
        cmocka_unit_test(children_that_are_not_waited_for_count),
        cmocka_unit_test(it_runs_if_that_was_the_last_order),
        cmocka_unit_test(a_frozen_program_is_killed),
        cmocka_unit_test(a_frozen_program_that_is_asked_to_end_continues),
        cmocka_unit_test(a_frozen_program_ends_when_its_supervisor_is_killed),
        cmocka_unit_test(a_program_that_yields_gets_what_the_other_leaves),
        cmocka_unit_test(a_program_that_yielded_gets_its_share_again),
        cmocka_unit_test(without_cgroups_it_has_one_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
