/* How much a program can make the judge do in one turn of its loop: the calls that read from a
 * descriptor are counted, those of libuv as well, while programs write as much as they can.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "play/match_runner.h"
#include "base/clock.h"
#include "game/registry.h"
#include "process_support.h"

enum {
    DESCRIPTORS = 1024,
    MOST_READS = 66, /* from one descriptor in one turn: 64, of a program that has ended */
    MOST_ACCEPTS = 1,
};

static pid_t judge; /* its helpers are copies of this program */
static int reads[DESCRIPTORS];
static int accepts[DESCRIPTORS];
static int most_reads;
static int most_accepts;
static int all_reads;
static int turns;

static void count(int calls[DESCRIPTORS], int descriptor, int *most)
{
    if (judge && descriptor >= 0 && descriptor < DESCRIPTORS && ++calls[descriptor] > *most) {
        *most = calls[descriptor];
    }
}

/* Instead of the C library's, also for libuv. */
ssize_t read(int descriptor, void *out, size_t room)
{
    count(reads, descriptor, &most_reads);
    all_reads++;
    return syscall(SYS_read, descriptor, out, room);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    count(reads, descriptor, &most_reads);
    all_reads++;
    return syscall(SYS_recvmsg, descriptor, message, flags);
}

int accept4(int descriptor, struct sockaddr *restrict peer, socklen_t *restrict size, int flags)
{
    count(accepts, descriptor, &most_accepts);
    return (int)syscall(SYS_accept4, descriptor, peer, size, flags);
}

/* --- A game --- */

struct counted_game {
    struct match_run run;
    uv_prepare_t turn;
};

static void begin_turn(uv_prepare_t *turn)
{
    (void)turn;
    turns++;
    memset(reads, 0, sizeof reads);
    memset(accepts, 0, sizeof accepts);
}

static void stop_after_move(void *owner, const struct game_event *event)
{
    (void)owner;
    if (event->kind == GAME_EVENT_PLY && event->ply->was_asked) {
        match_stop(event->match);
    }
}

static void on_done(struct match_run *run, enum err err, const struct note *why)
{
    struct counted_game *game = (struct counted_game *)run;
    (void)err;
    (void)why;
    match_free(run->match);
    uv_close((uv_handle_t *)&game->turn, NULL);
    match_runner_close(run->runner);
}

/* Until the agent has moved, or the game is lost without it. */
static void play_against(const char *name, const char *format, const char *program)
{
    char text[PATH_MAX + 64];
    struct player_spec specs[2];
    struct note why = {""};
    const struct game *game = registry_find(cpu_best(), name, &why);
    const struct match_runner_setup setup = {.sandbox = run_sandbox(), .slots = 1, .has_tcp = true};
    struct counted_game counted = {
        .run = {.options = {.rules.judge = judge_rules_usual(game), .games = 1},
                .specs = {&specs[0], &specs[1]},
                .sink = {NULL, stop_after_move},
                .on_done = on_done}};
    snprintf(text, sizeof text, format, run_rude_folder(), program);
    if (player_spec_read(text, game, &specs[0], &why) ||
        player_spec_read("random", game, &specs[1], &why) ||
        match_runner_open(&counted.run.runner, &setup, &why)) {
        fail_msg("%s", why.text);
    }
    uv_prepare_init(match_runner_loop(counted.run.runner), &counted.turn);
    uv_prepare_start(&counted.turn, begin_turn);
    if (match_runner_start(counted.run.runner, &counted.run, &why)) {
        fail_msg("%s", why.text);
    }
    most_reads = most_accepts = all_reads = turns = 0;
    judge = getpid();
    match_runner_finish(counted.run.runner);
    judge = 0;
    print_message("# %s: reads %d in %d turns, at most %d in one; accepts in one %d\n", program,
                  all_reads, turns, most_reads, most_accepts);
    assert_in_range(most_reads, 1, MOST_READS);
    assert_in_range(most_accepts, 0, MOST_ACCEPTS);
}

static void output_is_read_once_in_a_turn(void **state)
{
    (void)state;
    play_against("reversi", "ugi:%s/%s", "flood");
    play_against("meichu", "template:%s/%s", "flood");
    play_against("reversi", "ugi:%s/%s", "flood stderr");
}

static void a_folder_that_changes_all_the_time_is_not_read_all_the_time(void **state)
{
    (void)state;
    play_against("reversi", "file:7:%s/%s", "restless 100 state_7.txt move_7.txt");
}

static void a_connection_is_taken_once_in_a_turn(void **state)
{
    (void)state;
    if (!(run_sandbox()->features & SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("without namespaces another program may have the port");
    }
    play_against("reversi", "tcp:7:%s/%s", "besiege 8888 400");
    assert_int_equal(most_accepts, 1);
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_is_read_once_in_a_turn),
        cmocka_unit_test(a_folder_that_changes_all_the_time_is_not_read_all_the_time),
        cmocka_unit_test(a_connection_is_taken_once_in_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
