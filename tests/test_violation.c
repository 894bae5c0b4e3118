/* What programs try in vain is recorded, and what ordinary programs do is not.
 *
 * Each attempt is made twice: watched, and in a sandbox without the watch, as a control. The
 * program must not notice a difference. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <seccomp.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "process_support.h"

enum { MANY = 25000, JUDGE_PORT = 8888, PROGRAM_BYTES = 16 << 20 };

static struct run run;
static struct sandbox unwatched;

/* A class with two teams, and a home folder with a secret if this user can make one. */
static char class_folder[64];

static const char *in_class(const char *name)
{
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", class_folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    assert_true(file_write(path, "w", text, strlen(text)));
}

/* One of the rude ones, if there is such a program here. */
static void copy_program(const char *name)
{
    char from[512];
    char to[512];
    size_t count = 0;
    snprintf(from, sizeof from, "%s/%s", run_rude_folder(), name);
    snprintf(to, sizeof to, "%s/team1/%s", class_folder, name);
    char *bytes = file_read_head(from, PROGRAM_BYTES, &count);
    if (bytes) {
        assert_true(file_write(to, "w", bytes, count));
        chmod(to, 0755);
    }
    free(bytes);
}

static int make_class(void **state)
{
    (void)state;
    static const char *const programs[] = {"attempt", "time_opens", "ordinary", "ordinary.py"};
    snprintf(class_folder, sizeof class_folder, "/var/tmp/test-class-XXXXXX");
    if (!mkdtemp(class_folder)) {
        return -1;
    }
    chmod(class_folder, 0755);
    mkdir(in_class("team1"), 0755);
    mkdir(in_class("team2"), 0755);
    write_text(in_class("team2/agent.py"), "print()\n");
    write_text(in_class("team1/data"), "own\n");
    write_text(in_class("roster.ini"), "[tournament]\n");
    write_text(in_class("pyvenv.cfg"), "\n");
    write_text(in_class("weights.npz"), "\n");
    write_text(in_class("team2/weights.npz"), "\n");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        copy_program(programs[i]);
    }
    unwatched = *run_sandbox();
    unwatched.features &= ~(unsigned)SANDBOX_WATCH;
    return 0;
}

static int remove_class(void **state)
{
    (void)state;
    folder_remove(class_folder);
    return 0;
}

/* How often anything was tried. */
static int64_t total_of(const struct violation_list *list)
{
    int64_t total = 0;
    for (int i = 0; i < list->count; i++) {
        total += list->rows[i].count;
    }
    return total;
}

static bool has(unsigned features) { return (run_sandbox()->features & features) == features; }

/* Someone else's process, as the program knows it. */
static int judge(void) { return has(SANDBOX_NAMESPACES) ? 1 : getpid(); }

/* Replaces CLASS and HOMES by folders and JUDGE by a number. */
static const char *fill_in(const char *text, char out[512])
{
    size_t length = 0;
    while (*text && length < 500) {
        if (strncmp(text, "CLASS", 5) == 0) {
            length += (size_t)snprintf(out + length, 512 - length, "%s", class_folder);
            text += 5;
        } else if (strncmp(text, "JUDGE", 5) == 0) {
            length += (size_t)snprintf(out + length, 512 - length, "%d", judge());
            text += 5;
        } else if (strncmp(text, "HOMES", 5) == 0) {
            length += (size_t)snprintf(out + length, 512 - length, "/home");
            text += 5;
        } else {
            out[length++] = *text++;
        }
    }
    out[length] = '\0';
    return out;
}

static void run_in(const struct sandbox *sandbox, const char *command)
{
    struct process_spec spec = run_spec(command);
    spec.folder = in_class("team1");
    spec.sandbox = sandbox;
    spec.listen_port = JUDGE_PORT;
    run_whole(&run, &spec);
}

static void assert_none(const char *command)
{
    for (int i = 0; i < run.violations.count; i++) {
        fail_msg("%s: recorded: %s %s", command, violation_kind_name(run.violations.rows[i].kind),
                 run.violations.rows[i].what);
    }
}

static void expect_trace(const char *attempt, enum violation_kind kind, const char *what)
{
    char words[512];
    char command[600];
    char wanted[512];
    char refusal[64];
    snprintf(command, sizeof command, "./attempt 1 %s", fill_in(attempt, words));
    run_in(&unwatched, command);
    assert_none(command);
    snprintf(refusal, sizeof refusal, "%.60s", run.output);
    int64_t before_ms = clock_unix_ms();
    run_in(run_sandbox(), command);
    if (strcmp(run.output, refusal) != 0) {
        fail_msg("%s: '%s' when it is watched, else '%s'; %s %s", command, run.output, refusal,
                 run.exit.sentence, run.errors);
    }
    fill_in(what, wanted);
    if (run.violations.count != 1 || run.violations.rows[0].kind != kind ||
        strcmp(run.violations.rows[0].what, wanted) != 0 || run.violations.rows[0].count != 1) {
        fail_msg("%s: %d recorded; the first is %s '%s', %d times", command, run.violations.count,
                 run.violations.count ? violation_kind_name(run.violations.rows[0].kind) : "",
                 run.violations.rows[0].what, (int)run.violations.rows[0].count);
    }
    assert_in_range(run.violations.rows[0].first_ms, before_ms, clock_unix_ms());
}

static void skip_without_watch(void)
{
    if (!has(SANDBOX_WATCH)) {
        SKIP_BECAUSE("this kernel has no user notification");
    }
}

static void reading_what_belongs_to_others_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("read /etc/shadow", VIOLATION_READ, "read /etc/shadow");
    expect_trace("read CLASS/team2/agent.py", VIOLATION_READ, "read CLASS/team2/agent.py");
    expect_trace("read-raw CLASS/team2/agent.py", VIOLATION_READ, "read CLASS/team2/agent.py");
    expect_trace("openat2 CLASS/team2/agent.py", VIOLATION_READ, "read CLASS/team2/agent.py");
    expect_trace("read ../team2/agent.py", VIOLATION_READ, "read CLASS/team2/agent.py");
    expect_trace("read CLASS/team1/.././roster.ini", VIOLATION_READ, "read CLASS/roster.ini");
    expect_trace("list ../team2", VIOLATION_READ, "read CLASS/team2");
    expect_trace("read /proc/self/root/etc/shadow", VIOLATION_READ, "read /etc/shadow");
    expect_trace("symlink /etc/shadow \"$TMPDIR/x\"", VIOLATION_READ, "read /etc/shadow");
    expect_trace("linkat /etc/shadow \"$TMPDIR/x\"", VIOLATION_READ, "read /etc/shadow");
    expect_trace("list /root", VIOLATION_READ, "read /root");
    expect_trace("read HOMES/.ssh/id_rsa", VIOLATION_READ, "read HOMES/.ssh/id_rsa");
}

static void writing_outside_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("write /etc/passwd", VIOLATION_WRITE, "write /etc/passwd");
    expect_trace("write /usr/bin/rude", VIOLATION_WRITE, "write /usr/bin/rude");
    expect_trace("creat /etc/rude", VIOLATION_WRITE, "write /etc/rude");
    expect_trace("write ../team2/agent.py", VIOLATION_WRITE, "write CLASS/team2/agent.py");
    expect_trace("write CLASS/team2/new", VIOLATION_WRITE, "write CLASS/team2/new");
    expect_trace("truncate CLASS/roster.ini", VIOLATION_WRITE, "write CLASS/roster.ini");
    expect_trace("unlink CLASS/roster.ini", VIOLATION_WRITE, "write CLASS/roster.ini");
    expect_trace("mkdir /etc/rude", VIOLATION_WRITE, "write /etc/rude");
    expect_trace("rename data ../team2/agent.py", VIOLATION_WRITE, "write CLASS/team2/agent.py");
    expect_trace("link data /usr/lib/rude", VIOLATION_WRITE, "write /usr/lib/rude");
    expect_trace("symlink data /etc/rude", VIOLATION_WRITE, "write /etc/rude");
    expect_trace("renameat data CLASS/team2/new", VIOLATION_WRITE, "write CLASS/team2/new");
    expect_trace("symlinkat data /etc/rude", VIOLATION_WRITE, "write /etc/rude");
}

static void reaching_other_addresses_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("connect 192.0.2.1 80", VIOLATION_NETWORK, "reach 192.0.2.1 port 80");
    expect_trace("connect6 2001:db8::1 80", VIOLATION_NETWORK, "reach 2001:db8::1 port 80");
    if (!has(SANDBOX_NAMESPACES)) { /* the loopback is that of the machine */
        expect_trace("connect 127.0.0.1 9", VIOLATION_NETWORK, "reach 127.0.0.1 port 9");
    } else {
        expect_trace("sendto 192.0.2.1 53", VIOLATION_NETWORK, "reach 192.0.2.1 port 53");
    }
    expect_trace("socket 17 3", VIOLATION_NETWORK, "open a socket of family 17, type 3");
    expect_trace("socket 40 1", VIOLATION_NETWORK, "open a socket of family 40, type 1");
}

/* SIGURG: what gets it ignores it. */
static void signals_to_others_are_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("kill JUDGE 23", VIOLATION_SIGNAL, "send signal 23 to process JUDGE");
    expect_trace("tgkill JUDGE 23", VIOLATION_SIGNAL, "send signal 23 to process JUDGE");
    expect_trace("kill -1 23", VIOLATION_SIGNAL, "send signal 23 to group -1");
    if (has(SANDBOX_NAMESPACES)) {
        expect_trace("kill 31234 9", VIOLATION_SIGNAL, "send signal 9 to process 31234");
    }
}

static void looking_into_others_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("ptrace JUDGE", VIOLATION_PROCESS, "use ptrace on process JUDGE");
    expect_trace("vmread JUDGE", VIOLATION_PROCESS, "use process_vm_readv on process JUDGE");
    expect_trace("read /proc/JUDGE/environ", VIOLATION_PROCESS, "read /proc/JUDGE/environ");
    expect_trace("write /proc/JUDGE/mem", VIOLATION_PROCESS, "write /proc/JUDGE/mem");
}

static void changing_the_machine_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    expect_trace("mount", VIOLATION_SYSTEM, "call mount");
    if (has(SANDBOX_NAMESPACES)) { /* else the test's own filter refuses them first */
        expect_trace("unshare", VIOLATION_SYSTEM, "call unshare");
        expect_trace("clone", VIOLATION_SYSTEM, "call clone");
    }
    expect_trace("bpf", VIOLATION_SYSTEM, "call bpf");
    expect_trace("type", VIOLATION_SYSTEM, "call ioctl");
}

static void ordinary_programs_leave_no_trace(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "true",
        "cat data",
        "./attempt 1 read data",
        "./attempt 1 read nothing-here",
        "./attempt 1 read CLASS/pyvenv.cfg",
        "./attempt 1 read CLASS/no-such-file",
        "./attempt 1 read HOMES/no-such-user-here/x",
        "./attempt 1 list /",
        "./attempt 1 list CLASS",
        "./attempt 1 write log.txt",
        "./attempt 1 write CLASS/team1/__pycache__/a.pyc",
        "./attempt 1 mkdir /usr/lib/python3/dist-packages/__pycache__",
        "./attempt 1 write /no/such/folder/log.txt",
        "./attempt 1 write \"$TMPDIR/x\"",
        "./attempt 1 kill 0 23",
        "./attempt 1 kill JUDGE 0",
        "./attempt 1 traceme",
        "./attempt 1 unshare-files",
        "./attempt 1 socket 1 1",
        "./attempt 1 socket 16 3",
        "python3 ordinary.py",
        "/usr/bin/python3 ordinary.py",
    };
    skip_without_watch();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char command[512];
        run_in(run_sandbox(), fill_in(commands[i], command));
        assert_none(command);
    }
    if (!strstr(run.output, "done")) {
        fail_msg("ordinary.py did not end: %s %s", run.exit.sentence, run.errors);
    }
    if (access(in_class("team1/ordinary"), X_OK) == 0) {
        run_in(run_sandbox(), "./ordinary");
        assert_none("./ordinary");
        assert_string_equal(run.output, "done\n");
    }
}

static int hostile_rows(void)
{
    int count = 0;
    for (int i = 0; i < run.violations.count; i++) {
        count += run.violations.rows[i].is_hostile;
    }
    return count;
}

/* Weights, logs and addresses of the author's machine that exist here by chance are recorded, but
 * no game is lost for them. */
static void what_an_ordinary_program_may_try_is_not_hostile(void **state)
{
    (void)state;
    static const char *const attempts[] = {
        "read ../weights.npz",  "read ../team2/weights.npz", "list ../team2",
        "write ../log.txt",     "write ../weights.npz",      "write /usr/lib/rude",
        "connect 192.0.2.1 80", "read /proc/JUDGE/environ",  "list /proc/JUDGE/fd",
    };
    static const char *const hostile[] = {
        "read /etc/shadow",
        "read ../team2/agent.py",
        "write ../team2/agent.py",
        "read ../roster.ini",
        "write /etc/passwd",
        "kill JUDGE 23",
        "ptrace JUDGE",
        "read /proc/JUDGE/mem",
        "write /proc/JUDGE/environ",
        "mount",
    };
    char words[512];
    char command[600];
    skip_without_watch();
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        snprintf(command, sizeof command, "./attempt 1 %s", fill_in(attempts[i], words));
        run_in(run_sandbox(), command);
        if (run.violations.count != 1 || hostile_rows() != 0) {
            fail_msg("%s: %d recorded, %d hostile", command, run.violations.count, hostile_rows());
        }
    }
    if (access("/usr/bin/ps", X_OK) == 0) {
        run_in(run_sandbox(), "ps aux");
        assert_int_equal(hostile_rows(), 0);
    }
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        snprintf(command, sizeof command, "./attempt 1 %s", fill_in(hostile[i], words));
        run_in(run_sandbox(), command);
        if (hostile_rows() != 1) {
            fail_msg("%s: %d recorded, none hostile", command, run.violations.count);
        }
    }
}

static void a_row_for_all_others_is_hostile_as_soon_as_one_of_them_is(void **state)
{
    struct violation violation = {.kind = VIOLATION_READ, .count = 1};
    struct violation_list list = {.count = 0};
    (void)state;
    for (int i = 0; i < VIOLATION_NAMED + 1; i++) {
        snprintf(violation.what, sizeof violation.what, "read %d", i);
        violation_list_add(&list, &violation);
    }
    assert_false(list.rows[VIOLATION_NAMED].is_hostile);
    violation.is_hostile = true;
    snprintf(violation.what, sizeof violation.what, "read /etc/shadow");
    assert_int_equal(violation_list_add(&list, &violation), VIOLATION_NAMED);
    assert_true(list.rows[VIOLATION_NAMED].is_hostile);
}

/* How well the time of an open shows which of two files it was, see rude/time_opens.c. */
static long distinguish(const char *files)
{
    char words[512];
    char command[600];
    snprintf(command, sizeof command, "./time_opens 30 %s", fill_in(files, words));
    run_in(run_sandbox(), command);
    if (run.exit.how != PROCESS_EXITED || run.exit.code != 0) {
        fail_msg("%s: %s %s", command, run.exit.sentence, run.errors);
    }
    return strtol(run.output, NULL, 10);
}

static void the_time_of_an_open_does_not_show_which_files_exist(void **state)
{
    (void)state;
    enum { CERTAIN = 25 };
    skip_without_watch();
    if (!has(SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("without namespaces stat() shows which files exist");
    }
    assert_in_range(distinguish("CLASS/team2/agent.py CLASS/team2/absen.py"), 0, CERTAIN);
    assert_in_range(distinguish("CLASS/roster.ini CLASS/absent.ini"), 0, CERTAIN);
    /* It does show whether the supervisor had to look: otherwise this measures nothing. */
    assert_true(distinguish("CLASS/roster.ini /usr/lib/absent.ini") > CERTAIN);
}

/* As a mount whose server is dead: who looks into it waits. Returns what ends the wait when it is
 * closed; -1: this user cannot make one. */
static int mount_dead_server(const char *folder)
{
    char options[64];
    int server = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", server);
    mkdir(folder, 0755);
    if (server >= 0 && mount("dead", folder, "fuse", 0, options) != 0) {
        close(server);
        return -1;
    }
    return server;
}

static void a_server_that_does_not_answer_stops_neither_program_nor_record(void **state)
{
    (void)state;
    char text[512];
    skip_without_watch();
    int server = mount_dead_server(in_class("dead"));
    if (server < 0) {
        SKIP_BECAUSE("this user cannot mount a file system");
    }
    /* In a file: the sandbox itself looks for the words of a command. */
    write_text(in_class("team1/dead.sh"),
               fill_in("./attempt 3 read CLASS/dead/x; ./attempt 1 write CLASS/dead/x\n"
                       "./attempt 1 mount\n",
                       text));
    struct process_spec spec = run_spec("sh dead.sh");
    spec.folder = in_class("team1");
    run_start(&run, &spec);
    while (!run.has_exited && !run.is_late) {
        uv_run(&run.loop, UV_RUN_ONCE);
    }
    close(server);
    umount2(in_class("dead"), MNT_DETACH);
    assert_false(run.is_late);
    run_free(&run);
    /* That there is such a folder is known without its server. */
    assert_int_equal(run.violations.count, 2);
    assert_string_equal(run.violations.rows[0].what, fill_in("write CLASS/dead/x", text));
    assert_string_equal(run.violations.rows[1].what, "call mount");
}

static void many_attempts_cost_few_messages(void **state)
{
    (void)state;
    char command[64];
    skip_without_watch();
    snprintf(command, sizeof command, "./attempt %d mount", MANY);
    run_in(run_sandbox(), command);
    assert_int_equal(run.violations.count, 1);
    assert_int_equal(run.violations.rows[0].count, MANY);
    assert_int_equal(run.violation_reports, 2); /* the first, and all others */
    run_in(run_sandbox(), "./attempt 1000 read-many /etc/ssh/key");
    assert_int_equal(run.violations.count, VIOLATION_NAMED + 1);
    assert_string_equal(run.violations.rows[0].what, "read /etc/ssh/key0");
    assert_string_equal(run.violations.rows[VIOLATION_NAMED].what, "read other files");
    assert_in_range(run.violation_reports, VIOLATION_NAMED + 1, 2 * (VIOLATION_NAMED + 1));
}

/* What is not certain to be an attack does not end the look at files. */
static void after_a_hundred_attacks_no_more_paths_are_read(void **state)
{
    (void)state;
    skip_without_watch();
    run_in(run_sandbox(), "./attempt 1000 read /etc/shadow");
    assert_int_equal(total_of(&run.violations), 100);
    run_in(run_sandbox(),
           "sh -c './attempt 150 connect 192.0.2.1 80; ./attempt 1 read /etc/shadow'");
    assert_int_equal(total_of(&run.violations), 151);
}

static int64_t processor_time_of(int process)
{
    char path[64];
    char text[128] = "";
    snprintf(path, sizeof path, "/proc/%d/schedstat", process);
    FILE *file = fopen(path, "r");
    if (file) {
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return strtoll(text, NULL, 10);
}

/* The supervisor's time is not the program's: it is limited to 5 %, whatever the program asks. It
 * also measures the program. */
static void paths_that_take_long_to_follow_take_little_time_of_others(void **state)
{
    (void)state;
    enum { RUNNING_MS = 2500, FIRST_MS = 200, MOST_PERCENT = 12 };
    skip_without_watch();
    struct process_spec spec = run_spec("./attempt 100000000 read-long /home");
    spec.folder = in_class("team1");
    int64_t start_ns = clock_now_ns();
    run_start(&run, &spec);
    run_until_ready(&run);
    int supervisor = only_child();
    while (clock_now_ns() - start_ns < RUNNING_MS * CLOCK_NS_PER_MS) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
        usleep(10000);
    }
    int64_t used_ns = processor_time_of(supervisor);
    int64_t most_ns = FIRST_MS * CLOCK_NS_PER_MS + (clock_now_ns() - start_ns) * MOST_PERCENT / 100;
    process_kill(run.process);
    run_until_exit(&run);
    run_free(&run);
    if (used_ns > most_ns) {
        fail_msg("the supervisor used %lld of %lld ms", (long long)(used_ns / CLOCK_NS_PER_MS),
                 (long long)(most_ns / CLOCK_NS_PER_MS));
    }
}

static void a_program_that_is_killed_leaves_its_traces(void **state)
{
    (void)state;
    skip_without_watch();
    struct process_spec spec = run_spec("sh -c './attempt 1 mount; sleep 100'");
    spec.folder = in_class("team1");
    run_start(&run, &spec);
    run_until_output(&run, "refused");
    process_kill(run.process);
    run_until_exit(&run);
    assert_int_equal(run.violations.count, 1);
    run_free(&run);
}

/* A path is an attacker's text: it must not reach a terminal or a log as it is. */
static void paths_are_cleaned(void **state)
{
    (void)state;
    skip_without_watch();
    run_in(run_sandbox(), "./attempt 1 read \"/etc/ssh/$(printf 'a\\033[31m\\nb')\"");
    assert_int_equal(run.violations.count, 1);
    assert_string_equal(run.violations.rows[0].what, "read /etc/ssh/a?[31m?b");
}

/* As on a kernel before Linux 5.19, or where another program listens already. */
static void forbid_listeners(void)
{
    enum { NEW_LISTENER = 1 << 3 };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 1,
                         SCMP_A1(SCMP_CMP_MASKED_EQ, NEW_LISTENER, NEW_LISTENER)) != 0 ||
        seccomp_load(filter) != 0) {
        _exit(1);
    }
}

static void without_notification_the_sandbox_reports_that_nothing_is_recorded(void **state)
{
    (void)state;
    skip_without_watch();
    pid_t child = fork();
    if (child == 0) {
        struct sandbox sandbox;
        struct note missing = {""};
        forbid_listeners();
        enum err err =
            sandbox_probe(SANDBOX_AUTO, &run_sandbox()->limits, NULL, &sandbox, &missing);
        _exit(!err && strstr(missing.text, "attempts are not recorded: ") &&
                      sandbox.features == unwatched.features
                  ? 0
                  : 2);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void lists_are_bounded(void **state)
{
    (void)state;
    struct violation_list list = {.count = 0};
    for (int i = 0; i < 1000; i++) {
        struct violation violation = {
            .kind = (enum violation_kind)(i % VIOLATION_KINDS), .count = 1, .first_ms = 5000 - i};
        snprintf(violation.what, sizeof violation.what, "do %d", i);
        int row = violation_list_add(&list, &violation);
        assert_in_range(row, 0, VIOLATION_MAX - 1);
        assert_int_equal(list.rows[row].first_ms, 5000 - i);
    }
    assert_int_equal(list.count, VIOLATION_MAX);
    assert_int_equal(total_of(&list), 1000);
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(reading_what_belongs_to_others_is_recorded),
        cmocka_unit_test(writing_outside_is_recorded),
        cmocka_unit_test(reaching_other_addresses_is_recorded),
        cmocka_unit_test(signals_to_others_are_recorded),
        cmocka_unit_test(looking_into_others_is_recorded),
        cmocka_unit_test(changing_the_machine_is_recorded),
        cmocka_unit_test(ordinary_programs_leave_no_trace),
        cmocka_unit_test(what_an_ordinary_program_may_try_is_not_hostile),
        cmocka_unit_test(a_row_for_all_others_is_hostile_as_soon_as_one_of_them_is),
        cmocka_unit_test(the_time_of_an_open_does_not_show_which_files_exist),
        cmocka_unit_test(a_server_that_does_not_answer_stops_neither_program_nor_record),
        cmocka_unit_test(many_attempts_cost_few_messages),
        cmocka_unit_test(after_a_hundred_attacks_no_more_paths_are_read),
        cmocka_unit_test(paths_that_take_long_to_follow_take_little_time_of_others),
        cmocka_unit_test(a_program_that_is_killed_leaves_its_traces),
        cmocka_unit_test(paths_are_cleaned),
        cmocka_unit_test(without_notification_the_sandbox_reports_that_nothing_is_recorded),
    };
    return cmocka_run_group_tests(tests, make_class, remove_class);
}
