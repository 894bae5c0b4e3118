/* Attacks on the sandbox, one for each guarantee of sandbox/sandbox.h, at each level that
 * this machine offers to this user. An attack must fail. Its control is the same attack with that
 * one protection switched off: it must succeed, because an attack that never succeeds proves
 * nothing.
 *
 * A protection is switched off in this program's own copy of `struct sandbox`: a feature is
 * cleared, or a limit raised. Where several features uphold a guarantee, the control is without all
 * of those and has the others. Plum itself has no such switch.
 *
 * Long because every guarantee has its attack here.
 *
 * usage: attacks           runs all of them; a line for each attack and level
 *        attacks NAME      runs that one
 *        attacks NAME best runs it at the best level of this machine only, and not against each
 *                          protection alone: where processors are slow
 *        attacks --table   prints the table of docs/sandbox.md
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "play/match_runner.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_landlock.h"
#include "sandbox/sandbox_folder.h"
#include "game/registry.h"
#include "player/tcp_server.h"
#include "tournament/roster.h"
#include "store/store.h"
#include "course/compiler.h"
#include "process_support.h"

#define SECRET "swordfish"

/* Limits of the attacked sandbox, and what the attacks try to get. */
enum {
    MIB = 1 << 20,
    MEMORY_LIMIT_MIB = 128,
    MEMORY_WANTED_MIB = 200,
    PROCESS_LIMIT = 32,
    PROCESSES_WANTED = 60,
    FILE_LIMIT = 256,
    FILES_WANTED = 300,
    STACK_LIMIT_MIB = 16,
    STACK_WANTED_MIB = 24,
    SIGNAL_LIMIT = 64,
    SIGNALS_WANTED = 100,
    INOTIFY_LIMIT = 4,
    INOTIFY_WANTED = 8,
    DISK_LIMIT_MIB = 8,
    DISK_WANTED_MIB = 12,
    OUTPUT_LIMIT_MIB = 4,
    OUTPUT_WANTED_MIB = 6,
    CONTROL_FACTOR = 8, /* by how much a control raises a limit */
};

/* An agent's folder, and what is outside of it. */
static char outside[64];
static struct run run;

struct attack {
    const char *name;    /* of its guarantee; several attacks may have the same */
    const char *variant; /* what is special about it; may be NULL */
    bool (*succeeds)(const struct sandbox *sandbox);
    /* For the control: more features that have to go, and what else changes; may be NULL. */
    unsigned also_without;
    bool keeps_features; /* only `open` changes something */
    void (*open)(struct sandbox *sandbox);
    /* Instead of the same attack in a sandbox with less; may be NULL. */
    bool (*control)(const struct sandbox *sandbox);
    const char *(*needs)(void); /* what this machine lacks for it, or NULL; may be NULL */
    const char *control_name;   /* NULL: the names of the features */
};

static void attempt(const struct process_spec *spec) { run_whole(&run, spec); }

static void attempt_command(const struct sandbox *sandbox, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void attempt_command(const struct sandbox *sandbox, const char *format, ...)
{
    static char command[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    attempt(&spec);
}

static bool printed(const char *text) { return strstr(run.output, text) != NULL; }

/* --- Files --- */

static const char *outside_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", outside, name);
    return path;
}

static void write_secret(const char *name, mode_t mode)
{
    FILE *file = fopen(outside_path(name), "w");
    if (!file || fputs(SECRET "\n", file) < 0 || fclose(file) != 0 ||
        chmod(outside_path(name), mode) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", outside_path(name), strerror(errno));
        exit(3);
    }
}

static bool make_outside(void)
{
    snprintf(outside, sizeof outside, "/var/tmp/plum-attacks-XXXXXX");
    if (!mkdtemp(outside) || chmod(outside, 0755) != 0 || mkdir(outside_path("own"), 0755) != 0 ||
        mkdir(outside_path("open"), 0777) != 0 || chmod(outside_path("open"), 0777) != 0) {
        return false;
    }
    write_secret("notes", 0644);
    write_secret("own/root-only", 0600);
    return true;
}

static bool reads_files(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./read_secret %s", outside_path("notes"));
    return printed(SECRET);
}

static void write_script(const char *name, const char *text)
{
    if (!file_write(outside_path(name), "w", text, strlen(text)) ||
        chmod(outside_path(name), 0755) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", outside_path(name), strerror(errno));
        exit(3);
    }
}

/* The command prints the secret that it finds, in a folder of `outside`. */
static bool reads_in(const struct sandbox *sandbox, const char *name, const char *command)
{
    char folder[128];
    struct process_spec spec = run_spec(command);
    snprintf(folder, sizeof folder, "%s", outside_path(name));
    spec.folder = folder;
    spec.sandbox = sandbox;
    attempt(&spec);
    return printed(SECRET);
}

static bool reads_root_files(const struct sandbox *sandbox)
{
    return reads_in(sandbox, "own", "cat root-only");
}

/* The programs of agents in one folder. */
static struct sandbox_neighbours neighbours;

static void make_shared_folder(void)
{
    struct note why = {""};
    bool is_done = mkdir(outside_path("shared"), 0755) == 0;
    write_secret("shared/theirs.sh", 0755);
    write_script("shared/mine.sh", "#!/bin/sh\ncat theirs.sh\n");
    is_done = is_done &&
              !sandbox_folder_add_program(&neighbours, "./mine.sh", outside_path("shared"), &why) &&
              !sandbox_folder_add_program(&neighbours, "./theirs.sh", outside_path("shared"), &why);
    if (!is_done) {
        fprintf(stderr, "cannot make a shared folder: %s\n",
                *why.text ? why.text : strerror(errno));
        exit(3);
    }
}

static bool reads_shared_folder(const struct sandbox *sandbox)
{
    return reads_in(sandbox, "shared", "./mine.sh");
}

static void make_database(const char *path)
{
    static const char text[] = "[tournament]\nname = " SECRET "\ngame = othello\n"
                               "[team 1]\nplayer = random\n[team 2]\nplayer = random\n";
    static struct roster_problems problems;
    struct roster roster = {0};
    struct store *store = NULL;
    struct note why = {""};
    if (roster_read(text, sizeof text - 1, CPU_BASELINE, &roster, &problems) ||
        store_create(path, &roster, text, "/", "class.ini", &store, &why)) {
        fprintf(stderr, "cannot make %s: %s %s\n", path, problems.list[0].text, why.text);
        exit(3);
    }
    store_close(store);
    roster_free(&roster);
}

/* The second folder is shared with another program. */
static void make_databases(void)
{
    static const char script[] = "#!/bin/sh\ngrep -ao " SECRET " class.db\n";
    make_database(outside_path("own/class.db"));
    make_database(outside_path("shared/class.db"));
    write_script("own/database.sh", script);
    write_script("shared/mine_database.sh", script);
}

static bool reads_own_database(const struct sandbox *sandbox)
{
    return reads_in(sandbox, "own", "./database.sh");
}

static bool reads_shared_database(const struct sandbox *sandbox)
{
    return reads_in(sandbox, "shared", "./mine_database.sh");
}

static void share_freely(struct sandbox *sandbox) { sandbox->neighbours = NULL; }

static bool has_secret_in(const char *path)
{
    enum { MOST_BYTES = 1 << 20 };
    size_t count = 0;
    char *bytes = file_read_head(path, MOST_BYTES, &count);
    bool is_found = bytes && memmem(bytes, count, SECRET, strlen(SECRET));
    free(bytes);
    return is_found;
}

/* The assembler copies a file into the program. */
static bool compiles_files(const struct sandbox *sandbox)
{
    static const struct compiler gcc = {"gcc", "gcc"};
    struct compiler_options options = {.sandbox = sandbox};
    struct compiler_place place = {0};
    struct run_program_result result = {0};
    struct note why = {""};
    char source[sizeof place.sources + 16];
    char object[sizeof place.output + 16];
    const char *words[] = {"-c", source, "-o", object, NULL};
    bool is_found = false;
    enum err err = compiler_place_make(&place, &options, &why);
    if (!err) {
        snprintf(source, sizeof source, "%s/source.c", place.sources);
        snprintf(object, sizeof object, "%s/object.o", place.output);
        FILE *file = fopen(source, "w");
        if (file) {
            fprintf(file, "__asm__(\".incbin \\\"%s\\\"\");\n", outside_path("notes"));
            fclose(file);
        }
        err = compiler_run(&place, &gcc, words, &result, &why);
        is_found = !err && has_secret_in(object);
        run_program_result_free(&result);
    }
    compiler_place_remove(&place);
    if (err) {
        fprintf(stderr, "cannot compile: %s\n", why.text);
        exit(3);
    }
    return is_found;
}

static bool finds_files(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "stat -c 'size %%s' %s", outside_path("notes"));
    return printed("size 10\n");
}

/* A file that may be read, and one that may not. */
static bool cuts_files(const struct sandbox *sandbox)
{
    static const char script[] =
        "#!/bin/sh\nexec python3 -c '\n"
        "import os, sys\n"
        "for path in sys.argv[1:]:\n"
        "    for cut in (lambda: os.truncate(path, 0),\n"
        "                lambda: os.open(path, os.O_TRUNC | os.O_RDONLY),\n"
        "                lambda: os.open(path, os.O_TRUNC | os.O_ACCMODE)):\n"
        "        try:\n"
        "            cut()\n"
        "        except OSError:\n"
        "            pass\n"
        "' open ../open/theirs\n";
    struct stat own;
    struct stat theirs;
    write_secret("own/open", 0666);
    write_secret("open/theirs", 0666);
    write_script("own/cut.sh", script);
    (void)reads_in(sandbox, "own", "./cut.sh");
    bool is_cut = stat(outside_path("own/open"), &own) != 0 ||
                  stat(outside_path("open/theirs"), &theirs) != 0 || own.st_size == 0 ||
                  theirs.st_size == 0;
    unlink(outside_path("open/theirs"));
    return is_cut;
}

static bool writes_files(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./write_outside %s", outside_path("open"));
    bool has_file = unlink(outside_path("open/rude-file")) == 0;
    return has_file || printed("opened");
}

static bool has_new_attributes(const char *name)
{
    struct stat status;
    return stat(outside_path(name), &status) != 0 || status.st_mtime == 1 ||
           (status.st_mode & 0777) != 0644;
}

/* Of a file that belongs to this user, where Landlock knows only its content. */
static bool changes_attributes(const struct sandbox *sandbox)
{
    write_secret("notes", 0644);
    attempt_command(sandbox, "./attempt 1 chmod %s", outside_path("notes"));
    attempt_command(sandbox, "./attempt 1 utime %s", outside_path("notes"));
    bool is_changed = has_new_attributes("notes");
    write_secret("notes", 0644); /* a program in a command would be shown */
    return is_changed;
}

/* Of its own file, which it may only read. */
static bool changes_attributes_of_open_file(const struct sandbox *sandbox)
{
    write_secret("own/open", 0644);
    write_script("own/touch.sh",
                 "#!/bin/sh\nexec python3 -c 'import os; os.utime(0, (1, 1))' <open\n");
    (void)reads_in(sandbox, "own", "./touch.sh");
    bool is_changed = has_new_attributes("own/open");
    write_secret("own/open", 0644);
    return is_changed;
}

/* What another agent has locked: a file that all of them see. */
static bool sees_locks(const struct sandbox *sandbox)
{
    static const char shared[] = "/usr/bin/env";
    struct flock read_lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int file = open(shared, O_RDONLY | O_CLOEXEC);
    if (file < 0 || flock(file, LOCK_EX) != 0 || fcntl(file, F_SETLK, &read_lock) != 0 ||
        fcntl(file, F_OFD_SETLK, &read_lock) != 0) {
        perror("cannot lock a file of the system");
        exit(3);
    }
    attempt_command(sandbox, "./attempt 1 flock %s", shared);
    bool is_seen = printed("refused 11\n"); /* EWOULDBLOCK */
    attempt_command(sandbox, "./attempt 1 getlk %s", shared);
    is_seen |= printed("locked ");
    attempt_command(sandbox, "cat /proc/locks");
    is_seen |= printed(":");
    close(file);
    return is_seen;
}

/* --- Processes --- */

static pid_t victim;

/* A process of the same user as plum. Without capabilities: else those of root protect it. */
static void start_victim(void)
{
    int ready[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) != 0 || (victim = fork()) < 0) {
        perror("cannot start a process to attack");
        exit(3);
    }
    if (victim == 0) {
        static char *const argv[] = {(char *)"sleep", (char *)"600", NULL};
        static char *const environment[] = {(char *)"WORD=" SECRET, NULL};
        struct note why;
        if (!sandbox_identity_drop_capabilities(&why)) {
            execve("/bin/sleep", argv, environment);
        }
        _exit(1);
    }
    close(ready[1]);
    (void)!read(ready[0], &byte, 1); /* it has become sleep */
    close(ready[0]);
}

static void end_victim(void)
{
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
}

static bool lists_processes(const struct sandbox *sandbox)
{
    start_victim();
    attempt_command(sandbox, "ls -d /proc/%d", (int)victim);
    end_victim();
    return printed("/proc/");
}

static bool reads_processes(const struct sandbox *sandbox)
{
    start_victim();
    attempt_command(sandbox, "./read_secret /proc/%d/environ", (int)victim);
    end_victim();
    return printed(SECRET);
}

static bool signals(const struct sandbox *sandbox)
{
    start_victim();
    attempt_command(sandbox, "sh -c 'kill -9 %d && echo sent'", (int)victim);
    if (!printed("sent\n")) {
        end_victim();
        return false;
    }
    int status = 0;
    return waitpid(victim, &status, 0) == victim && WIFSIGNALED(status);
}

/* Each in a program of its own; what would also hit plum is not among them: see test_sandbox.c. */
static bool changes_priorities(const struct sandbox *sandbox)
{
    static const char *const ways[] = {"set-limit", "set-nice", "set-idle", "set-cpus",
                                       "set-ioprio"};
    bool is_changed = false;
    start_victim();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        attempt_command(sandbox, "./attempt 1 %s %d", ways[i], (int)victim);
        is_changed = is_changed || printed("done");
    }
    end_victim();
    return is_changed;
}

static bool has_process_with(const char *word)
{
    bool is_found = false;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        char path[300];
        char line[512] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file) {
            continue;
        }
        size_t count = fread(line, 1, sizeof line - 1, file);
        fclose(file);
        if (count && memmem(line, count, word, strlen(word)) &&
            strtol(entry->d_name, NULL, 10) != getpid()) {
            is_found = true;
            kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
        }
    }
    if (processes) {
        closedir(processes);
    }
    return is_found;
}

/* Does it use that much processor time before it rests for a while? */
static bool computes(const struct sandbox *sandbox, enum process_pace pace, int64_t much_ns)
{
    enum { STEP_US = 100 * 1000, STILL_STEPS = 15 };
    const int64_t little_ns =
        2 * CLOCK_NS_PER_MS; /* in a step, for each SIGSTOP that is repeated */
    struct process_spec spec = run_spec("./spin wake 2");
    spec.sandbox = sandbox;
    run_start(&run, &spec);
    run_until_output(&run, "ready\n");
    process_set_pace(run.process, pace);
    int64_t before_ns = process_used_ns(run.process);
    int64_t last_ns = before_ns;
    for (int still = 0; still < STILL_STEPS && last_ns - before_ns < much_ns;) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
        usleep(STEP_US);
        int64_t now_ns = process_used_ns(run.process);
        still = now_ns - last_ns < little_ns ? still + 1 : 0;
        last_ns = now_ns;
    }
    process_kill(run.process);
    run_until_exit(&run);
    run_free(&run);
    return last_ns - before_ns >= much_ns;
}

static bool computes_when_frozen(const struct sandbox *sandbox)
{
    return computes(sandbox, PROCESS_FROZEN, CLOCK_NS_PER_S); /* on a busy machine it runs for a
                                                                 while after the order */
}

static bool computes_when_not_frozen(const struct sandbox *sandbox)
{
    return computes(sandbox, PROCESS_RUNS, CLOCK_NS_PER_S / 5);
}

static bool leaves_core_dump(const struct sandbox *sandbox)
{
    char place[160];
    snprintf(place, sizeof place, "TMPDIR=%s", outside_path("open"));
    const char *environment[] = {place, NULL};
    struct process_spec spec = run_spec("./dump_core");
    spec.environment = environment;
    spec.sandbox = sandbox;
    attempt(&spec);
    return !printed("core dumps: 0\n");
}

/* A hard limit, or the kernel's setting. */
static const char *needs_core_dumps(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit;
        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_max;
        /* Who has looked at processes of other users, as the judge does, is not dumped. */
        if (chdir(outside_path("open")) == 0 && setrlimit(RLIMIT_CORE, &limit) == 0 &&
            prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0) {
            signal(SIGABRT, SIG_DFL);
            abort();
        }
        _exit(1);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WCOREDUMP(status) ? NULL : "this machine writes no core dumps";
}

static const char *new_mark(void)
{
    static char mark[48];
    static int next;
    snprintf(mark, sizeof mark, "attack-mark-%d-%d", (int)getpid(), next++);
    return mark;
}

static bool leaves_daemons(const struct sandbox *sandbox)
{
    const char *mark = new_mark();
    attempt_command(sandbox, "./runaway %s", mark);
    return has_process_with(mark);
}

static bool leaves_daemons_without_supervisor(const struct sandbox *sandbox)
{
    (void)sandbox;
    const char *mark = new_mark();
    pid_t child = fork();
    if (child == 0) {
        if (chdir(run_rude_folder()) == 0 && freopen("/dev/null", "w", stdout)) {
            execl("./runaway", "runaway", mark, (char *)NULL);
        }
        _exit(1);
    }
    waitpid(child, NULL, 0);
    return has_process_with(mark);
}

/* --- Network --- */

static int listen_at(int family, const struct sockaddr *address, socklen_t size)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, address, size) != 0 || listen(fd, 4) != 0) {
        perror("cannot listen");
        exit(3);
    }
    return fd;
}

static int listen_on_loopback(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = listen_at(AF_INET, (struct sockaddr *)&address, size);
    getsockname(fd, (struct sockaddr *)&address, &size);
    *port = ntohs(address.sin_port);
    return fd;
}

static bool reaches_network(const struct sandbox *sandbox)
{
    int port;
    int listener = listen_on_loopback(&port);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "plum-attacks-%d", (int)getpid());
    int abstract =
        listen_at(AF_UNIX, (struct sockaddr *)&name,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length));
    attempt_command(sandbox, "./phone %d %s", port, name.sun_path + 1);
    close(listener);
    close(abstract);
    return printed("reached") || printed("found");
}

static bool reaches_game_port(const struct sandbox *sandbox)
{
    int port;
    int listener = listen_on_loopback(&port);
    char command[64];
    snprintf(command, sizeof command, "./attempt 1 connect 127.0.0.1 %d", port);
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    spec.listen_port = port;
    attempt(&spec);
    struct pollfd source = {.fd = listener, .events = POLLIN};
    bool is_reached = poll(&source, 1, 0) == 1;
    close(listener);
    return is_reached;
}

/* With a port of its own, as a TCP agent has, it reaches another one. */
static bool reaches_another_port(const struct sandbox *sandbox, const char *how)
{
    int port;
    int listener = listen_on_loopback(&port);
    char command[64];
    snprintf(command, sizeof command, "./attempt 1 %s 127.0.0.1 %d", how, port);
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    spec.listen_port = port == WIRE_PORT ? port + 1 : WIRE_PORT;
    attempt(&spec);
    struct pollfd source = {.fd = listener, .events = POLLIN};
    bool is_reached = poll(&source, 1, 0) == 1;
    close(listener);
    return is_reached;
}

static bool reaches_network_by_mptcp(const struct sandbox *sandbox)
{
    return reaches_another_port(sandbox, "connect-mptcp");
}

static bool reaches_network_by_sending(const struct sandbox *sandbox)
{
    return reaches_another_port(sandbox, "connect-fast");
}

static const char *needs_fast_open(void)
{
    size_t count = 0;
    char *text = file_read_head("/proc/sys/net/ipv4/tcp_fastopen", 16, &count);
    bool has_some = text && count > 0 && (strtol(text, NULL, 10) & 1);
    free(text);
    return has_some ? NULL : "this machine does not open connections fast";
}

/* Another program, here this one, reaches it. */
static bool is_reached_from_network(const struct sandbox *sandbox)
{
    struct process_spec spec = run_spec("./attempt 1 listen");
    int port = 0;
    spec.sandbox = sandbox;
    spec.listen_port = WIRE_PORT;
    run_start(&run, &spec);
    if (run_says(&run, "port ") && sscanf(strstr(run.output, "port "), "port %d", &port) == 1) {
        struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                 .sin_port = htons((uint16_t)port)};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        bool is_reached = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
        close(fd);
        if (!is_reached) {
            process_kill(run.process);
        }
    }
    run_until_exit(&run);
    run_free(&run);
    return printed("done");
}

/* A service of the machine that takes messages, such as its log. */
static bool reaches_service(const struct sandbox *sandbox)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s/open/service", outside);
    int service = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (service < 0 || bind(service, (struct sockaddr *)&name, sizeof name) != 0 ||
        chmod(name.sun_path, 0777) != 0) {
        perror("cannot make a service");
        exit(3);
    }
    attempt_command(sandbox, "./attempt 1 send-from-pair %s", name.sun_path);
    struct pollfd source = {.fd = service, .events = POLLIN};
    bool is_reached = poll(&source, 1, 0) == 1;
    close(service);
    unlink(name.sun_path);
    return is_reached;
}

static const char *needs_mptcp(void)
{
    enum { MPTCP = 262 };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, MPTCP);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 ? NULL : "this kernel has no MPTCP";
}

/* --- The place of another agent --- */

/* An agent and the connection that the judge takes for its own. */
struct connected_agent {
    struct run *run;
    struct tcp_endpoint *endpoint;
    bool has_client;
    bool is_checked; /* whether the connection is its own */
};

static void count_client(void *owner, int32_t team, int64_t came_ns)
{
    struct connected_agent *agent = owner;
    (void)team;
    (void)came_ns;
    agent->has_client = true;
    tcp_endpoint_hang_up(agent->endpoint);
}

static void ignore_bytes(void *owner, const uint8_t *bytes, size_t count, int64_t came_ns)
{
    (void)came_ns;
    (void)owner;
    (void)bytes;
    (void)count;
}

static void fail_to_connect(void *owner, const struct note *why)
{
    (void)owner;
    fail_msg("%s", why->text);
}

static void forget_endpoint(void *owner)
{
    struct connected_agent *agent = owner;
    agent->endpoint = NULL;
}

static bool owns_socket(const void *owner, uint64_t inode)
{
    const struct connected_agent *agent = owner;
    return !agent->is_checked || process_has_socket(agent->run->process, inode);
}

/* With a listener of its own if it has a network of its own. */
static void register_agent(struct tcp_server *server, struct connected_agent *agent)
{
    const struct tcp_endpoint_events events = {agent,           count_client,    ignore_bytes,
                                               fail_to_connect, forget_endpoint, owns_socket};
    int listener = process_take_listener(agent->run->process);
    struct note why = {""};
    if (tcp_endpoint_open(server, listener, &events, &agent->endpoint, &why)) {
        fail_msg("%s", why.text);
    }
}

/* One agent has not connected yet; the other one connects with the number of the first. Of two
 * agents that the judge does not tell apart, it takes the one that has registered last. */
static bool takes_place_of_another(const struct sandbox *sandbox, bool is_checked)
{
    static struct run other;
    struct connected_agent absent = {.run = &other, .is_checked = is_checked};
    struct connected_agent impostor = {.run = &run, .is_checked = is_checked};
    bool is_shared = !(sandbox->features & SANDBOX_NAMESPACES);
    struct tcp_server server = {.loop = &other.loop, .port = WIRE_PORT};
    struct note why = {""};
    char command[64];
    struct process_spec spec = run_spec("sleep 600");
    spec.sandbox = sandbox;
    spec.listen_port = server.port;
    run_start(&other, &spec);
    run_until_ready(&other);
    if (is_shared && tcp_server_listen(&server, 0, &why)) {
        fail_msg("%s", why.text);
    }
    snprintf(command, sizeof command, "./call_home %d team", server.port);
    spec.command = command;
    spec.listen_port = server.port;
    run_start(&run, &spec);
    run_until_ready(&run);
    register_agent(&server, &impostor);
    register_agent(&server, &absent);
    while (!run.has_exited) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
        uv_run(&other.loop, UV_RUN_NOWAIT);
        assert_false(run.is_late);
        usleep(1000);
    }
    tcp_endpoint_close(impostor.endpoint);
    tcp_endpoint_close(absent.endpoint);
    tcp_server_close(&server);
    run_free(&run);
    run_free(&other);
    assert_true(impostor.has_client || absent.has_client); /* it has connected */
    return absent.has_client;
}

static bool impersonates(const struct sandbox *sandbox)
{
    return takes_place_of_another(sandbox, true);
}

static bool impersonates_unchecked(const struct sandbox *sandbox)
{
    return takes_place_of_another(sandbox, false);
}

/* --- System calls --- */

/* A call that every user may use, on every machine. */
static bool uses_system_calls(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./attempt 1 traceme");
    return printed("done");
}

/* A call of the same kind for a 32-bit program, which has other numbers. */
static bool calls_as_another_kind(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./attempt 1 i386");
    return printed("done");
}

static const char *needs_32_bit(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (chdir(run_rude_folder()) == 0 && dup2(nothing, STDOUT_FILENO) >= 0) {
            execl("./attempt", "attempt", "1", "i386", (char *)NULL);
        }
        _exit(1);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL
                                                         : "this machine runs no 32-bit calls";
}

static bool takes_events_of_machine(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./attempt 1 io_setup");
    return printed("done");
}

/* Made by a program outside of the sandbox, and open to all users. */
static bool reads_shared_memory(const struct sandbox *sandbox)
{
    int segment = shmget(IPC_PRIVATE, sizeof SECRET, IPC_CREAT | 0644);
    char *text = segment < 0 ? (char *)-1 : shmat(segment, NULL, 0);
    if (text == (char *)-1) {
        perror("cannot make shared memory");
        exit(3);
    }
    memcpy(text, SECRET, sizeof SECRET);
    attempt_command(sandbox, "./attempt 1 shmat %d", segment);
    shmdt(text);
    shmctl(segment, IPC_RMID, NULL);
    return printed(SECRET);
}

static const char *needs_set_user_id(void)
{
    char path[PATH_MAX];
    struct stat program;
    struct statvfs place;
    snprintf(path, sizeof path, "%s/whose_rights", run_rude_folder());
    if (stat(path, &program) != 0 || !(program.st_mode & S_ISUID) || program.st_uid == getuid()) {
        return "only root can make a set-user-id program of another user";
    }
    return statvfs(path, &place) == 0 && !(place.f_flag & ST_NOSUID)
               ? NULL
               : "/tmp is mounted with nosuid";
}

static bool gets_rights(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./whose_rights");
    return printed("others");
}

static bool is_unrecorded(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./attempt 1 unshare");
    return run.violations.count == 0;
}

static const char *needs_processors(void)
{
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 1
               ? NULL
               : "there is one processor only";
}

static int first_processor(void)
{
    cpu_set_t cpus;
    int cpu = 0;
    sched_getaffinity(0, sizeof cpus, &cpus);
    while (!CPU_ISSET((size_t)cpu, &cpus)) {
        cpu++;
    }
    return cpu;
}

static bool leaves_processor(const struct sandbox *sandbox)
{
    struct process_spec spec = run_spec("sh -c 'taskset -p ffffffff $$ >/dev/null 2>&1; nproc'");
    spec.cpu = first_processor();
    spec.sandbox = sandbox;
    attempt(&spec);
    return strtol(run.output, NULL, 10) > 1;
}

/* Two agents on one processor, one with one process and the other with MANY, each of which asks for
 * a session of its own. What counts is the ratio of their processor times, not how long it takes:
 * the second has 1 or MANY times as much as the first. */
static bool gets_larger_share(const struct sandbox *sandbox)
{
    enum { MANY = 4, LARGER = 2, STEP_US = 5000 };
    static struct run other;
    const int64_t enough_ns = 6 * (CLOCK_NS_PER_S / 100); /* the kernel counts hundredths */
    char command[32];
    snprintf(command, sizeof command, "./spin sessions %d", MANY);
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    spec.cpu = first_processor();
    run_start(&other, &spec);
    run_until_output(&other, "ready\n");
    spec.command = "./spin loop 1";
    run_start(&run, &spec);
    run_until_output(&run, "ready\n");
    int64_t one_start_ns = process_used_ns(run.process);
    int64_t many_start_ns = process_used_ns(other.process);
    int64_t one_ns = 0;
    int64_t many_ns = 0;
    while (one_ns < enough_ns && many_ns < MANY * enough_ns) {
        uv_run(&run.loop, UV_RUN_NOWAIT);
        uv_run(&other.loop, UV_RUN_NOWAIT);
        assert_false(run.is_late);
        usleep(STEP_US);
        one_ns = process_used_ns(run.process) - one_start_ns;
        many_ns = process_used_ns(other.process) - many_start_ns;
    }
    run_free(&run);
    run_free(&other);
    return many_ns > LARGER * one_ns;
}

/* --- Time --- */

#define THREE_EMPTY "#OX.XOO#/XOOXOOO./.OXOOOOO/XOOOOOO./XOXOXOXX/.XOOXXO./XXXOXXXX/#XOOOOO# b"

enum {
    RESTLESS_MS = 100,  /* of its processor time, in which the agent changes its folder */
    ENDLESS_MS = 10000, /* the same, for a judge that others keep from running for a while */
    SHORT_LIMIT_MS = 50,
    LONG_LIMIT_S = 600,
    TICKS_WANTED = 40, /* of another game's timer, a millisecond apart, before the agent ends */
};

/* A game of the restless agent, in a loop with a timer of another game. */
struct restless_game {
    struct match_run run;
    uv_timer_t other;
    int ticks;        /* since it began */
    int ticks_wanted; /* then it ends; 0: it does not */
    bool has_begun;
    bool has_moved; /* the answer counts */
};

static void count_tick(uv_timer_t *timer)
{
    struct restless_game *game = timer->data;
    game->ticks += game->has_begun;
    if (game->has_begun && game->ticks == game->ticks_wanted) {
        match_stop(game->run.match);
    }
}

static void watch_game(void *owner, const struct game_event *event)
{
    struct restless_game *game = owner;
    game->has_begun |= event->kind == GAME_EVENT_START;
    if (event->kind == GAME_EVENT_PLY && event->ply->was_asked) {
        game->has_moved = !event->ply->has_fault;
        match_stop(event->match);
    }
}

static void end_game(struct match_run *match_run, enum err err, const struct note *why)
{
    struct restless_game *game = (struct restless_game *)match_run;
    if (err != ERR_INTERRUPTED) {
        fail_msg("%s", why->text);
    }
    match_free(match_run->match);
    uv_close((uv_handle_t *)&game->other, NULL);
    match_runner_close(match_run->runner);
}

/* The agent changes its folder for `restless_ms`. Until its first move, or that many ticks of the
 * other game. */
static void play_restless(const struct sandbox *sandbox, int restless_ms, int64_t limit_ns,
                          int ticks_wanted, struct restless_game *out)
{
    char text[PATH_MAX + 64];
    struct player_spec specs[2];
    struct state start;
    struct note why = {""};
    const struct game *reversi = registry_find(cpu_best(), "reversi", &why);
    const struct match_runner_setup setup = {.sandbox = sandbox, .slots = 1};
    *out = (struct restless_game){.run = {.options = {.rules.judge = judge_rules_usual(reversi),
                                                      .games = 1,
                                                      .openings = &start,
                                                      .opening_count = 1},
                                          .specs = {&specs[0], &specs[1]},
                                          .sink = {out, watch_game},
                                          .on_done = end_game},
                                  .ticks_wanted = ticks_wanted};
    out->run.options.rules.judge.limit_ns = limit_ns;
    out->run.options.rules.judge.grace_ns = 0;
    snprintf(text, sizeof text, "file:7:%s/restless %d state_7.txt move_7.txt", run_rude_folder(),
             restless_ms);
    if (game_read_position(reversi, THREE_EMPTY, &start, &why) ||
        player_spec_read(text, reversi, &specs[0], &why) ||
        player_spec_read("random", reversi, &specs[1], &why) ||
        match_runner_open(&out->run.runner, &setup, &why)) {
        fail_msg("%s", why.text);
    }
    uv_timer_init(match_runner_loop(out->run.runner), &out->other);
    out->other.data = out;
    uv_timer_start(&out->other, count_tick, 1, 1);
    if (match_runner_start(out->run.runner, &out->run, &why)) {
        fail_msg("%s", why.text);
    }
    match_runner_finish(out->run.runner);
}

static bool exceeds_time(const struct sandbox *sandbox)
{
    struct restless_game game;
    play_restless(sandbox, RESTLESS_MS, SHORT_LIMIT_MS * CLOCK_NS_PER_MS, 0, &game);
    return game.has_moved;
}

static bool exceeds_no_time(const struct sandbox *sandbox)
{
    struct restless_game game;
    play_restless(sandbox, RESTLESS_MS, LONG_LIMIT_S * CLOCK_NS_PER_S, 0, &game);
    return game.has_moved;
}

/* The agent ends before the other game had its turns. */
static bool delays_judge(const struct sandbox *sandbox)
{
    struct restless_game game;
    play_restless(sandbox, ENDLESS_MS, LONG_LIMIT_S * CLOCK_NS_PER_S, TICKS_WANTED, &game);
    return game.ticks < TICKS_WANTED;
}

/* A loop that reads the changes of the folder until there is none. */
struct naive_loop {
    uv_fs_event_t watch;
    uv_prepare_t turn;
    char folder[PATH_MAX];
    int changes; /* in this turn */
    bool is_held;
};

static void begin_turn(uv_prepare_t *turn) { ((struct naive_loop *)turn->data)->changes = 0; }

/* As a judge would look for the answer at each change. */
static void look_at_change(uv_fs_event_t *watch, const char *name, int events, int status)
{
    enum { MANY = 4000, LOOKS = 8 };
    struct naive_loop *loop = watch->data;
    struct stat found;
    (void)name;
    (void)events;
    (void)status;
    for (int i = 0; i < LOOKS; i++) {
        (void)!stat(loop->folder, &found);
    }
    if (++loop->changes == MANY) {
        loop->is_held = true;
        uv_fs_event_stop(watch);
        process_kill(run.process);
    }
}

static bool delays_naive_loop(const struct sandbox *sandbox)
{
    struct naive_loop loop = {.changes = 0};
    char command[64];
    snprintf(command, sizeof command, "./restless %d", 10 * RESTLESS_MS);
    struct process_spec spec = run_spec(command);
    spec.sandbox = sandbox;
    spec.private_is_cwd = true;
    run_start(&run, &spec);
    run_until_ready(&run);
    snprintf(loop.folder, sizeof loop.folder, "%s", process_private_folder(run.process));
    uv_fs_event_init(&run.loop, &loop.watch);
    uv_prepare_init(&run.loop, &loop.turn);
    loop.watch.data = loop.turn.data = &loop;
    uv_fs_event_start(&loop.watch, look_at_change, loop.folder, 0);
    uv_prepare_start(&loop.turn, begin_turn);
    run_until_exit(&run);
    uv_close((uv_handle_t *)&loop.watch, NULL);
    uv_close((uv_handle_t *)&loop.turn, NULL);
    run_free(&run);
    return loop.is_held;
}

/* --- Limits --- */

static bool exceeds_memory(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./eat_memory %d", MEMORY_WANTED_MIB);
    return printed("got all");
}

/* Memory that no process has, longer than from one measurement to the next. */
static bool hoards(const struct sandbox *sandbox, const char *kind)
{
    enum { KEPT_MS = 1000 };
    int segment = -1;
    bool is_allowed = sandbox->limits.memory_bytes > (int64_t)MEMORY_WANTED_MIB * MIB;
    attempt_command(sandbox, "./hoard %s %d %d", kind, MEMORY_WANTED_MIB, is_allowed ? 0 : KEPT_MS);
    const char *made = strstr(run.output, "segment ");
    if (made && !(sandbox->features & SANDBOX_NAMESPACES) &&
        sscanf(made, "segment %d", &segment) == 1) {
        shmctl(segment, IPC_RMID, NULL); /* it outlives the program */
    }
    return printed("got all");
}

static bool hoards_connections(const struct sandbox *sandbox) { return hoards(sandbox, "tcp"); }
static bool hoards_segments(const struct sandbox *sandbox) { return hoards(sandbox, "segments"); }
static bool hoards_pages(const struct sandbox *sandbox) { return hoards(sandbox, "pages"); }

/* All connections of a machine together have a limit. */
static const char *needs_room_for_connections(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/sys/net/ipv4/tcp_mem", "r");
    /* NOLINTNEXTLINE(cert-err34-c): the kernel writes a number that fits */
    bool is_known = file && fscanf(file, "%*d %ld", &pages) == 1;
    if (file) {
        fclose(file);
    }
    return !is_known || pages * sysconf(_SC_PAGESIZE) > 2L * MEMORY_WANTED_MIB * MIB
               ? NULL
               : "this machine has little memory for connections (net.ipv4.tcp_mem)";
}

static const char *needs_huge_pages(void)
{
    size_t count = 0;
    char *text = file_read_head("/sys/kernel/mm/transparent_hugepage/enabled", 64, &count);
    bool has_none = !text || memmem(text, count, "[never]", strlen("[never]"));
    free(text);
    return has_none ? "this machine has no huge pages" : NULL;
}

static bool exceeds_disk_at_once(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./attempt 1 fallocate %d", DISK_WANTED_MIB);
    return printed("done");
}

static bool exceeds_processes(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./fork_bomb %d", PROCESSES_WANTED);
    return strtol(run.output, NULL, 10) == PROCESSES_WANTED;
}

static bool exceeds_open_files(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./open_files %d", FILES_WANTED);
    return strtol(run.output, NULL, 10) == FILES_WANTED;
}

static const char *needs_stack(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_max >= STACK_WANTED_MIB * MIB
               ? NULL
               : "the stack has a low limit already (ulimit -Hs)";
}

static bool exceeds_stack(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./use_stack %d", STACK_WANTED_MIB);
    return printed("got all");
}

static const char *needs_signals(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_max >= 2 * SIGNALS_WANTED
               ? NULL
               : "pending signals have a low limit already (ulimit -Hi)";
}

static bool exceeds_signals(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./queue_signals %d", SIGNALS_WANTED);
    return strtol(run.output, NULL, 10) == SIGNALS_WANTED;
}

static bool uses_up_inotify(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "./take_inotify %d", INOTIFY_WANTED);
    return strtol(run.output, NULL, 10) > INOTIFY_LIMIT;
}

static bool exceeds_disk(const struct sandbox *sandbox)
{
    attempt_command(sandbox,
                    "sh -c 'trap \"\" XFSZ; yes | head -c %d >$TMPDIR/large; wc -c <$TMPDIR/large'",
                    DISK_WANTED_MIB * MIB);
    return strtol(run.output, NULL, 10) == DISK_WANTED_MIB * MIB;
}

static bool exceeds_output(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "sh -c 'yes | head -c %d'", OUTPUT_WANTED_MIB * MIB);
    return run.count == (size_t)(OUTPUT_WANTED_MIB * MIB);
}

static bool reads_environment(const struct sandbox *sandbox)
{
    attempt_command(sandbox, "env");
    return printed(SECRET);
}

/* One feature needs another. */
static unsigned without(unsigned features, unsigned removed)
{
    features &= ~removed;
    if (!(features & SANDBOX_NAMESPACES) || !(features & SANDBOX_FRESH_PROC)) {
        features &= ~(unsigned)(SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC);
    }
    return features & SANDBOX_SECCOMP ? features : features & ~(unsigned)SANDBOX_WATCH;
}

static void drop(struct sandbox *sandbox, unsigned features)
{
    sandbox->features = without(sandbox->features, features);
}

static void raise_memory(struct sandbox *sandbox)
{
    sandbox->limits.memory_bytes *= CONTROL_FACTOR;
}
/* Where it is measured, connections count with the most that their queues may have. */
static void raise_kept_memory(struct sandbox *sandbox)
{
    raise_memory(sandbox);
    raise_memory(sandbox);
    drop(sandbox, SANDBOX_MEMORY_CGROUP | SANDBOX_SECCOMP | SANDBOX_LANDLOCK);
}
static void raise_processes(struct sandbox *sandbox)
{
    sandbox->limits.processes *= CONTROL_FACTOR;
}
static void raise_open_files(struct sandbox *sandbox)
{
    sandbox->limits.open_files *= CONTROL_FACTOR / 4;
}
static void raise_stack(struct sandbox *sandbox) { sandbox->limits.stack_bytes *= CONTROL_FACTOR; }
static void raise_signals(struct sandbox *sandbox)
{
    sandbox->limits.pending_signals *= CONTROL_FACTOR;
}
static void raise_disk(struct sandbox *sandbox) { sandbox->limits.disk_bytes *= CONTROL_FACTOR; }
static void raise_disk_at_once(struct sandbox *sandbox)
{
    raise_disk(sandbox);
    drop(sandbox, SANDBOX_SECCOMP);
}
static void raise_output(struct sandbox *sandbox)
{
    sandbox->limits.output_bytes *= CONTROL_FACTOR;
}
static void switch_off(struct sandbox *sandbox)
{
    sandbox->mode = SANDBOX_OFF;
    sandbox->features = 0;
}

static const struct attack attacks[] = {
    {.name = "read-files", .succeeds = reads_files},
    {.name = "read-root-files", .succeeds = reads_root_files},
    {.name = "shared-folder",
     .succeeds = reads_shared_folder,
     .keeps_features = true,
     .open = share_freely,
     .control_name = "the rule of the folder"},
    {.name = "databases", .succeeds = reads_own_database},
    {.name = "databases", .succeeds = reads_shared_database, .variant = "in a shared folder"},
    {.name = "compiler", .succeeds = compiles_files},
    {.name = "stat-files", .succeeds = finds_files},
    {.name = "write-files", .succeeds = writes_files},
    {.name = "write-files", .variant = "cuts them off", .succeeds = cuts_files},
    {.name = "file-attributes", .succeeds = changes_attributes},
    {.name = "file-attributes",
     .variant = "of an open file",
     .succeeds = changes_attributes_of_open_file},
    {.name = "file-locks", .succeeds = sees_locks},
    {.name = "list-processes", .succeeds = lists_processes},
    {.name = "read-processes", .succeeds = reads_processes},
    {.name = "signal", .succeeds = signals},
    {.name = "priorities", .succeeds = changes_priorities},
    /* Landlock prevents a part of it. */
    {.name = "network", .succeeds = reaches_network, .also_without = SANDBOX_LANDLOCK},
    {.name = "network",
     .variant = "by MPTCP",
     .succeeds = reaches_network_by_mptcp,
     .also_without = SANDBOX_LANDLOCK,
     .needs = needs_mptcp},
    {.name = "network",
     .variant = "by TCP fast open",
     .succeeds = reaches_network_by_sending,
     .also_without = SANDBOX_LANDLOCK,
     .needs = needs_fast_open},
    {.name = "network",
     .variant = "as a server",
     .succeeds = is_reached_from_network,
     .also_without = SANDBOX_LANDLOCK},
    {.name = "network",
     .variant = "by a pair of sockets",
     .succeeds = reaches_service,
     .also_without = SANDBOX_LANDLOCK},
    {.name = "game-port", .succeeds = reaches_game_port},
    {.name = "impersonation",
     .succeeds = impersonates,
     .also_without = SANDBOX_NAMESPACES,
     .control = impersonates_unchecked,
     .control_name = "own networks and the check of the owner"},
    {.name = "system-calls", .succeeds = uses_system_calls},
    {.name = "system-calls",
     .variant = "32-bit",
     .succeeds = calls_as_another_kind,
     .needs = needs_32_bit},
    {.name = "system-calls",
     .variant = "contexts of the whole machine",
     .succeeds = takes_events_of_machine},
    {.name = "shared-memory", .succeeds = reads_shared_memory},
    {.name = "set-user-id",
     .succeeds = gets_rights,
     .needs = needs_set_user_id,
     .open = switch_off,
     .control_name = "the sandbox"},
    {.name = "processor", .succeeds = leaves_processor, .needs = needs_processors},
    /* In version 2 of cgroups every group of an agent has a share, whatever it was made for. */
    {.name = "processor-share", .succeeds = gets_larger_share, .also_without = SANDBOX_CGROUPS},
    {.name = "recording", .succeeds = is_unrecorded},
    {.name = "time-limit",
     .succeeds = exceeds_time,
     .control = exceeds_no_time,
     .control_name = "that limit"},
    {.name = "judge-delay",
     .succeeds = delays_judge,
     .control = delays_naive_loop,
     .control_name = "a bound on what is read at a time"},
    {.name = "environment",
     .succeeds = reads_environment,
     .open = switch_off,
     .control_name = "the sandbox"},
    {.name = "memory",
     .succeeds = exceeds_memory,
     .open = raise_memory,
     .control_name = "that limit"},
    {.name = "memory",
     .variant = "of connections",
     .succeeds = hoards_connections,
     .needs = needs_room_for_connections,
     .open = raise_kept_memory,
     .control_name = "that limit and the filters"},
    {.name = "memory",
     .variant = "of System V",
     .succeeds = hoards_segments,
     .needs = needs_32_bit,
     .open = raise_kept_memory,
     .control_name = "that limit and the filters"},
    {.name = "memory",
     .variant = "of pipes with huge pages",
     .succeeds = hoards_pages,
     .needs = needs_huge_pages,
     .open = raise_kept_memory,
     .control_name = "that limit and the filters"},
    {.name = "processes",
     .succeeds = exceeds_processes,
     .open = raise_processes,
     .control_name = "that limit"},
    {.name = "open-files",
     .succeeds = exceeds_open_files,
     .open = raise_open_files,
     .control_name = "that limit"},
    {.name = "stack",
     .succeeds = exceeds_stack,
     .needs = needs_stack,
     .open = raise_stack,
     .control_name = "that limit"},
    {.name = "pending-signals",
     .succeeds = exceeds_signals,
     .needs = needs_signals,
     .open = raise_signals,
     .control_name = "that limit"},
    {.name = "inotify", .succeeds = uses_up_inotify},
    {.name = "disk", .succeeds = exceeds_disk, .open = raise_disk, .control_name = "that limit"},
    {.name = "disk",
     .variant = "at once",
     .succeeds = exceeds_disk_at_once,
     .open = raise_disk_at_once,
     .control_name = "that limit and the filters"},
    {.name = "output",
     .succeeds = exceeds_output,
     .open = raise_output,
     .control_name = "that limit"},
    {.name = "core-dumps",
     .succeeds = leaves_core_dump,
     .needs = needs_core_dumps,
     .open = switch_off,
     .control_name = "the sandbox"},
    {.name = "pondering",
     .succeeds = computes_when_frozen,
     .control = computes_when_not_frozen,
     .control_name = "freezing"},
    {.name = "daemons",
     .succeeds = leaves_daemons,
     .control = leaves_daemons_without_supervisor,
     .control_name = "the supervisor"},
};
enum { ATTACKS = sizeof attacks / sizeof attacks[0] };

/* The first attack of that name after the given one; NULL: from the beginning. */
static const struct attack *find_attack(const char *name, const struct attack *after)
{
    for (const struct attack *attack = after ? after + 1 : attacks; attack < attacks + ATTACKS;
         attack++) {
        if (strcmp(attack->name, name) == 0) {
            return attack;
        }
    }
    return NULL;
}

static bool is_guaranteed(const char *name)
{
    for (size_t i = 0; i < sandbox_guarantee_count; i++) {
        if (strcmp(sandbox_guarantees[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns how many are missing. */
static int compare_lists(void)
{
    int missing = 0;
    for (size_t i = 0; i < sandbox_guarantee_count; i++) {
        if (!find_attack(sandbox_guarantees[i].name, NULL)) {
            printf("FAILED: the guarantee %s has no attack\n", sandbox_guarantees[i].name);
            missing++;
        }
    }
    for (int i = 0; i < ATTACKS; i++) {
        if (!is_guaranteed(attacks[i].name)) {
            printf("FAILED: the attack %s belongs to no guarantee\n", attacks[i].name);
            missing++;
        }
    }
    return missing;
}

static unsigned upholding_features(const struct sandbox_guarantee *guarantee)
{
    unsigned features = 0;
    for (int i = 0; i < SANDBOX_ALTERNATIVES; i++) {
        features |= guarantee->upheld_by[i];
    }
    return features;
}

static bool control_succeeds(const struct attack *attack, const struct sandbox *weaker)
{
    return attack->control ? attack->control(weaker) : attack->succeeds(weaker);
}

static void print_features(unsigned features)
{
    const char *separator = "";
    for (size_t i = 0; i < sandbox_offer_count; i++) {
        if (features & sandbox_offers[i].feature) {
            printf("%s%s", separator, sandbox_offers[i].name);
            separator = ", ";
        }
    }
}

static void print_variant(const struct attack *attack)
{
    if (attack->variant) {
        printf("; %s", attack->variant);
    }
    putchar('\n');
}

/* Prints a line; false: the guarantee does not hold, or its control proves nothing. */
static bool try_attack(const struct sandbox_guarantee *guarantee, const struct attack *attack,
                       const struct sandbox *level)
{
    printf("%-16s %-24s ", guarantee->name, sandbox_level(level));
    const char *lacks = attack->needs ? attack->needs() : NULL;
    if (lacks) {
        printf("not tried  skipped: %s\n", lacks);
        return true;
    }
    fflush(stdout); /* a child must not print it again */
    if (!sandbox_guarantee_is_held(guarantee, level, sandbox_landlock_version())) {
        bool has_succeeded = attack->succeeds(level);
        printf("%-9s  not guaranteed here", has_succeeded ? "succeeded" : "refused");
        print_variant(attack);
        return true;
    }
    struct sandbox weaker = *level;
    unsigned removed = upholding_features(guarantee) | attack->also_without;
    if (!attack->keeps_features) {
        weaker.features = without(level->features, removed);
    }
    if (attack->open) {
        attack->open(&weaker);
    }
    bool has_succeeded = attack->succeeds(level);
    bool has_control = control_succeeds(attack, &weaker);
    printf("%-9s  control without ", has_succeeded ? "SUCCEEDED" : "refused");
    if (attack->control_name) {
        printf("%s", attack->control_name);
    } else {
        print_features(level->features & ~weaker.features);
    }
    printf(": %s", has_control ? "succeeded" : "REFUSED");
    print_variant(attack);
    fflush(stdout);
    return !has_succeeded && has_control;
}

/* Where several protections uphold a guarantee, each must do it alone: else a defect of one is not
 * found as long as another one works. Returns the number of failures. */
static int try_each_protection(const struct sandbox_guarantee *guarantee,
                               const struct attack *attack, const struct sandbox *here)
{
    int failures = 0;
    for (int i = 0; i < SANDBOX_ALTERNATIVES && guarantee->upheld_by[i]; i++) {
        unsigned others =
            (upholding_features(guarantee) | attack->also_without) & ~guarantee->upheld_by[i];
        struct sandbox weaker = *here;
        weaker.features = without(here->features, others);
        if (weaker.features == here->features ||
            !sandbox_guarantee_is_held(guarantee, &weaker, sandbox_landlock_version())) {
            continue;
        }
        bool has_succeeded = attack->succeeds(&weaker);
        printf("%-16s %-24s %-9s  with ", guarantee->name, "one protection",
               has_succeeded ? "SUCCEEDED" : "refused");
        print_features(guarantee->upheld_by[i]);
        printf(" alone");
        print_variant(attack);
        fflush(stdout);
        failures += has_succeeded;
    }
    return failures;
}

static int run_attacks(const struct sandbox *here, const char *only, bool is_best_only)
{
    struct sandbox levels[SANDBOX_LEVELS];
    int failures = compare_lists();
    if (failures) {
        return 1;
    }
    sandbox_guarantee_levels(here, levels);
    bool has_level = false;
    for (int i = 0; i < SANDBOX_LEVELS && !(has_level && is_best_only); i++) {
        if (levels[i].features & ~here->features) {
            printf("not tried: user %d cannot have the level '%s' on this machine\n", (int)getuid(),
                   sandbox_level(&levels[i]));
            continue;
        }
        has_level = true;
        for (size_t j = 0; j < sandbox_guarantee_count; j++) {
            const struct sandbox_guarantee *guarantee = &sandbox_guarantees[j];
            const struct attack *attack = NULL;
            bool is_tried = (!only || strcmp(only, guarantee->name) == 0) &&
                            (levels[i].mode != SANDBOX_OFF || guarantee->is_always_held);
            while (is_tried && (attack = find_attack(guarantee->name, attack))) {
                failures += !try_attack(guarantee, attack, &levels[i]);
            }
        }
    }
    for (size_t j = 0; j < sandbox_guarantee_count && !is_best_only; j++) {
        const struct sandbox_guarantee *guarantee = &sandbox_guarantees[j];
        const struct attack *attack = NULL;
        bool is_tried = !only || strcmp(only, guarantee->name) == 0;
        while (is_tried && (attack = find_attack(guarantee->name, attack))) {
            failures += try_each_protection(guarantee, attack, here);
        }
    }
    printf("attacks: user %d: %d failures\n", (int)getuid(), failures);
    return failures ? 1 : 0;
}

static const char *table_cell(const struct sandbox_guarantee *guarantee,
                              const struct sandbox *level)
{
    struct sandbox ordinary = *level;
    ordinary.features &= ~(unsigned)SANDBOX_OTHER_USER;
    if (sandbox_guarantee_is_held(guarantee, &ordinary, INT_MAX)) {
        return "yes";
    }
    return sandbox_guarantee_is_held(guarantee, level, INT_MAX) ? "root" : "no";
}

/* For a machine that offers everything, with the newest kernel. */
static void print_table(void)
{
    struct sandbox here = {.mode = SANDBOX_AUTO};
    struct sandbox levels[SANDBOX_LEVELS];
    for (size_t i = 0; i < sandbox_offer_count; i++) {
        here.features |= sandbox_offers[i].feature;
    }
    sandbox_guarantee_levels(&here, levels);
    printf("| attack            |");
    for (int level = 0; level < SANDBOX_LEVELS; level++) {
        printf(" %s |", sandbox_level(&levels[level]));
    }
    printf(" an agent …                                                                  |\n"
           "|-------------------|--------|------------------------|---------|-----|"
           "-----------------------------------------------------------------------------|\n");
    for (size_t i = 0; i < sandbox_guarantee_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "`%s`", sandbox_guarantees[i].name);
        printf("| %-17s |", name);
        for (int level = 0; level < SANDBOX_LEVELS; level++) {
            printf(" %-*s |", (int)strlen(sandbox_level(&levels[level])),
                   table_cell(&sandbox_guarantees[i], &levels[level]));
        }
        printf(" %-75s |\n", sandbox_guarantees[i].sentence);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    int code = run_prepare(argc, argv);
    if (code >= 0) {
        return code;
    }
    if (argc > 1 && !find_attack(argv[1], NULL)) {
        fprintf(stderr, "there is no attack %s\n", argv[1]);
        return 2;
    }
    setenv("PLUM_TEST_WORD", SECRET, 1); /* not in the helper, which is this program as well */
    struct sandbox here = *run_sandbox();
    here.limits = (struct sandbox_limits){
        .memory_bytes = (int64_t)MEMORY_LIMIT_MIB * MIB,
        .disk_bytes = (int64_t)DISK_LIMIT_MIB * MIB,
        .output_bytes = (int64_t)OUTPUT_LIMIT_MIB * MIB,
        .processes = PROCESS_LIMIT,
        .open_files = FILE_LIMIT,
        .stack_bytes = (int64_t)STACK_LIMIT_MIB * MIB,
        .pending_signals = SIGNAL_LIMIT,
        .inotify_instances = INOTIFY_LIMIT,
    };
    if (!make_outside()) {
        perror("cannot make a folder in /var/tmp");
        return 3;
    }
    make_shared_folder();
    make_databases();
    here.neighbours = &neighbours;
    code = run_attacks(&here, argc > 1 ? argv[1] : NULL, argc > 2 && strcmp(argv[2], "best") == 0);
    sandbox_folder_free_neighbours(&neighbours);
    folder_remove(outside);
    return code;
}
