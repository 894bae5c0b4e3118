/* Tools that run to their end, in a sandbox and within limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/clock.h"
#include "process_support.h"
#include "sandbox/run_program.h"

static struct run_program_result run(struct run_program_spec spec)
{
    struct run_program_result result = {0};
    struct note why = {""};
    spec.sandbox = run_sandbox();
    spec.folder = "/";
    if (run_program(&spec, &result, &why)) {
        fail_msg("%s: %s", spec.command, why.text);
    }
    return result;
}

static void the_output_is_kept_and_the_exit_code_counts(void **state)
{
    (void)state;
    struct run_program_result result =
        run((struct run_program_spec){.command = "sh -c 'echo out; echo err >&2; wc -c; exit 3'"});
    assert_string_equal(result.output, "out\nerr\n0\n");
    assert_false(run_program_succeeded(&result));
    assert_false(result.is_out_of_time);
    assert_int_equal(result.exit.code, 3);
    run_program_result_free(&result);
}

static void output_above_the_limit_is_dropped(void **state)
{
    (void)state;
    struct run_program_result result =
        run((struct run_program_spec){.command = "sh -c 'yes | head -c 3000000'"});
    assert_int_equal(strlen(result.output), RUN_PROGRAM_MAX_OUTPUT);
    run_program_result_free(&result);
}

static void a_program_that_does_not_end_is_out_of_time(void **state)
{
    (void)state;
    /* The limit is also that of the program's own processes, as a compiler has them. */
    struct run_program_result result = run((struct run_program_spec){
        .command = "sh -c 'sh -c \"while :; do :; done\"; exit 1'", .cpu_ns = CLOCK_NS_PER_S / 4});
    assert_true(result.is_out_of_time);
    assert_false(run_program_succeeded(&result));
    run_program_result_free(&result);
}

static void a_program_that_waits_is_ended_with_its_processes(void **state)
{
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* its orphans come to us */
    struct run_program_result result = run((struct run_program_spec){
        .command = "sh -c 'sleep 1000 & sleep 1000'", .wall_ns = CLOCK_NS_PER_S / 4});
    assert_true(result.is_out_of_time);
    assert_false(run_program_succeeded(&result));
    run_program_result_free(&result);
    while (waitpid(-1, NULL, 0) > 0) { /* does not return while one of them runs */
    }
}

static void a_program_that_is_interrupted_is_ended(void **state)
{
    (void)state;
    const atomic_bool stop = true;
    struct run_program_result result = {0};
    struct note why;
    const struct run_program_spec spec = {
        .command = "sleep 1000", .folder = "/", .sandbox = run_sandbox(), .stop = &stop};
    assert_int_equal(run_program(&spec, &result, &why), ERR_INTERRUPTED);
    assert_null(result.output);
}

static void a_program_that_cannot_be_started_is_a_failure_of_this_machine(void **state)
{
    (void)state;
    struct run_program_result result = {0};
    struct note why;
    const struct run_program_spec spec = {
        .command = "true", .folder = "/nonexistent", .sandbox = run_sandbox()};
    assert_int_equal(run_program(&spec, &result, &why), ERR_ENVIRONMENT);
    assert_non_null(strstr(why.text, "/nonexistent"));
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_is_kept_and_the_exit_code_counts),
        cmocka_unit_test(output_above_the_limit_is_dropped),
        cmocka_unit_test(a_program_that_does_not_end_is_out_of_time),
        cmocka_unit_test(a_program_that_waits_is_ended_with_its_processes),
        cmocka_unit_test(a_program_that_is_interrupted_is_ended),
        cmocka_unit_test(a_program_that_cannot_be_started_is_a_failure_of_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
