/* Real programs: their output and input, how they end, and what is left of them afterwards.
 *
 * Long because every promise of process.h is tested with a real program, in each kind of sandbox.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/output_log.h"
#include "process_support.h"

static struct run run;
static struct run other;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void its_output_arrives(void **state)
{
    (void)state;
    run_command(&run, "sh -c 'echo hello; echo oops >&2; exit 5'");
    assert_string_equal(run.output, "hello\n");
    assert_string_equal(run.errors, "oops\n");
    assert_int_equal(run.exit.how, PROCESS_EXITED);
    assert_int_equal(run.exit.code, 5);
    assert_string_equal(run.exit.sentence, "it ended by itself with exit code 5");
    assert_true(run.is_ready);
}

static void its_input_arrives(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("cat");
    run_start(&run, &spec);
    assert_true(process_write(run.process, "one\n", 4));
    run_until_output(&run, "one\n");
    assert_true(process_write(run.process, "two\n", 4));
    run_until_output(&run, "two\n");
    process_quit(run.process, RUN_LIMIT_MS);
    run_until_exit(&run);
    assert_false(process_write(run.process, "three\n", 6));
    run_free(&run);
}

static void a_message_larger_than_a_pipe_arrives_whole(void **state)
{
    (void)state;
    enum { BYTES = 600 * 1024 };
    static char bytes[BYTES];
    struct process_spec spec = run_spec("sh -c 'sleep 0.1; head -c 614400 | wc -c'");
    run_start(&run, &spec);
    assert_true(process_write(run.process, bytes, BYTES / 3));
    assert_true(process_write(run.process, bytes, BYTES - BYTES / 3));
    run_until_output(&run, "614400\n");
    run_free(&run);
}

static void a_program_that_never_reads_is_not_waited_for(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./stubborn");
    static char bytes[64 * 1024];
    run_start(&run, &spec);
    run_until_ready(&run);
    size_t taken = 0;
    while (process_write(run.process, bytes, sizeof bytes)) {
        taken += sizeof bytes;
        assert_in_range(taken, 0, 2 * PROCESS_BACKLOG_BYTES);
    }
    assert_in_range(taken, PROCESS_BACKLOG_BYTES / 2, 2 * PROCESS_BACKLOG_BYTES);
    run_free(&run);
}

static void a_closed_stdin_is_not_an_error(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("sh -c 'exec <&-; echo closed; sleep 10'");
    run_start(&run, &spec);
    run_until_output(&run, "closed");
    run_until_deaf(&run);
    run_free(&run);
}

static void a_command_that_does_not_exist_gets_a_clear_sentence(void **state)
{
    (void)state;
    run_command(&run, "./no-such-agent");
    assert_int_equal(run.exit.how, PROCESS_EXITED);
    assert_int_equal(run.exit.code, 127);
    assert_non_null(strstr(run.exit.sentence, "could not be run"));
    assert_non_null(strstr(run.exit.sentence, "./no-such-agent"));
}

static void a_signal_gets_a_clear_sentence(void **state)
{
    (void)state;
    run_command(&run, "sh -c 'kill -SEGV $$'");
    assert_int_equal(run.exit.how, PROCESS_SIGNALLED);
    assert_int_equal(run.exit.code, SIGSEGV);
    assert_string_equal(run.exit.sentence, "it was killed by signal 11 (Segmentation fault)");
}

static void a_helper_that_does_not_exist_is_an_error_at_once(void **state)
{
    (void)state;
    struct sandbox sandbox = *run_sandbox();
    sandbox.helper_path = "/no/such/helper";
    struct process_spec spec = run_spec("true");
    spec.sandbox = &sandbox;
    struct process_events events = {0};
    struct process *process = NULL;
    struct note why = {""};
    uv_loop_t loop;
    int fds = count_fds();
    uv_loop_init(&loop);
    assert_int_equal(process_start(&loop, &spec, &events, &process, &why), ERR_ENVIRONMENT);
    assert_non_null(strstr(why.text, "/no/such/helper"));
    assert_null(process);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(count_fds(), fds);
}

static void a_missing_folder_is_reported_with_the_end(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("true");
    spec.folder = "/no/such/folder";
    run_whole(&run, &spec);
    assert_int_equal(run.exit.how, PROCESS_NOT_STARTED);
    assert_non_null(strstr(run.exit.sentence, "/no/such/folder"));
    assert_false(run.is_ready);
}

static void a_terminal_has_no_echo_and_no_buffer(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./terminal_user");
    spec.wants_terminal = true;
    run_start(&run, &spec);
    run_until_output(&run, "tty tty your name? ");
    assert_true(process_write(run.process, "Ada\n", 4));
    run_until_output(&run, "hello Ada\n");
    assert_string_equal(run.output, "tty tty your name? hello Ada\n");
    process_quit(run.process, RUN_LIMIT_MS);
    run_until_exit(&run);
    run_free(&run);
}

static void a_terminal_delivers_the_last_output(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("sh -c 'seq 1 2000; echo end'");
    spec.wants_terminal = true;
    run_whole(&run, &spec);
    assert_int_equal(run.exit.code, 0);
    assert_int_equal(run.count, 8893 + 4);
    assert_non_null(strstr(run.output, "2000\nend\n"));
}

static void its_streams_can_be_opened_by_name(void **state)
{
    (void)state;
    struct process_spec spec =
        run_spec("sh -c 'echo out > /dev/stdout; echo err > /dev/stderr; head -n 1 < /dev/stdin'");
    for (int i = 0; i < 2; i++) {
        spec.wants_terminal = i == 1;
        run_start(&run, &spec);
        run_until_output(&run, "out\n");
        assert_true(process_write(run.process, "in\n", 3));
        run_until_exit(&run);
        run_free(&run);
        assert_string_equal(run.output, "out\nin\n");
        assert_string_equal(run.errors, "err\n");
    }
}

static void quit_lets_it_end_by_itself(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("sh -c 'trap \"echo bye; exit 0\" TERM; echo up; "
                                        "while :; do sleep 0.01; done'");
    run_start(&run, &spec);
    run_until_output(&run, "up");
    process_quit(run.process, RUN_LIMIT_MS);
    run_until_exit(&run);
    run_free(&run);
    assert_string_equal(run.output, "up\nbye\n");
    assert_int_equal(run.exit.how, PROCESS_EXITED);
    assert_int_equal(run.exit.code, 0);
}

static void quit_kills_after_the_grace(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./stubborn");
    run_start(&run, &spec);
    run_until_output(&run, "ready");
    usleep(50000); /* the loop's own time does not change meanwhile */
    int64_t before = now_ms();
    process_quit(run.process, 100);
    run_until_exit(&run);
    run_free(&run);
    assert_in_range(now_ms() - before, 99, RUN_LIMIT_MS); /* it counts whole milliseconds */
    assert_int_equal(run.exit.how, PROCESS_KILLED);
}

static void kill_needs_no_cooperation(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./stubborn");
    run_start(&run, &spec);
    run_until_output(&run, "ready");
    process_kill(run.process);
    process_kill(run.process);
    run_until_exit(&run);
    process_kill(run.process);
    run_free(&run);
    assert_int_equal(run.exit.how, PROCESS_KILLED);
    assert_string_equal(run.exit.sentence, "it was stopped");
}

static void it_can_be_freed_at_any_time(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./stubborn");
    run_start(&run, &spec);
    run_free(&run);
    assert_false(run.has_exited);
    run_start(&run, &spec);
    run_until_ready(&run);
    run_free(&run);
    assert_int_equal(count_children(), 0);
}

static void free_now(struct run *runs)
{
    process_free(runs->process);
    runs->process = NULL;
}

static void it_can_be_freed_while_it_writes(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./flood");
    run_start(&run, &spec);
    run.on_output = free_now;
    while (run.process && !run.has_exited && !run.is_late) {
        uv_run(&run.loop, UV_RUN_ONCE);
    }
    run_free(&run);
    assert_false(run.process || run.has_exited);
    assert_int_equal(count_children(), 0);
}

static void a_flood_is_stopped_at_the_limit(void **state)
{
    (void)state;
    run_command(&run, "./flood");
    assert_int_equal(run.exit.how, PROCESS_FLOODED);
    assert_string_equal(run.exit.sentence, "it was stopped: it wrote more than 4 MiB of output");
    assert_in_range(run.count, 4 << 20, (4 << 20) + (1 << 20));
}

static void a_flood_of_errors_is_also_stopped(void **state)
{
    (void)state;
    run_command(&run, "./flood stderr");
    assert_int_equal(run.exit.how, PROCESS_FLOODED);
    assert_in_range(strlen(run.errors), PROCESS_STDERR_BYTES, PROCESS_STDERR_BYTES + 64);
}

/* One turn of the loop takes a bounded piece of a flood. */
static void a_flood_is_read_in_small_pieces(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./flood");
    run_start(&run, &spec);
    run_until_ready(&run);
    size_t before = 0;
    while (!run.has_exited) {
        uv_run(&run.loop, UV_RUN_ONCE);
        assert_false(run.is_late);
        assert_true(run.has_exited || run.count - before <= 64 * 1024);
        before = run.count;
    }
    run_free(&run);
}

static void it_may_end_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        run_command(&run, "true");
        assert_int_equal(run.exit.how, PROCESS_EXITED);
        assert_int_equal(run.exit.code, 0);
    }
}

static void it_may_close_its_streams_and_continue(void **state)
{
    (void)state;
    run_command(&run, "./close_streams");
    assert_int_equal(run.exit.how, PROCESS_EXITED);
    assert_int_equal(run.exit.code, 3);
}

static void a_long_stderr_keeps_its_beginning_and_its_end(void **state)
{
    (void)state;
    run_command(&run, "sh -c 'echo first >&2; seq 100000 300000 >&2; echo last >&2'");
    assert_int_equal(strncmp(run.errors, "first\n100000\n", 13), 0);
    assert_non_null(strstr(run.errors, "bytes left out"));
    size_t length = strlen(run.errors);
    assert_string_equal(run.errors + length - 12, "300000\nlast\n");
    assert_in_range(length, PROCESS_STDERR_BYTES, PROCESS_STDERR_BYTES + 64);
}

static void a_log_is_text_that_steers_no_terminal(void **state)
{
    (void)state;
    static const char bytes[] = "a\0b\033[2J \303\251 \377 \342\200\256x\r\n\ty\rz\n";
    struct output_log log = {0};
    char copy[64];
    output_log_add(&log, bytes, sizeof bytes - 1);
    assert_int_equal(output_log_copy(&log, copy, sizeof copy), sizeof bytes - 1);
    assert_string_equal(copy, "a?b?[2J \303\251 ? ???x\r\n\ty?z\n");
    output_log_free(&log);
}

static void a_log_of_any_length_is_copied_right(void **state)
{
    (void)state;
    enum { HEAD = OUTPUT_LOG_HEAD_BYTES, TAIL = OUTPUT_LOG_TAIL_BYTES };
    static const size_t lengths[] = {0,        1,           HEAD - 1,        HEAD,
                                     HEAD + 1, HEAD + TAIL, HEAD + TAIL + 1, HEAD + 3 * TAIL + 77};
    static char bytes[HEAD + 4 * TAIL];
    static char copy[HEAD + 4 * TAIL];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)('a' + i % 23);
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct output_log log = {0};
        for (size_t at = 0; at < lengths[i]; at += 1000) {
            size_t rest = lengths[i] - at;
            output_log_add(&log, bytes + at, rest < 1000 ? rest : 1000);
        }
        size_t length = output_log_copy(&log, copy, sizeof copy);
        if (lengths[i] <= HEAD + TAIL) {
            assert_int_equal(length, lengths[i]);
            assert_memory_equal(copy, bytes, length);
        } else {
            assert_memory_equal(copy, bytes, HEAD);
            assert_memory_equal(copy + length - TAIL, bytes + lengths[i] - TAIL, TAIL);
        }
        assert_int_equal(output_log_copy(&log, copy, 10), lengths[i] < 9 ? lengths[i] : 9);
        assert_int_equal(output_log_copy(&log, copy, 0), 0);
        output_log_free(&log);
    }
}

static void the_environment_holds_no_secrets(void **state)
{
    (void)state;
    static const char *const extra[] = {"WANTED=yes", "LANG=tlh", NULL};
    setenv("PLUM_TEST_SECRET", "swordfish", 1);
    setenv("LANG", "C", 1);
    struct process_spec spec = run_spec("env");
    spec.environment = extra;
    run_whole(&run, &spec);
    assert_null(strstr(run.output, "swordfish"));
    assert_non_null(strstr(run.output, "WANTED=yes\n"));
    assert_non_null(strstr(run.output, "LANG=tlh\n"));
    assert_null(strstr(run.output, "LANG=C\n"));
    assert_non_null(strstr(run.output, "PATH="));
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_text(const char *folder, const char *name, const char *wanted)
{
    char path[4096];
    char text[256] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, wanted);
}

static void exchange_files(struct process_spec *spec)
{
    spec->command = "sh -c 'echo up; read go; cat question; echo 42 > answer'";
    spec->private_is_cwd = true;
    run_start(&run, spec);
    run_until_output(&run, "up");
    const char *folder = process_private_folder(run.process);
    assert_non_null(folder);
    write_text(folder, "question", "how many?\n");
    assert_true(process_write(run.process, "go\n", 3));
    run_until_exit(&run);
    assert_string_equal(run.output, "up\nhow many?\n");
    assert_int_equal(run.exit.code, 0);
}

static void files_go_both_ways_through_a_temporary_folder(void **state)
{
    (void)state;
    struct process_spec spec = run_spec(NULL);
    exchange_files(&spec);
    if (run_sandbox()->features & SANDBOX_NAMESPACES) {
        assert_text(process_private_folder(run.process), "answer", "42\n");
    }
    run_free(&run);
    assert_int_equal(count_temporary_folders(), 0);
}

static void files_go_both_ways_through_a_given_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/test-process-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct process_spec spec = run_spec(NULL);
    spec.private_folder = folder;
    exchange_files(&spec);
    run_free(&run);
    assert_text(folder, "answer", "42\n");
    folder_remove(folder);
}

static void a_given_folder_that_is_missing_is_named(void **state)
{
    (void)state;
    char folder[] = "/tmp/test-process-XXXXXX";
    if (!(run_sandbox()->features & (SANDBOX_NAMESPACES | SANDBOX_OTHER_USER))) {
        skip(); /* nothing is done to the folder before the program starts */
    }
    assert_non_null(mkdtemp(folder));
    assert_int_equal(rmdir(folder), 0);
    struct process_spec spec = run_spec("true");
    spec.private_folder = folder;
    run_whole(&run, &spec);
    assert_int_equal(run.exit.how, PROCESS_NOT_STARTED);
    if (run_sandbox()->features & SANDBOX_OTHER_USER) {
        assert_non_null(strstr(run.exit.sentence, folder));
    }
}

static void the_folder_is_linked_into_another_working_folder(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./tell_limits");
    spec.private_is_cwd = true;
    run_whole(&run, &spec);
    assert_int_equal(run.exit.code, 0);
    assert_non_null(strstr(run.output, "inherited descriptors: 0\n"));
}

static void it_stays_on_its_processor(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./tell_limits");
    spec.cpu = sched_getcpu(); /* one that we may use */
    run_whole(&run, &spec);
    assert_non_null(strstr(run.output, "processors 1\n"));
    assert_non_null(strstr(run.output, "inherited descriptors: 0\n"));
    if (run_sandbox()->features & SANDBOX_SECCOMP) {
        assert_non_null(strstr(run.output, "processors after a grab: 1\n"));
    }
}

/* --- The listener. --- */

static void answer_call(struct run *runs, const char *word)
{
    char heard[16] = "";
    int listener = process_take_listener(runs->process);
    assert_true(listener >= 0);
    assert_int_equal(process_take_listener(runs->process), -1);
    int caller;
    while ((caller = accept(listener, NULL, NULL)) < 0) {
        assert_false(runs->has_exited || runs->is_late);
        uv_run(&runs->loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(read(caller, heard, sizeof heard - 1), strlen(word));
    assert_string_equal(heard, word);
    assert_int_equal(write(caller, "heard", 5), 5);
    close(caller);
    close(listener);
}

static void every_sandbox_has_a_port_8888_of_its_own(void **state)
{
    (void)state;
    if (!(run_sandbox()->features & SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("there are no namespaces here");
    }
    struct process_spec spec = run_spec("./call_home 8888 first");
    spec.listen_port = 8888;
    run_start(&run, &spec);
    spec.command = "./call_home 8888 second";
    run_start(&other, &spec);
    assert_int_equal(process_take_listener(run.process), -1);
    run_until_ready(&other);
    run_until_ready(&run);
    answer_call(&other, "second");
    answer_call(&run, "first");
    run_until_exit(&run);
    run_until_exit(&other);
    assert_string_equal(run.output, "heard\n");
    assert_string_equal(other.output, "heard\n");
    run_free(&run);
    run_free(&other);
}

/* Without a network of its own it finds the caller's listener, and no other. */
static void without_namespaces_it_reaches_one_port_of_this_machine(void **state)
{
    (void)state;
    if (run_sandbox()->features & SANDBOX_NAMESPACES) {
        SKIP_BECAUSE("there are namespaces here; the same test runs without them");
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    char command[64];
    snprintf(command, sizeof command, "./call_home %d word", ntohs(address.sin_port));
    struct process_spec spec = run_spec(command);
    spec.listen_port = ntohs(address.sin_port);
    run_start(&run, &spec);
    run_until_ready(&run);
    assert_int_equal(process_take_listener(run.process), -1);
    int caller = accept(listener, NULL, NULL);
    assert_int_equal(write(caller, "heard", 5), 5);
    close(caller);
    run_until_exit(&run);
    run_free(&run);
    assert_string_equal(run.output, "heard\n");
    if (run_sandbox()->features & SANDBOX_LANDLOCK) {
        spec.listen_port = 1;
        run_whole(&run, &spec);
        assert_int_equal(run.exit.code, 1);
    }
    spec.listen_port = 0;
    run_whole(&run, &spec);
    assert_int_equal(run.exit.code, 1);
    close(listener);
}

/* --- Nothing is left behind. --- */

static int count_marked(const char *mark)
{
    char line[512];
    int count = 0;
    FILE *all = popen("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'", "r");
    assert_non_null(all);
    while (fgets(line, sizeof line, all)) {
        line[strcspn(line, "\n")] = '\0';
        count += strcmp(line, mark) == 0;
    }
    pclose(all);
    return count;
}

static void make_mark(char mark[32], int number)
{
    snprintf(mark, 32, "mark-%d-%d", (int)getpid(), number);
}

static void its_children_die_when_it_exits(void **state)
{
    (void)state;
    char mark[32];
    char command[64];
    make_mark(mark, 1);
    snprintf(command, sizeof command, "./runaway %s", mark);
    run_command(&run, command);
    assert_string_equal(run.output, "left\n");
    assert_int_equal(run.exit.code, 7);
    assert_int_equal(count_marked(mark), 0);
}

static void its_children_are_killed_with_it(void **state)
{
    (void)state;
    char mark[32];
    char command[64];
    make_mark(mark, 2);
    snprintf(command, sizeof command, "./runaway %s stay", mark);
    struct process_spec spec = run_spec(command);
    run_start(&run, &spec);
    run_until_output(&run, "left");
    assert_in_range(count_marked(mark), 6, 7);
    process_kill(run.process);
    run_until_exit(&run);
    assert_int_equal(count_marked(mark), 0);
    run_free(&run);
}

static void wait_until_gone(const char *mark)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    int64_t start = now_ms();
    while (count_marked(mark) > 0) {
        assert_in_range(now_ms() - start, 0, RUN_LIMIT_MS);
        nanosleep(&pause, NULL);
    }
}

static void everything_dies_when_we_are_killed(void **state)
{
    (void)state;
    char mark[32];
    char command[64];
    int pipe_ends[2];
    char byte;
    make_mark(mark, 3);
    snprintf(command, sizeof command, "./runaway %s stay", mark);
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    pid_t judge = fork();
    if (judge == 0) {
        struct process_spec spec = run_spec(command);
        run_start(&run, &spec);
        if (run_says(&run, "left")) { /* an assertion would continue with the other cases here */
            (void)!write(pipe_ends[1], "x", 1);
            pause();
        }
        _exit(0);
    }
    close(pipe_ends[1]);
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    close(pipe_ends[0]);
    assert_in_range(count_marked(mark), 6, 7);
    kill(judge, SIGKILL);
    waitpid(judge, NULL, 0);
    wait_until_gone(mark);
}

static void end_supervisor(int number, int signal)
{
    char mark[32];
    char command[64];
    make_mark(mark, number);
    bool has_namespaces = run_sandbox()->features & SANDBOX_NAMESPACES;
    snprintf(command, sizeof command, "%s %s stay", has_namespaces ? "./runaway" : "./stubborn",
             mark);
    struct process_spec spec = run_spec(command);
    run_start(&run, &spec);
    run_until_output(&run, has_namespaces ? "left" : "ready");
    folder_scratch_sweep("/tmp"); /* what is in use stays */
    assert_int_equal(count_temporary_folders(), !has_namespaces);
    kill(only_child(), signal);
    run_until_exit(&run);
    assert_int_equal(run.exit.how, PROCESS_NOT_STARTED);
    assert_string_equal(run.exit.sentence, "its supervisor died");
    wait_until_gone(mark);
    run_free(&run);
}

static void everything_dies_with_its_supervisor(void **state)
{
    (void)state;
    end_supervisor(5, SIGKILL);
    /* The folder of a program without namespaces may still be there; another judge may have
     * removed it. */
    folder_scratch_sweep("/tmp");
    assert_int_equal(count_temporary_folders(), 0);
    int64_t start = now_ms();
    while (count_cgroups() > 0) {
        sandbox_cgroup_sweep(&sandbox_cgroup_kernel);
        assert_in_range(now_ms() - start, 0, RUN_LIMIT_MS);
    }
}

static void a_supervisor_that_is_asked_to_end_leaves_nothing(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        end_supervisor(6 + i, signals[i]);
        assert_int_equal(count_temporary_folders(), 0);
        assert_int_equal(count_cgroups(), 0);
    }
}

static void many_starts_and_stops_leave_nothing(void **state)
{
    (void)state;
    static const char *const commands[] = {"true",        "./stubborn",      "./flood",
                                           "./runaway x", "./no-such-agent", "cat"};
    enum { KINDS = sizeof commands / sizeof commands[0], ROUNDS = 60 };
    int fds = count_fds();
    int folders = count_temporary_folders();
    int groups = count_cgroups();
    for (int i = 0; i < ROUNDS; i++) {
        struct process_spec spec = run_spec(commands[i % KINDS]);
        spec.wants_terminal = i % 2;
        spec.listen_port = i % 3 ? 0 : 8888;
        run_start(&run, &spec);
        if (i % 5) {
            run_until_ready(&run);
        }
        run_free(&run);
    }
    assert_int_equal(count_fds(), fds);
    assert_int_equal(count_children(), 0);
    assert_int_equal(count_temporary_folders(), folders);
    assert_int_equal(count_cgroups(), groups);
}

static void many_run_at_the_same_time(void **state)
{
    (void)state;
    enum { MANY = 24 };
    static struct run runs[MANY];
    struct process_spec spec = run_spec("cat");
    spec.listen_port = 8888;
    for (int i = 0; i < MANY; i++) {
        run_start(&runs[i], &spec);
    }
    for (int i = 0; i < MANY; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d\n", i);
        assert_true(process_write(runs[i].process, text, strlen(text)));
        run_until_output(&runs[i], text);
    }
    for (int i = 0; i < MANY; i++) {
        run_free(&runs[i]);
    }
    assert_int_equal(count_children(), 0);
}

/* --- Without any sandbox. --- */

static void without_a_sandbox_it_sees_the_machine_and_still_dies_with_us(void **state)
{
    (void)state;
    struct sandbox sandbox;
    struct note missing;
    struct sandbox_limits limits = sandbox_limits_default();
    assert_int_equal(sandbox_probe(SANDBOX_OFF, &limits, NULL, &sandbox, &missing), ERR_NONE);
    assert_string_equal(sandbox_level(&sandbox), "off");
    assert_string_equal(missing.text, "");
    char mark[32];
    char command[128];
    make_mark(mark, 4);
    setenv("PLUM_TEST_SECRET", "swordfish", 1);
    snprintf(command, sizeof command, "sh -c 'echo $PLUM_TEST_SECRET; ./runaway %s'", mark);
    struct process_spec spec = run_spec(command);
    spec.sandbox = &sandbox;
    run_whole(&run, &spec);
    assert_string_equal(run.output, "swordfish\nleft\n");
    assert_int_equal(count_marked(mark), 0);
    assert_int_equal(count_temporary_folders(), 0);
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_output_arrives),
        cmocka_unit_test(its_input_arrives),
        cmocka_unit_test(a_message_larger_than_a_pipe_arrives_whole),
        cmocka_unit_test(a_program_that_never_reads_is_not_waited_for),
        cmocka_unit_test(a_closed_stdin_is_not_an_error),
        cmocka_unit_test(a_command_that_does_not_exist_gets_a_clear_sentence),
        cmocka_unit_test(a_signal_gets_a_clear_sentence),
        cmocka_unit_test(a_helper_that_does_not_exist_is_an_error_at_once),
        cmocka_unit_test(a_missing_folder_is_reported_with_the_end),
        cmocka_unit_test(a_terminal_has_no_echo_and_no_buffer),
        cmocka_unit_test(a_terminal_delivers_the_last_output),
        cmocka_unit_test(its_streams_can_be_opened_by_name),
        cmocka_unit_test(quit_lets_it_end_by_itself),
        cmocka_unit_test(quit_kills_after_the_grace),
        cmocka_unit_test(kill_needs_no_cooperation),
        cmocka_unit_test(it_can_be_freed_at_any_time),
        cmocka_unit_test(it_can_be_freed_while_it_writes),
        cmocka_unit_test(a_flood_is_stopped_at_the_limit),
        cmocka_unit_test(a_flood_of_errors_is_also_stopped),
        cmocka_unit_test(a_flood_is_read_in_small_pieces),
        cmocka_unit_test(it_may_end_at_once),
        cmocka_unit_test(it_may_close_its_streams_and_continue),
        cmocka_unit_test(a_long_stderr_keeps_its_beginning_and_its_end),
        cmocka_unit_test(a_log_is_text_that_steers_no_terminal),
        cmocka_unit_test(a_log_of_any_length_is_copied_right),
        cmocka_unit_test(the_environment_holds_no_secrets),
        cmocka_unit_test(files_go_both_ways_through_a_temporary_folder),
        cmocka_unit_test(files_go_both_ways_through_a_given_folder),
        cmocka_unit_test(a_given_folder_that_is_missing_is_named),
        cmocka_unit_test(the_folder_is_linked_into_another_working_folder),
        cmocka_unit_test(it_stays_on_its_processor),
        cmocka_unit_test(every_sandbox_has_a_port_8888_of_its_own),
        cmocka_unit_test(without_namespaces_it_reaches_one_port_of_this_machine),
        cmocka_unit_test(its_children_die_when_it_exits),
        cmocka_unit_test(its_children_are_killed_with_it),
        cmocka_unit_test(everything_dies_when_we_are_killed),
        cmocka_unit_test(everything_dies_with_its_supervisor),
        cmocka_unit_test(a_supervisor_that_is_asked_to_end_leaves_nothing),
        cmocka_unit_test(many_starts_and_stops_leave_nothing),
        cmocka_unit_test(many_run_at_the_same_time),
        cmocka_unit_test(without_a_sandbox_it_sees_the_machine_and_still_dies_with_us),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
