/* Tools that run to their end, within limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "sandbox/run_program.h"

static struct run_program_result run(const char *script, struct run_program_limits limits)
{
    const char *const words[] = {"sh", "-c", script, NULL};
    struct run_program_result result = {0};
    struct note why;
    assert_int_equal(run_program_limited(words, &limits, &result, &why), ERR_NONE);
    return result;
}

static void what_it_prints_is_kept_and_its_exit_code_counts(void **state)
{
    (void)state;
    struct run_program_result result =
        run("echo out; echo err >&2; exit 3", (struct run_program_limits){0});
    assert_string_equal(result.output, "out\nerr\n");
    assert_false(result.is_success);
    assert_false(result.is_out_of_time);
    run_program_result_free(&result);
}

static void one_that_does_not_end_is_out_of_time(void **state)
{
    (void)state;
    /* The limit is also that of the program's own processes, as a compiler has them. */
    struct run_program_result result =
        run("sh -c 'while :; do :; done'; exit 1", (struct run_program_limits){.cpu_s = 1});
    assert_true(result.is_out_of_time);
    assert_false(result.is_success);
    run_program_result_free(&result);
}

static void one_that_waits_is_ended_with_its_processes(void **state)
{
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* its orphans come to us */
    struct run_program_result result =
        run("sh -c 'sleep 1000; :'; exit 1", (struct run_program_limits){.wall_s = 1});
    assert_true(result.is_out_of_time);
    assert_false(result.is_success);
    run_program_result_free(&result);
    while (waitpid(-1, NULL, 0) > 0) { /* does not return while one of them runs */
    }
}

static void a_file_that_grows_without_end_is_cut_off(void **state)
{
    (void)state;
    struct run_program_result result =
        run("f=$(mktemp); yes | head -c 3000000 >\"$f\"; wc -c <\"$f\"; rm \"$f\"",
            (struct run_program_limits){.file_bytes = 1 << 20});
    assert_non_null(strstr(result.output, "1048576"));
    run_program_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints_is_kept_and_its_exit_code_counts),
        cmocka_unit_test(one_that_does_not_end_is_out_of_time),
        cmocka_unit_test(one_that_waits_is_ended_with_its_processes),
        cmocka_unit_test(a_file_that_grows_without_end_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
