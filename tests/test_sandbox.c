/* Hostile programs in the sandbox: what they cannot read and cannot do. Long because every limit of
 * the sandbox is tried here, on one example class. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_programs.h"
#include "process_support.h"

static struct run run;

/* A folder with what a class might have: teams, secrets. */
static char class_folder[64];

static bool has(unsigned features) { return (run_sandbox()->features & features) == features; }

static bool keeps_files_apart(void) { return has(SANDBOX_NAMESPACES) || has(SANDBOX_LANDLOCK); }

static const char *in_class(const char *name)
{
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", class_folder, name);
    return path;
}

static void write_file(const char *path, mode_t mode, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static int make_class(void **state)
{
    (void)state;
    snprintf(class_folder, sizeof class_folder, "/var/tmp/test-box-XXXXXX");
    if (!mkdtemp(class_folder)) {
        return -1;
    }
    chmod(class_folder, 0755);
    mkdir(in_class("team1"), 0755);
    mkdir(in_class("team2"), 0755);
    write_file(in_class("team1/agent"), 0755, "#!/bin/sh\necho \"agent of $PWD\"\ncat data\n");
    write_file(in_class("team1/data"), 0644, "own data\n");
    write_file(in_class("team1/root-only"), 0600, "swordfish\n");
    write_file(in_class("team2/agent.py"), 0644, "swordfish\n");
    write_file(in_class("secret"), 0600, "swordfish\n");
    write_file(in_class("notes"), 0644, "swordfish\n");
    return 0;
}

static int remove_class(void **state)
{
    (void)state;
    folder_remove(class_folder);
    return 0;
}

static struct process_spec team_spec(const char *command)
{
    struct process_spec spec = run_spec(command);
    spec.folder = in_class("team1");
    return spec;
}

static const struct sandbox no_sandbox = {.mode = SANDBOX_OFF, .helper_path = "/proc/self/exe"};

/* An attack must succeed without a sandbox: else it proves nothing. */
static struct process_spec without_sandbox(struct process_spec spec)
{
    static struct sandbox off;
    off = no_sandbox;
    off.limits = run_sandbox()->limits;
    spec.sandbox = &off;
    return spec;
}

/* Runs a rude program in the folder of the rude ones. */
static void run_rude(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run_rude(const char *format, ...)
{
    static char command[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    run_command(&run, command);
}

static void assert_output(const char *wanted)
{
    if (strcmp(run.output, wanted) != 0) {
        fail_msg("it said '%s' and on stderr '%s'; %s", run.output, run.errors, run.exit.sentence);
    }
}

static void assert_refused_with(const char *advice, const char *path)
{
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s '%s", advice, path);
    assert_int_equal(run.exit.how, PROCESS_NOT_STARTED);
    if (!strstr(run.exit.sentence, wanted)) {
        fail_msg("%s is not in: %s", wanted, run.exit.sentence);
    }
}

static void an_agent_runs_in_its_folder(void **state)
{
    (void)state;
    struct process_spec spec = team_spec("./agent");
    char wanted[256];
    run_whole(&run, &spec);
    snprintf(wanted, sizeof wanted, "agent of %s\nown data\n", in_class("team1"));
    assert_output(wanted);
}

static void an_agent_runs_in_a_folder_closed_to_others(void **state)
{
    (void)state;
    if (has(SANDBOX_OTHER_USER) && !has(SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("root needs namespaces for it, and there are none here");
    }
    struct process_spec spec = team_spec("./agent");
    char wanted[256];
    chmod(class_folder, 0700);
    chmod(in_class("team1"), 0700);
    run_whole(&run, &spec);
    chmod(class_folder, 0755);
    chmod(in_class("team1"), 0755);
    snprintf(wanted, sizeof wanted, "agent of %s\nown data\n", in_class("team1"));
    assert_output(wanted);
}

static void a_folder_out_of_reach_gets_a_clear_sentence(void **state)
{
    (void)state;
    if (!has(SANDBOX_OTHER_USER) || has(SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("only root without namespaces meets it");
    }
    struct process_spec spec = team_spec("./agent");
    chmod(in_class("team1"), 0700);
    run_whole(&run, &spec);
    chmod(in_class("team1"), 0755);
    assert_refused_with("chmod go+rX", in_class("team1'"));
    chmod(class_folder, 0700);
    run_whole(&run, &spec);
    chmod(class_folder, 0755);
    assert_refused_with("chmod go+x", class_folder);
    assert_non_null(strstr(run.exit.sentence, "or move the agent"));
}

static void a_program_that_only_root_may_read_gets_a_clear_sentence(void **state)
{
    (void)state;
    if (!has(SANDBOX_OTHER_USER)) {
        SKIP_BECAUSE("not started by root");
    }
    write_file(in_class("team1/closed"), 0700, "#!/bin/sh\necho swordfish\n");
    static const char *const commands[] = {"./closed", "sh closed", "env A=b sh closed",
                                           "sh -c ./closed"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_spec spec = team_spec(commands[i]);
        run_whole(&run, &spec);
        assert_output("");
        assert_refused_with("chmod go+rX", in_class("team1/"));
        assert_non_null(strstr(run.exit.sentence, "closed'"));
    }
    unlink(in_class("team1/closed"));
}

/* The shell continues with the next folder of PATH, and so must we. */
static void a_program_that_is_closed_in_one_folder_is_found_in_the_next(void **state)
{
    (void)state;
    if (!has(SANDBOX_OTHER_USER)) {
        SKIP_BECAUSE("not started by root");
    }
    mkdir(in_class("closed"), 0700);
    write_file(in_class("closed/sh"), 0700, "#!/bin/sh\necho swordfish\n");
    char path[512];
    snprintf(path, sizeof path, "PATH=%s:/usr/bin:/bin", in_class("closed"));
    const char *environment[] = {path, NULL};
    struct process_spec spec = team_spec("sh agent");
    spec.environment = environment;
    run_whole(&run, &spec);
    assert_non_null(strstr(run.output, "own data\n"));
}

static void an_agent_may_be_in_tmp_itself(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("pwd");
    spec.folder = "/tmp";
    run_whole(&run, &spec);
    assert_output("/tmp\n");
    spec = run_spec("sh -c 'touch $HOME/x && echo $TMPDIR'");
    spec.folder = "/";
    run_whole(&run, &spec);
    assert_int_equal(run.exit.code, 0);
}

static void a_root_only_file_is_not_readable(void **state)
{
    (void)state;
    if (geteuid() != 0 || !has(SANDBOX_OTHER_USER)) {
        SKIP_BECAUSE("not started by root");
    }
    struct process_spec spec = team_spec("sh -c 'cat root-only; cat /etc/shadow'");
    run_whole(&run, &spec);
    assert_output("");
    assert_int_equal(run.exit.code, 1);
    chmod(in_class("team1"), 0700);
    run_whole(&run, &spec);
    chmod(in_class("team1"), 0755);
    assert_output("");
}

static void other_folders_are_not_readable(void **state)
{
    (void)state;
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    const char *home = getenv("HOME");
    run_rude("./read_secret %s %s %s %s/team2 %s %s/.. ../../..", in_class("secret"),
             in_class("notes"), in_class("team2/agent.py"), class_folder,
             home && strncmp(run_rude_folder(), home, strlen(home)) != 0 ? home : "/root",
             class_folder);
    assert_null(strstr(run.output, "swordfish"));
    assert_null(strstr(run.output, "agent.py"));
    assert_null(strstr(run.output, ".bashrc"));
    assert_non_null(strstr(run.output, "done\n"));
}

static void our_environment_is_not_readable(void **state)
{
    (void)state;
    if (!keeps_files_apart() && !has(SANDBOX_OTHER_USER)) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here, and we are not root");
    }
    /* /proc shows the environment that a process was started with, not what it sets later. */
    pid_t other = fork();
    if (other == 0) {
        execle("/bin/sleep", "sleep", "600", (char *)NULL,
               (char *[]){"PLUM_TEST_SECRET=swordfish", NULL});
        _exit(127);
    }
    run_rude("sh -c './read_secret /proc/%d/environ /proc/%d/cmdline /proc/[0-9]*/environ "
             "/proc/[0-9]*/cwd /proc/[0-9]*/root; ls /proc'",
             (int)other, (int)getpid());
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    assert_null(strstr(run.output, "swordfish"));
    assert_non_null(strstr(run.output, "done\n"));
    if (has(SANDBOX_FRESH_PROC)) {
        char ours[16];
        snprintf(ours, sizeof ours, "\n%d\n", (int)getpid());
        assert_null(strstr(run.output, "test_sandbox"));
        assert_null(strstr(run.output, ours));
        assert_null(strstr(run.output, "\n1\n")); /* its arguments are the helper's */
        assert_non_null(strstr(run.output, "\n2\n"));
    }
}

static void nothing_outside_is_writable(void **state)
{
    (void)state;
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    run_rude("./write_outside . /etc /usr /usr/bin /bin/sh /etc/passwd /var/tmp /root /home "
             "/proc/sys/kernel/hostname /proc/self/oom_adj /sys /dev / %s %s %s %s",
             class_folder, in_class("team2"), in_class("notes"), run_rude_folder());
    assert_output("done\n");
    assert_int_equal(access(in_class("rude-file"), F_OK), -1);
}

static void its_own_folder_is_read_only(void **state)
{
    (void)state;
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    struct process_spec spec = team_spec("sh -c 'echo x > new; echo x >> agent; rm agent'");
    run_whole(&run, &spec);
    assert_int_not_equal(run.exit.code, 0);
    assert_int_equal(access(in_class("team1/new"), F_OK), -1);
    assert_int_equal(access(in_class("team1/agent"), F_OK), 0);
}

static bool is_small_folder(const char *place)
{
    return strcmp(place, "/private") == 0 || strcmp(place, "/tmp") == 0 ||
           strcmp(place, "/dev/shm") == 0;
}

static void every_mount_is_read_only_but_the_small_folders(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC)) {
        SKIP_BECAUSE("there are no namespaces here");
    }
    int mounts = 0;
    char *rest = NULL;
    run_rude("cat /proc/self/mounts");
    for (char *line = strtok_r(run.output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char place[256];
        char options[256];
        assert_int_equal(sscanf(line, "%*s %255s %*s %255s", place, options), 2);
        assert_memory_equal(options, is_small_folder(place) ? "rw," : "ro,", 3);
        assert_non_null(strstr(options, "nosuid"));
        mounts++;
    }
    assert_in_range(mounts, 10, 80);
}

static void temporary_files_are_private(void **state)
{
    (void)state;
    run_rude("sh -c 'echo x > $TMPDIR/mine && cat $TMPDIR/mine && ls -A $TMPDIR'");
    assert_output("x\nmine\n");
    run_rude("sh -c 'ls -A $TMPDIR'");
    assert_output("");
}

static void a_disk_is_not_filled(void **state)
{
    (void)state;
    if (has(SANDBOX_NAMESPACES)) {
        run_rude("sh -c './fill_disk $TMPDIR; ./fill_disk /tmp; ./fill_disk /dev/shm'");
        long files = strtol(run.output, NULL, 10);
        assert_in_range(files, 4, 8);
        assert_non_null(strstr(run.output, "\n0\n0\n"));
    }
    run_rude("sh -c 'exec ./large_file $TMPDIR/large'");
    if (has(SANDBOX_NAMESPACES)) {
        return; /* the small file system was full before the file was too large */
    }
    assert_int_equal(run.exit.how, PROCESS_SIGNALLED);
    assert_string_equal(run.exit.sentence, "it was killed: a file grew beyond 8 MiB");
    assert_int_equal(count_temporary_folders(), 0);
}

static void a_given_folder_does_not_grow_for_ever(void **state)
{
    (void)state;
    static const char *const kinds[] = {"stay", "deleted", "mapped", "entries"};
    struct sandbox sandbox = *run_sandbox();
    sandbox.features &= ~(unsigned)SANDBOX_WATCH; /* many calls, which it delays */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        mkdir(in_class("exchange"), 0755);
        char command[512];
        snprintf(command, sizeof command, "%s/fill_disk . %s", run_rude_folder(), kinds[i]);
        struct process_spec spec = run_spec(command);
        spec.private_folder = in_class("exchange");
        spec.private_is_cwd = true;
        spec.sandbox = &sandbox;
        run_whole(&run, &spec);
        folder_remove(in_class("exchange"));
        assert_int_equal(run.exit.how, PROCESS_OUT_OF_DISK);
        assert_string_equal(run.exit.sentence, "it was stopped: it wrote more than 8 MiB of files");
    }
}

static void a_fork_bomb_is_bounded(void **state)
{
    (void)state;
    run_rude("./fork_bomb");
    long count = strtol(run.output, NULL, 10);
    assert_in_range(count, 16, 33);
    assert_int_equal(count_children(), 0);
    if (has(SANDBOX_PIDS_CGROUP)) {
        struct note sentence;
        assert_int_equal(run.violations.count, 1);
        assert_int_equal(run.violations.rows[0].kind, VIOLATION_LIMIT);
        assert_false(run.violations.rows[0].is_hostile);
        violation_describe(&run.violations.rows[0], &sentence);
        assert_string_equal(sentence.text,
                            "it tried to have more than 32 processes and threads at once");
    }
    run_rude("echo still here");
    assert_output("still here\n");
}

static void memory_is_bounded(void **state)
{
    (void)state;
    run_rude("./eat_memory");
    assert_null(strstr(run.output, "got all"));
    if (has(SANDBOX_MEMORY_CGROUP)) {
        assert_int_equal(run.exit.how, PROCESS_OUT_OF_MEMORY);
        assert_string_equal(run.exit.sentence,
                            "it was killed: it used more than 256 MiB of memory");
    } else {
        assert_int_equal(run.exit.how, PROCESS_EXITED);
        assert_in_range(strtol(run.output + strlen("refused after "), NULL, 10), 200, 256);
    }
}

/* The other tests of cgroups use the version that this machine has, or made-up files. */
static void memory_that_the_kernel_keeps_for_it_is_bounded(void **state)
{
    (void)state;
    static const char *const kinds[] = {"tables", "sockets"};
    struct sandbox sandbox = *run_sandbox();
    sandbox.features &= ~(unsigned)SANDBOX_CGROUPS;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char command[64];
        snprintf(command, sizeof command, "./hoard %s 600", kinds[i]);
        struct process_spec spec = run_spec(command);
        spec.sandbox = &sandbox;
        run_whole(&run, &spec);
        assert_int_equal(run.exit.how, PROCESS_OUT_OF_MEMORY);
    }
}

static void version_2_of_cgroups_bounds_memory(void **state)
{
    (void)state;
    char names[256] = "";
    FILE *file = fopen("/sys/fs/cgroup/cgroup.controllers", "r");
    if (file) {
        (void)!fgets(names, sizeof names, file);
        fclose(file);
    }
    if (!strstr(names, "cpu ") || !strstr(names, "memory") || !has(SANDBOX_MEMORY_CGROUP)) {
        print_message("not tested here: cgroup v2. /sys/fs/cgroup/cgroup.controllers must list cpu "
                      "and memory, and this user must be able to make groups\n");
        skip();
    }
    run_rude("./eat_memory");
    assert_int_equal(run.exit.how, PROCESS_OUT_OF_MEMORY);
}

static int listen_somewhere(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static int listen_abstractly(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 4), 0);
    return fd;
}

static void no_socket_outside_is_reached(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES) && !has(SANDBOX_SECCOMP | SANDBOX_LANDLOCK)) {
        SKIP_BECAUSE("there are no namespaces here, and seccomp or Landlock is missing");
    }
    int port;
    char name[32];
    snprintf(name, sizeof name, "plum-test-%d", (int)getpid());
    int listener = listen_somewhere(&port);
    int abstract = listen_abstractly(name);
    run_rude("./phone %d %s", port, name);
    assert_output("done\n");
    close(listener);
    close(abstract);
}

static void no_other_process_is_signalled(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES) && !has(SANDBOX_OTHER_USER) && !has(SANDBOX_LANDLOCK)) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here, and we are not root");
    }
    run_rude("./signal_judge %d", (int)getpid());
    assert_output("I live\nand so does my parent: 1\n");
    assert_int_equal(run.exit.code, 0);
}

static void killing_all_processes_kills_only_the_agent(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("there are no namespaces here");
    }
    run_rude("./kill_all");
    assert_int_equal(run.exit.how, PROCESS_EXITED);
    run_rude("echo still here");
    assert_output("still here\n");
}

static void missing_namespaces_are_reported_with_advice(void **state)
{
    static const struct {
        int error;
        const char *advice;
    } rows[] = {{ENOSPC, "sysctl user.max_user_namespaces"},
                {EUSERS, "outside of a container"},
                {EPERM, "plum sandbox"},
                {EINVAL, "use a kernel"},
                {ENOMEM, "fewer games at once"},
                {EAGAIN, "ulimit -u"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_non_null(strstr(sandbox_identity_refusal(rows[i].error), rows[i].advice));
    }
}

static void expect_setting(const char *name, const char *value, const char *advice)
{
    char path[96];
    snprintf(path, sizeof path, "settings/%s", name);
    write_file(in_class(path), 0644, value);
    const char *found = sandbox_identity_setting(in_class("settings"));
    assert_true(advice ? found && strstr(found, advice) : !found);
}

static void the_setting_that_forbids_namespaces_is_named(void **state)
{
    (void)state;
    static const char *const folders[] = {
        "settings",          "settings/sys",  "settings/sys/kernel",
        "settings/sys/user", "settings/self", "settings/self/attr"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        mkdir(in_class(folders[i]), 0755);
    }
    assert_null(sandbox_identity_setting(in_class("settings")));
    expect_setting("sys/kernel/apparmor_restrict_unprivileged_userns", "1\n",
                   "sysctl kernel.apparmor_restrict_unprivileged_userns=0");
    expect_setting("self/attr/current", "unconfined\n", "make deb");
    expect_setting("self/attr/current", "plum (unconfined)\n", NULL);
    expect_setting("sys/kernel/unprivileged_userns_clone", "1\n", NULL);
    expect_setting("sys/kernel/unprivileged_userns_clone", "0\n",
                   "sysctl kernel.unprivileged_userns_clone=1");
    expect_setting("sys/user/max_user_namespaces", "96365\n", "unprivileged_userns_clone");
    expect_setting("sys/user/max_user_namespaces", "0\n", "sysctl user.max_user_namespaces=");
}

static void dangerous_calls_are_refused(void **state)
{
    (void)state;
    if (!has(SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("there is no seccomp here");
    }
    run_rude("./forbidden_calls %d", (int)getpid());
    assert_output("done\n");
}

static void a_call_for_another_kind_of_program_ends_it_with_a_sentence(void **state)
{
    (void)state;
    if (!has(SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("there is no seccomp here");
    }
#ifdef __x86_64__
    static const char *const kinds[] = {"i386", "x32"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        run_rude("./attempt 1 %s", kinds[i]);
        assert_int_equal(run.exit.how, PROCESS_SIGNALLED);
        assert_non_null(strstr(run.exit.sentence, "it made a 32-bit system call"));
        assert_int_equal(run.violations.count, 0);
    }
#endif
}

/* Where plum is not root, that user is also the one of plum. */
static void what_its_user_has_little_of_is_left_for_others(void **state)
{
    (void)state;
    static struct run other;
    struct process_spec spec = run_spec("./attempt 1 keep-descriptors");
    struct rlimit files;
    struct rlimit few;
    if (!has(SANDBOX_WATCH)) {
        SKIP_BECAUSE("there is no notification here");
    }
    run_rude("./attempt 32769 watch");
    assert_output("refused 28\n"); /* ENOSPC */
    getrlimit(RLIMIT_NOFILE, &files);
    few = files;
    few.rlim_cur = few.rlim_cur < 1024 ? few.rlim_cur : 1024;
    setrlimit(RLIMIT_NOFILE, &few);
    run_start(&other, &spec);
    run_until_output(&other, "kept\n");
    run_rude("echo it runs");
    setrlimit(RLIMIT_NOFILE, &files);
    process_kill(other.process);
    run_until_exit(&other);
    run_free(&other);
    assert_output("it runs\n");
}

static void without_namespaces_the_calls_of_file_systems_are_refused(void **state)
{
    (void)state;
    if (has(SANDBOX_NAMESPACES) || !has(SANDBOX_SECCOMP)) {
        SKIP_BECAUSE("there are namespaces here, or no seccomp");
    }
    run_rude("sh -c './attempt 1 flags <attempt'");
    assert_output("refused 25\n"); /* ENOTTY */
}

/* In a namespace its user has no other processes. */
static void it_may_change_its_own_priority_but_not_that_of_its_user(void **state)
{
    (void)state;
    static const char *const own[] = {"set-limit", "set-nice", "set-idle", "set-cpus",
                                      "set-ioprio"};
    static const char *const of_user[] = {"set-nice-of-user", "set-ioprio-of-user"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        run_rude("./attempt 1 %s 0", own[i]);
        assert_output("done 0\n");
    }
    for (size_t i = 0; i < sizeof of_user / sizeof of_user[0] && has(SANDBOX_SECCOMP); i++) {
        run_rude("./attempt 1 %s", of_user[i]);
        assert_output(has(SANDBOX_NAMESPACES) ? "done 0\n" : "refused 1\n");
    }
}

static void an_agent_has_no_rights_and_inherits_nothing(void **state)
{
    (void)state;
    char wanted[128];
    struct rlimit core;
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    core.rlim_cur = core.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_CORE, &core), 0);
    int user = has(SANDBOX_NAMESPACES) ? SANDBOX_USER : (int)getuid();
    run_rude("./tell_limits");
    if (!has(SANDBOX_NAMESPACES) && has(SANDBOX_OTHER_USER)) { /* one of its own */
        user = (int)strtol(run.output + strlen("user "), NULL, 10);
        assert_in_range(user, SANDBOX_FIRST_USER, SANDBOX_USER);
    }
    snprintf(wanted, sizeof wanted, "user %d, new privileges no, core 1, ", user);
    assert_int_equal(strncmp(run.output, wanted, strlen(wanted)), 0);
    assert_non_null(strstr(run.output, "inherited descriptors: 0\n"));
    run_rude("sh -c 'grep Cap /proc/self/status'");
    assert_non_null(strstr(run.output, "CapEff:\t0000000000000000\n"));
    if (has(SANDBOX_NAMESPACES) || has(SANDBOX_OTHER_USER)) {
        assert_non_null(strstr(run.output, "CapBnd:\t0000000000000000\n"));
    }
}

static void its_stack_its_signals_and_its_terminal_are_limited(void **state)
{
    (void)state;
    struct process_spec spec = run_spec("./tell_limits");
    spec.wants_terminal = true;
    struct process_spec open = without_sandbox(spec);
    run_whole(&run, &open);
    assert_non_null(strstr(run.output, "line discipline: set"));
    assert_non_null(strstr(run.output, "core limit: set"));
    run_whole(&run, &spec);
    unsigned long stack_mib = 0;
    unsigned long signals = 0;
    const char *limits = strstr(run.output, "stack ");
    assert_non_null(limits);
    /* NOLINTNEXTLINE(cert-err34-c): numbers that are missing stay 0 */
    sscanf(limits, "stack %lu MiB, pending signals %lu", &stack_mib, &signals);
    assert_in_range(stack_mib, 1, 64);
    assert_in_range(signals, 1, 1024);
    if (has(SANDBOX_SECCOMP)) {
        assert_non_null(strstr(run.output, "line discipline: Operation not permitted"));
        assert_non_null(strstr(run.output, "core limit: Operation not permitted"));
    }
}

static void a_crash_leaves_no_core_dump(void **state)
{
    (void)state;
    mkdir(in_class("dumps"), 0777);
    char place[300];
    snprintf(place, sizeof place, "TMPDIR=%s", in_class("dumps"));
    const char *environment[] = {place, NULL};
    struct process_spec spec = run_spec("./dump_core");
    struct process_spec open = without_sandbox(spec);
    open.environment = environment;
    run_whole(&run, &spec);
    assert_output("core dumps: 0\n");
    run_whole(&run, &open);
    if (strcmp(run.output, "core dumps: 0\n") == 0) {
        SKIP_BECAUSE("this machine writes no core dumps at all");
    }
}

static void every_namespace_is_its_own(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC)) {
        SKIP_BECAUSE("there are no namespaces here");
    }
    static const char *const names[] = {"user", "mnt", "pid", "net", "ipc", "uts"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        char ours[64] = "";
        snprintf(path, sizeof path, "/proc/self/ns/%s", names[i]);
        assert_true(readlink(path, ours, sizeof ours - 1) > 0);
        run_rude("readlink /proc/self/ns/%s", names[i]);
        assert_int_equal(strncmp(run.output, names[i], strlen(names[i])), 0);
        assert_null(strstr(run.output, ours));
    }
}

static void a_name_is_found_for_the_user_and_localhost(void **state)
{
    (void)state;
    if (!has(SANDBOX_NAMESPACES)) {
        SKIP_BECAUSE("there are no namespaces here");
    }
    run_rude("sh -c 'id -un; getent hosts localhost; hostname'");
    assert_output("agent\n127.0.0.1       localhost\nsandbox\n");
}

/* --- Neighbours in one folder. --- */

/* The head of a tournament's database. */
static void write_database(const char *path)
{
    char head[100] = "SQLite format 3";
    memcpy(head + 68, "Plum", 4);
    memcpy(head + 80, "swordfish", 9);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fclose(file), 0);
}

/* A folder as a class without folders has it. */
static void make_shared_folder(void)
{
    static const char spy[] =
        "#!/bin/sh\n{ grep -aroh [s]wordfish .; cat 0816001_link; } | sort -u\nls\n";
    mkdir(in_class("all"), 0755);
    mkdir(in_class("all/0816001_data"), 0755);
    mkdir(in_class("all/other"), 0755);
    write_file(in_class("all/0816001.sh"), 0755, spy);
    write_file(in_class("all/0816001.npz"), 0644, "own\n");
    write_file(in_class("all/0816001_data/own"), 0644, "own\n");
    write_file(in_class("all/0816002.sh"), 0755, "swordfish\n");
    write_file(in_class("all/0816002.npz"), 0644, "swordfish\n");
    write_file(in_class("all/08160012.sh"), 0755, "swordfish\n");
    write_file(in_class("all/0816001_x.sh"), 0755, "swordfish\n");
    write_file(in_class("all/0816001_x.npz"), 0644, "swordfish\n");
    write_file(in_class("all/helper"), 0644, "swordfish\n");
    write_file(in_class("all/STcpClient.py"), 0644, "own\n");
    write_file(in_class("all/class.ini"), 0644, "swordfish\n");
    write_file(in_class("all/other/agent"), 0755, "swordfish\n");
    write_database(in_class("all/class.db"));
    write_file(in_class("all/class.db-wal"), 0644, "swordfish\n");
    write_file(in_class("all/.plum-12-0.tmp"), 0644, "swordfish\n");
    (void)unlink(in_class("all/0816001_link"));
    assert_int_equal(symlink("0816002.sh", in_class("all/0816001_link")), 0);
}

static void add_neighbour(struct sandbox_neighbours *neighbours, const char *command)
{
    struct note why;
    assert_int_equal(sandbox_folder_add_program(neighbours, command, in_class("all"), &why),
                     ERR_NONE);
}

/* What it read of others, then the names that it saw. */
static void run_spy(const struct sandbox_neighbours *neighbours, const char *command)
{
    struct sandbox sandbox = *run_sandbox();
    struct process_spec spec = run_spec(command);
    sandbox.neighbours = neighbours;
    spec.sandbox = &sandbox;
    spec.folder = in_class("all");
    run_whole(&run, &spec);
}

static void assert_seen_only(const char *names)
{
    if (has(SANDBOX_NAMESPACES)) {
        assert_output(names);
    } else { /* Landlock hides what is in files, not their names */
        assert_null(strstr(run.output, "swordfish"));
        assert_non_null(strstr(run.output, "0816001.sh"));
    }
}

static void in_a_shared_folder_a_program_sees_only_its_own_files(void **state)
{
    (void)state;
    struct sandbox_neighbours neighbours = {0};
    struct process_spec spec = run_spec("./0816001.sh");
    make_shared_folder();
    spec.folder = in_class("all");
    spec = without_sandbox(spec);
    run_whole(&run, &spec);
    assert_int_equal(strncmp(run.output, "swordfish\n", 10), 0);
    run_spy(NULL, "./0816001.sh");
    assert_int_equal(strncmp(run.output, "swordfish\n", 10), 0); /* a folder of its own */
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    add_neighbour(&neighbours, "./0816001.sh");
    add_neighbour(&neighbours, "sh 0816002.sh");
    add_neighbour(&neighbours, "./08160012.sh");
    add_neighbour(&neighbours, "./0816001_x.sh");
    run_spy(&neighbours, "./0816001.sh");
    assert_seen_only("0816001.sh\nSTcpClient.py\n");
    run_spy(&neighbours, "sh 0816001.sh --net=0816001_data/own 0816001_link class.db");
    assert_seen_only("0816001.sh\n0816001_data\n0816001_link\nSTcpClient.py\n");
    run_spy(&neighbours, "sh 0816001.sh --net=other/agent");
    assert_non_null(strstr(run.output, "swordfish")); /* the organiser's word */
    write_file(in_class("all/0816001.sh"), 0755, "#!/bin/sh\nexit 3\n");
    run_spy(&neighbours, "./0816001.sh");
    assert_string_equal(run.exit.sentence, "it ended by itself with exit code 3");
    write_file(in_class("all/0816001.sh"), 0755, "#!/bin/sh\ncat helper\nexit 3\n");
    run_spy(&neighbours, "./0816001.sh");
    assert_output("");
    assert_non_null(
        strstr(run.exit.sentence, "that its command names; put it into a folder of its own"));
    sandbox_folder_free_neighbours(&neighbours);
}

static void a_program_in_a_folder_below_is_a_neighbour_as_well(void **state)
{
    (void)state;
    struct sandbox_neighbours neighbours = {0};
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    make_shared_folder();
    add_neighbour(&neighbours, "./0816001.sh");
    add_neighbour(&neighbours, "other/agent");
    run_spy(&neighbours, "./0816001.sh");
    assert_null(strstr(run.output, "helper: swordfish"));
    if (has(SANDBOX_NAMESPACES)) {
        assert_null(strstr(run.output, "helper"));
        assert_null(strstr(run.output, "other"));
    }
    sandbox_folder_free_neighbours(&neighbours);
    /* One whose files cannot be known may use all of the folder. */
    add_neighbour(&neighbours, "sh -c 'cd other && exec ./agent'");
    run_spy(&neighbours, "./0816001.sh");
    if (has(SANDBOX_NAMESPACES)) {
        assert_null(strstr(run.output, "helper"));
    }
    sandbox_folder_free_neighbours(&neighbours);
}

static void the_same_program_twice_has_its_folder(void **state)
{
    (void)state;
    struct sandbox_neighbours neighbours = {0};
    make_shared_folder();
    add_neighbour(&neighbours, "./0816001.sh 1");
    add_neighbour(&neighbours, "sh 0816001.sh 2");
    add_neighbour(&neighbours, "true");
    assert_false(sandbox_folder_rule(&neighbours, "./0816001.sh 1", in_class("all")).is_shared);
    add_neighbour(&neighbours, "./0816001_x.sh");
    assert_true(sandbox_folder_rule(&neighbours, "./0816001.sh 1", in_class("all")).is_shared);
    sandbox_folder_free_neighbours(&neighbours);
}

static void files_of_plum_are_hidden_in_every_folder(void **state)
{
    (void)state;
    struct sandbox_neighbours neighbours = {0};
    struct note why;
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    make_shared_folder();
    write_file(in_class("all/0816001.sh"), 0755,
               "#!/bin/sh\ncat class.db class.db-wal .plum-12-0.tmp | tr -d '\\0'\n"
               "cat helper game.txt\n"
               "grep -aho hidde[n].txt /proc/[0-9]*/cmdline\n"); /* what its helper is told */
    write_file(in_class("all/game.txt"), 0644, "record\n");
    run_spy(&neighbours, "./0816001.sh");
    assert_output("swordfish\nrecord\n"); /* its own folder: only the database is not its */
    sandbox_folder_hide(&neighbours, in_class("all/game.txt"));
    sandbox_folder_hide(&neighbours, in_class("all/hidden.txt"));
    run_spy(&neighbours, "./0816001.sh");
    assert_output("swordfish\n");
    assert_int_equal(sandbox_folder_add_own(&neighbours, in_class("all"), &why), ERR_NONE);
    run_spy(&neighbours, "./0816001.sh");
    assert_output("");
    sandbox_folder_free_neighbours(&neighbours);
}

/* --- Interpreters that lie somewhere else. --- */

static void make_installation(void)
{
    mkdir(in_class("opt"), 0755);
    mkdir(in_class("opt/bin"), 0755);
    mkdir(in_class("opt/lib"), 0755);
    mkdir(in_class("opt/share"), 0755);
    write_file(in_class("opt/lib/library"), 0644, "library\n");
    write_file(in_class("opt/share/private"), 0644, "swordfish\n");
    char script[512];
    snprintf(script, sizeof script, "#!/bin/sh\ncat %s/opt/lib/library %s/opt/share/private\n",
             class_folder, class_folder);
    write_file(in_class("opt/bin/snake"), 0755, script);
    mkdir(in_class("opt/shims"), 0755);
    write_file(in_class("opt/shims/cobra"), 0755, "#!/usr/bin/env snake\n");
    write_file(in_class("team1/script"), 0755, "#!/usr/bin/env snake\nmoves\n");
}

static void an_interpreter_may_be_in_any_folder(void **state)
{
    (void)state;
    make_installation();
    char path[512];
    snprintf(path, sizeof path, "PATH=%s:%s:/usr/bin:/bin", in_class("opt/shims"),
             in_class("opt/bin"));
    const char *environment[] = {path, NULL};
    static const char *const commands[] = {"snake", "env A=b snake script", "cobra"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_spec spec = team_spec(commands[i]);
        spec.environment = environment;
        run_whole(&run, &spec);
        if (keeps_files_apart()) {
            assert_output("library\n");
        } else {
            assert_output("library\nswordfish\n");
        }
    }
    /* For an agent's own script the interpreter comes from the system. */
    struct process_spec spec = team_spec("./script");
    spec.environment = environment;
    run_whole(&run, &spec);
    if (keeps_files_apart()) {
        assert_output("");
        assert_non_null(strstr(run.exit.sentence, "write 'snake script' as the player's command"));
    }
}

/* --- What an agent itself writes brings no files. --- */

static void make_tool_of_team2(void)
{
    write_file(in_class("team2/tool"), 0755, "#!/bin/sh\necho swordfish\n");
}

static void the_first_line_of_an_agents_script_brings_no_files(void **state)
{
    (void)state;
    char line[512];
    make_tool_of_team2();
    write_file(in_class("team1/x"), 0755, "cat \"$1\"\necho done\n");
    snprintf(line, sizeof line, "#!/usr/bin/env -S sh ./x %s\n", in_class("team2/tool"));
    write_file(in_class("team1/greedy"), 0755, line);
    snprintf(line, sizeof line, "#!%s\n", in_class("team2/tool"));
    write_file(in_class("team1/direct"), 0755, line);
    static const char *const commands[] = {"./greedy", "sh -c ./greedy", "./direct"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_spec spec = team_spec(commands[i]);
        struct process_spec open = without_sandbox(spec);
        run_whole(&run, &open);
        assert_non_null(strstr(run.output, "swordfish"));
        if (keeps_files_apart()) {
            run_whole(&run, &spec);
            assert_null(strstr(run.output, "swordfish"));
        }
    }
    assert_non_null(strstr(run.exit.sentence, "direct needs the interpreter /"));
}

static void a_program_that_is_a_link_out_of_its_folder_is_refused(void **state)
{
    (void)state;
    make_tool_of_team2();
    assert_int_equal(symlink("../team2/tool", in_class("team1/borrowed")), 0);
    assert_int_equal(symlink("../team2", in_class("team1/others")), 0);
    static const char *const commands[] = {"./borrowed", "sh borrowed", "others/tool",
                                           "sh -c ./borrowed"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_spec spec = team_spec(commands[i]);
        struct process_spec open = without_sandbox(spec);
        struct note why = {""};
        run_whole(&run, &open);
        assert_output("swordfish\n");
        assert_int_equal(sandbox_rehearse(&no_sandbox, spec.command, spec.folder, &why), ERR_NONE);
        run_whole(&run, &spec);
        assert_output("");
        assert_int_equal(run.exit.how, PROCESS_NOT_STARTED);
        assert_non_null(strstr(run.exit.sentence, "link out of the agent's folder"));
        assert_false(run.exit.is_ours);
        assert_int_equal(sandbox_rehearse(run_sandbox(), spec.command, spec.folder, &why),
                         ERR_INPUT);
        assert_non_null(strstr(why.text, "team2/tool"));
    }
    struct note why = {""};
    write_file(in_class("team2/book"), 0644, "swordfish\n");
    assert_int_equal(symlink("../team2/book", in_class("team1/lent-book")), 0);
    assert_int_equal(sandbox_rehearse(run_sandbox(), "sh agent lent-book", in_class("team1"), &why),
                     ERR_INPUT);
}

static void a_link_that_stays_in_the_folder_or_leads_to_the_system_is_followed(void **state)
{
    (void)state;
    assert_int_equal(symlink("agent", in_class("team1/latest")), 0);
    assert_int_equal(symlink("/bin/sh", in_class("team1/shell")), 0);
    static const char *const commands[] = {"./latest", "sh latest", "./shell agent"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_spec spec = team_spec(commands[i]);
        run_whole(&run, &spec);
        assert_non_null(strstr(run.output, "own data\n"));
    }
}

/* Other links show what is there in the sandbox: nothing. */
static void a_link_next_to_the_program_brings_no_files(void **state)
{
    (void)state;
    make_tool_of_team2();
    write_file(in_class("team1/follow"), 0755, "#!/bin/sh\ncat lent lent-folder/tool\necho done\n");
    assert_int_equal(symlink(in_class("team2/tool"), in_class("team1/lent")), 0);
    assert_int_equal(symlink(in_class("team2"), in_class("team1/lent-folder")), 0);
    struct process_spec spec = team_spec("./follow");
    struct process_spec open = without_sandbox(spec);
    run_whole(&run, &open);
    assert_non_null(strstr(run.output, "swordfish"));
    if (!keeps_files_apart()) {
        SKIP_BECAUSE("there are neither namespaces nor Landlock here");
    }
    run_whole(&run, &spec);
    assert_output("done\n");
}

static bool lists(const struct sandbox_programs *programs, const char *path)
{
    for (size_t i = 0; i < programs->count; i++) {
        if (strcmp(programs->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void words_are_read_as_the_shell_reads_them(void **state)
{
    (void)state;
    make_installation();
    struct sandbox_programs programs;
    char path[256];
    snprintf(path, sizeof path, "%s", in_class("opt/bin"));
    static const char *const commands[] = {"snake x",
                                           "'snake' x",
                                           "\"snake\" x",
                                           "A=1 snake",
                                           "nice -n 5 snake",
                                           "sn\\ake",
                                           "sh -c 'cd x && snake y'",
                                           "true;snake"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        sandbox_programs_find(commands[i], "/", path, &programs);
        assert_true(lists(&programs, in_class("opt/bin")));
        assert_true(lists(&programs, in_class("opt/lib")));
        assert_false(lists(&programs, in_class("opt/share")));
        sandbox_programs_free(&programs);
    }
    static const char *const none[] = {"", "'snake-x'", "serpent", "sh -c 'true", "/usr/bin/env"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        sandbox_programs_find(none[i], "/", path, &programs);
        assert_int_equal(programs.count, 0);
        sandbox_programs_free(&programs);
    }
    sandbox_programs_find("./agent", in_class("team1"), path, &programs);
    assert_int_equal(programs.count, 0);
    sandbox_programs_free(&programs);
    /* A script brings itself, not what its first line names. */
    write_file(in_class("asp"), 0755, "#!/usr/bin/env snake\n");
    sandbox_programs_find("../asp", in_class("team1"), path, &programs);
    assert_true(lists(&programs, in_class("asp")));
    assert_false(lists(&programs, in_class("opt/bin")));
    sandbox_programs_free(&programs);
}

static void python_runs(void **state)
{
    (void)state;
    run_rude("sh -c 'command -v python3 >/dev/null && python3 -c \"import socket, random, "
             "tempfile, multiprocessing.synchronize; tempfile.mkstemp(); print(6 * 7)\" || "
             "echo none'");
    if (strcmp(run.output, "none\n") == 0) {
        SKIP_BECAUSE("there is no python3 here");
    }
    assert_output("42\n");
}

/* --- What the machine can do. --- */

static void strict_refuses_where_auto_continues(void **state)
{
    (void)state;
    struct sandbox sandbox;
    struct note missing = {""};
    struct sandbox_limits limits = sandbox_limits_default();
    enum err err = sandbox_probe(SANDBOX_STRICT, &limits, NULL, &sandbox, &missing);
    if (strncmp(sandbox_level(run_sandbox()), "strict", strlen("strict")) == 0) {
        assert_int_equal(err, ERR_NONE);
        assert_string_equal(sandbox_level(&sandbox), sandbox_level(run_sandbox()));
    } else {
        assert_string_equal(sandbox_level(run_sandbox()), "partial");
        assert_int_equal(err, ERR_ENVIRONMENT);
        assert_non_null(strstr(missing.text, "namespace"));
    }
}

static void a_wrong_helper_is_reported(void **state)
{
    (void)state;
    struct sandbox sandbox = {.mode = SANDBOX_STRICT};
    struct note missing = {""};
    struct sandbox_limits limits = sandbox_limits_default();
    assert_int_equal(sandbox_probe(SANDBOX_AUTO, &limits, "/bin/true", &sandbox, &missing),
                     ERR_ENVIRONMENT);
    assert_non_null(strstr(missing.text, "no answer"));
    assert_int_equal(sandbox_probe(SANDBOX_AUTO, &limits, "/no/such", &sandbox, &missing),
                     ERR_ENVIRONMENT);
    assert_non_null(strstr(missing.text, "/no/such"));
    assert_int_equal(sandbox.mode, SANDBOX_STRICT);
}

int main(int argc, char **argv)
{
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_runs_in_its_folder),
        cmocka_unit_test(an_agent_runs_in_a_folder_closed_to_others),
        cmocka_unit_test(a_folder_out_of_reach_gets_a_clear_sentence),
        cmocka_unit_test(a_program_that_only_root_may_read_gets_a_clear_sentence),
        cmocka_unit_test(a_program_that_is_closed_in_one_folder_is_found_in_the_next),
        cmocka_unit_test(an_agent_may_be_in_tmp_itself),
        cmocka_unit_test(a_root_only_file_is_not_readable),
        cmocka_unit_test(other_folders_are_not_readable),
        cmocka_unit_test(our_environment_is_not_readable),
        cmocka_unit_test(nothing_outside_is_writable),
        cmocka_unit_test(its_own_folder_is_read_only),
        cmocka_unit_test(every_mount_is_read_only_but_the_small_folders),
        cmocka_unit_test(temporary_files_are_private),
        cmocka_unit_test(a_disk_is_not_filled),
        cmocka_unit_test(a_given_folder_does_not_grow_for_ever),
        cmocka_unit_test(a_fork_bomb_is_bounded),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(memory_that_the_kernel_keeps_for_it_is_bounded),
        cmocka_unit_test(version_2_of_cgroups_bounds_memory),
        cmocka_unit_test(no_socket_outside_is_reached),
        cmocka_unit_test(no_other_process_is_signalled),
        cmocka_unit_test(killing_all_processes_kills_only_the_agent),
        cmocka_unit_test(the_setting_that_forbids_namespaces_is_named),
        cmocka_unit_test(missing_namespaces_are_reported_with_advice),
        cmocka_unit_test(dangerous_calls_are_refused),
        cmocka_unit_test(a_call_for_another_kind_of_program_ends_it_with_a_sentence),
        cmocka_unit_test(what_its_user_has_little_of_is_left_for_others),
        cmocka_unit_test(without_namespaces_the_calls_of_file_systems_are_refused),
        cmocka_unit_test(it_may_change_its_own_priority_but_not_that_of_its_user),
        cmocka_unit_test(an_agent_has_no_rights_and_inherits_nothing),
        cmocka_unit_test(its_stack_its_signals_and_its_terminal_are_limited),
        cmocka_unit_test(a_crash_leaves_no_core_dump),
        cmocka_unit_test(every_namespace_is_its_own),
        cmocka_unit_test(a_name_is_found_for_the_user_and_localhost),
        cmocka_unit_test(in_a_shared_folder_a_program_sees_only_its_own_files),
        cmocka_unit_test(a_program_in_a_folder_below_is_a_neighbour_as_well),
        cmocka_unit_test(the_same_program_twice_has_its_folder),
        cmocka_unit_test(files_of_plum_are_hidden_in_every_folder),
        cmocka_unit_test(an_interpreter_may_be_in_any_folder),
        cmocka_unit_test(the_first_line_of_an_agents_script_brings_no_files),
        cmocka_unit_test(a_program_that_is_a_link_out_of_its_folder_is_refused),
        cmocka_unit_test(a_link_that_stays_in_the_folder_or_leads_to_the_system_is_followed),
        cmocka_unit_test(a_link_next_to_the_program_brings_no_files),
        cmocka_unit_test(words_are_read_as_the_shell_reads_them),
        cmocka_unit_test(python_runs),
        cmocka_unit_test(strict_refuses_where_auto_continues),
        cmocka_unit_test(a_wrong_helper_is_reported),
    };
    return cmocka_run_group_tests(tests, make_class, remove_class);
}
