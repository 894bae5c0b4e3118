/* Alarms on the real event loop: never too early, and only after the input that had arrived. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/loop.h"

enum { MOST_RINGS = 8 };

struct bench {
    uv_loop_t loop;
    struct loop_alarm alarm;
    uv_poll_t input;
    int pipe[2];
    int rings;
    int64_t rang_ns[MOST_RINGS];
    int64_t again_ns; /* set anew when it rings, so much later */
    int64_t read_ns;
    int open_handles;
};

static void on_ring(void *owner)
{
    struct bench *bench = owner;
    assert_in_range(bench->rings, 0, MOST_RINGS - 1);
    bench->rang_ns[bench->rings++] = clock_now_ns();
    if (bench->again_ns) {
        loop_alarm_set(&bench->alarm, clock_now_ns() + bench->again_ns);
        bench->again_ns = 0;
    }
}

static void on_input(uv_poll_t *input, int status, int events)
{
    struct bench *bench = input->data;
    char bytes[8];
    (void)status;
    (void)events;
    assert_true(read(bench->pipe[0], bytes, sizeof bytes) > 0);
    bench->read_ns = clock_now_ns();
    loop_alarm_stop(&bench->alarm); /* as a judge does when the answer is there */
}

static void open_bench(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    assert_int_equal(uv_loop_init(&bench->loop), 0);
    assert_int_equal(pipe(bench->pipe), 0);
    loop_alarm_init(&bench->loop, &bench->alarm, bench, on_ring);
    assert_int_equal(uv_poll_init(&bench->loop, &bench->input, bench->pipe[0]), 0);
    bench->input.data = bench;
    bench->open_handles = 2;
}

static void handle_closed(struct bench *bench) { bench->open_handles--; }
static void alarm_closed(void *owner) { handle_closed(owner); }
static void input_closed(uv_handle_t *handle) { handle_closed(handle->data); }

static void close_bench(struct bench *bench)
{
    loop_alarm_close(&bench->alarm, alarm_closed);
    uv_close((uv_handle_t *)&bench->input, input_closed);
    uv_run(&bench->loop, UV_RUN_DEFAULT);
    assert_int_equal(bench->open_handles, 0);
    assert_int_equal(uv_loop_close(&bench->loop), 0);
    close(bench->pipe[0]);
    close(bench->pipe[1]);
}

static void an_alarm_rings_once_and_never_too_early(void **state)
{
    (void)state;
    static const int64_t delays_ns[] = {-CLOCK_NS_PER_S,     0, 1, 400000, CLOCK_NS_PER_MS + 1,
                                        20 * CLOCK_NS_PER_MS};
    for (size_t i = 0; i < sizeof delays_ns / sizeof *delays_ns; i++) {
        struct bench bench;
        open_bench(&bench);
        int64_t due_ns = clock_now_ns() + delays_ns[i];
        loop_alarm_set(&bench.alarm, due_ns);
        assert_int_equal(bench.rings, 0);
        uv_run(&bench.loop, UV_RUN_DEFAULT);
        assert_int_equal(bench.rings, 1);
        assert_true(bench.rang_ns[0] >= due_ns);
        close_bench(&bench);
    }
}

static void the_last_time_counts(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    int64_t now_ns = clock_now_ns();
    loop_alarm_set(&bench.alarm, now_ns + CLOCK_NS_PER_MS);
    loop_alarm_set(&bench.alarm, now_ns + 15 * CLOCK_NS_PER_MS);
    uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_int_equal(bench.rings, 1);
    assert_true(bench.rang_ns[0] >= now_ns + 15 * CLOCK_NS_PER_MS);
    close_bench(&bench);
    open_bench(&bench);
    loop_alarm_set(&bench.alarm, clock_now_ns() + 3600 * CLOCK_NS_PER_S);
    loop_alarm_set(&bench.alarm, clock_now_ns());
    uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_int_equal(bench.rings, 1);
    close_bench(&bench);
}

static void it_can_be_set_while_it_rings(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    bench.again_ns = 5 * CLOCK_NS_PER_MS;
    loop_alarm_set(&bench.alarm, clock_now_ns());
    uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_int_equal(bench.rings, 2);
    assert_true(bench.rang_ns[1] >= bench.rang_ns[0] + 5 * CLOCK_NS_PER_MS);
    close_bench(&bench);
}

static void a_stopped_alarm_is_silent(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    loop_alarm_set(&bench.alarm, clock_now_ns());
    loop_alarm_stop(&bench.alarm);
    uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_int_equal(bench.rings, 0);
    close_bench(&bench);
}

/* The loop itself oversleeps; the answer was there all the time. */
static void input_that_is_there_is_read_before_the_alarm_rings(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    uv_poll_start(&bench.input, UV_READABLE, on_input);
    loop_alarm_set(&bench.alarm, clock_now_ns() + CLOCK_NS_PER_MS);
    assert_int_equal(write(bench.pipe[1], "x", 1), 1);
    usleep(5000);
    uv_run(&bench.loop, UV_RUN_NOWAIT);
    uv_run(&bench.loop, UV_RUN_NOWAIT);
    assert_int_equal(bench.rings, 0);
    assert_true(bench.read_ns > 0);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alarm_rings_once_and_never_too_early),
        cmocka_unit_test(the_last_time_counts),
        cmocka_unit_test(it_can_be_set_while_it_rings),
        cmocka_unit_test(a_stopped_alarm_is_silent),
        cmocka_unit_test(input_that_is_there_is_read_before_the_alarm_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
