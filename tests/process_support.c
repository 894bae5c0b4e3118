#include "process_support.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <seccomp.h>

#include "cluster/cluster_host.h"
#include "cluster/worker_file.h"
#include "play/worker.h"

static struct sandbox machine;

/* What a killed process with our number has left behind is not ours. */
static int earlier_folders;
static int earlier_cgroups;

/* As in a container that forbids them. */
static void forbid_namespaces(void)
{
    static const unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0] && !error; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    }
    if (error || seccomp_load(filter) != 0) {
        fprintf(stderr, "cannot forbid namespaces\n");
        abort();
    }
    seccomp_release(filter);
}

int run_prepare(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], SANDBOX_CHILD) == 0) {
        sandbox_child_main(argc, argv);
    }
    if (argc > 1 && strcmp(argv[1], "--without-namespaces") == 0) {
        forbid_namespaces();
    }
    umask(022); /* what a case writes for its programs must be readable to the sandbox's user */
    struct sandbox_limits limits = sandbox_limits_default();
    limits.memory_bytes = 256 << 20;
    limits.disk_bytes = 8 << 20;
    limits.output_bytes = 4 << 20;
    limits.processes = 32;
    struct note missing;
    if (sandbox_probe(SANDBOX_AUTO, &limits, NULL, &machine, &missing)) {
        fprintf(stderr, "no sandbox: %s\n", missing.text);
        return 1;
    }
    fprintf(stderr, "# the sandbox is %s; missing: %s\n", sandbox_level(&machine),
            *missing.text ? missing.text : "nothing");
    earlier_folders = count_temporary_folders();
    earlier_cgroups = count_cgroups();
    return -1;
}

const struct sandbox *run_sandbox(void) { return &machine; }

const char *run_rude_folder(void)
{
    const char *folder = getenv("PLUM_RUDE_DIR"); /* sandbox_test.sh sets it */
    return folder ? folder : "rude";
}

struct process_spec run_spec(const char *command)
{
    return (struct process_spec){
        .command = command, .folder = run_rude_folder(), .cpu = -1, .sandbox = &machine};
}

static void on_limit(uv_timer_t *timer)
{
    struct run *run = timer->data;
    run->is_late = true;
}

static void on_ready(void *owner)
{
    struct run *run = owner;
    run->is_ready = true;
}

static void on_output(void *owner, const char *bytes, size_t count)
{
    struct run *run = owner;
    size_t kept = run->count < RUN_OUTPUT_BYTES - 1 ? run->count : RUN_OUTPUT_BYTES - 1;
    size_t taken = count < RUN_OUTPUT_BYTES - 1 - kept ? count : RUN_OUTPUT_BYTES - 1 - kept;
    memcpy(run->output + kept, bytes, taken);
    run->output[kept + taken] = '\0';
    run->count += count;
    if (run->on_output) {
        run->on_output(run);
    }
}

static void on_exit_event(void *owner, const struct process_exit *exit)
{
    struct run *run = owner;
    assert_false(run->has_exited);
    run->has_exited = true;
    run->exit = *exit;
    process_stderr(run->process, run->errors, sizeof run->errors);
}

static void on_violation(void *owner, const struct violation *violation)
{
    struct run *run = owner;
    assert_false(run->has_exited);
    run->violation_reports++;
    (void)violation_list_add(&run->violations, violation);
}

void run_start(struct run *run, const struct process_spec *spec)
{
    memset(run, 0, sizeof *run);
    assert_int_equal(uv_loop_init(&run->loop), 0);
    uv_timer_init(&run->loop, &run->limit);
    run->limit.data = run;
    uv_timer_start(&run->limit, on_limit, RUN_LIMIT_MS, 0);
    struct process_events events = {run, on_ready, on_output, on_exit_event, on_violation};
    struct note why = {""};
    if (process_start(&run->loop, spec, &events, &run->process, &why)) {
        fail_msg("process_start: %s", why.text);
    }
}

static void turn(struct run *run)
{
    uv_run(&run->loop, UV_RUN_ONCE);
    if (run->is_late) {
        fail_msg("no end in sight; output: %s", run->output);
    }
}

void run_until_ready(struct run *run)
{
    while (!run->is_ready && !run->has_exited) {
        turn(run);
    }
    if (!run->is_ready) {
        fail_msg("it did not start: %s", run->exit.sentence);
    }
}

bool run_says(struct run *run, const char *text)
{
    while (!strstr(run->output, text) && !run->has_exited && !run->is_late) {
        uv_run(&run->loop, UV_RUN_ONCE);
    }
    return strstr(run->output, text);
}

void run_until_output(struct run *run, const char *text)
{
    if (!run_says(run, text)) {
        fail_msg("it said '%s' and on stderr '%s'; %s", run->output, run->errors,
                 run->exit.sentence);
    }
}

void run_until_deaf(struct run *run)
{
    while (process_write(run->process, "x", 1)) {
        assert_false(run->has_exited || run->is_late);
        uv_run(&run->loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
    assert_false(run->has_exited);
}

void run_until_exit(struct run *run)
{
    while (!run->has_exited) {
        turn(run);
    }
}

void run_free(struct run *run)
{
    process_free(run->process);
    uv_close((uv_handle_t *)&run->limit, NULL);
    assert_int_equal(uv_run(&run->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&run->loop), 0);
}

void run_whole(struct run *run, const struct process_spec *spec)
{
    run_start(run, spec);
    run_until_exit(run);
    run_free(run);
}

void run_command(struct run *run, const char *command)
{
    struct process_spec spec = run_spec(command);
    run_whole(run, &spec);
}

static int count_entries(const char *folder, const char *start)
{
    int count = 0;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        count += strncmp(entry->d_name, start, strlen(start)) == 0;
    }
    if (entries) {
        closedir(entries);
    }
    return count;
}

int count_fds(void) { return count_entries("/proc/self/fd", ""); }

/* What is made for us carries our number. */
static const char *our_prefix(void)
{
    static char prefix[32];
    snprintf(prefix, sizeof prefix, "plum-%d-", (int)getpid());
    return prefix;
}

int count_temporary_folders(void) { return count_entries("/tmp", our_prefix()) - earlier_folders; }

static bool is_our_child(const char *name)
{
    char path[64];
    char text[512] = "";
    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = '\0';
    const char *end = strrchr(text, ')');
    return end && strtol(end + 4, NULL, 10) == getpid();
}

static int find_children(int *last)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        if (is_our_child(entry->d_name)) {
            *last = (int)strtol(entry->d_name, NULL, 10);
            count++;
        }
    }
    if (processes) {
        closedir(processes);
    }
    return count;
}

int count_children(void)
{
    int last;
    return find_children(&last);
}

int only_child(void)
{
    int last = 0;
    assert_int_equal(find_children(&last), 1);
    return last;
}

/* Below every group that we are a member of. */
int count_cgroups(void)
{
    int count = 0;
    char line[1024];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) {
            continue;
        }
        char folder[2048];
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        snprintf(folder, sizeof folder, "/sys/fs/cgroup/%s%s", controllers + 1, path);
        count += count_entries(folder, our_prefix());
    }
    if (file) {
        fclose(file);
    }
    return count - earlier_cgroups;
}

/* --- Workers --- */

static const char crew_word[] = "--worker-of-a-crew"; /* then its worker file and its name */
static const char crew_version[] = "crew";

static void drop_remark(void *owner, const char *sentence) { (void)owner, (void)sentence; }

void crew_prepare(int argc, char **argv)
{
    static const atomic_bool never;
    struct worker_options options = {
        .version = crew_version, .concurrency = 1, .stop = &never, .on_remark = drop_remark};
    struct note why;
    if (argc != 4 || strcmp(argv[1], crew_word) != 0) {
        return;
    }
    options.name = argv[3];
    enum err err = worker_file_read(argv[2], &options.address, &why);
    err = err ? err : worker_run(&options, &why);
    exit((int)err);
}

static void name_worker(int worker, char out[16]) { snprintf(out, 16, "worker-%d", worker); }

bool crew_is(int worker, const char *name)
{
    char own[16];
    name_worker(worker, own);
    return strcmp(name, own) == 0;
}

/* It ends with this process. */
static pid_t start_worker(const struct crew *crew, int worker)
{
    char name[16];
    name_worker(worker, name);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("TMPDIR", crew->folder.path, true);
        execl("/proc/self/exe", "worker", crew_word, crew->queue.worker_file, name, NULL);
        _exit(127);
    }
    return child;
}

static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(probe, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(probe, (struct sockaddr *)&address, &size), 0);
    close(probe);
    return ntohs(address.sin_port);
}

static enum err open_crew_queue(struct crew *crew, const struct pairing_rules *rules,
                                struct note *why)
{
    char address[32];
    char database[PATH_MAX];
    const struct tournament_workers_wish wish = {.address = address};
    struct coordinator_options options = {
        .blobs = crew->queue.blobs,
        .cpu = CPU_BASELINE,
        .needed = cluster_host_make(crew_version, NULL, 0),
        .terms = {.rules = *rules, .lease_ms = TOURNAMENT_WORKERS_MIN_LEASE_MS},
        .stamp = 1,
    };
    snprintf(address, sizeof address, "127.0.0.1:%d", free_port());
    snprintf(database, sizeof database, "%s/crew", crew->folder.path);
    snprintf(options.terms.game, sizeof options.terms.game, "%s", rules->judge.game->name);
    snprintf(options.terms.date, sizeof options.terms.date, "2026-01-31");
    enum err err = queue_check_build(why);
    err = err ? err : tournament_workers_locate(&crew->queue, database, why);
    err = err ? err : tournament_workers_prepare(&crew->queue, &wish, &options, why);
    return err ? err : tournament_workers_start(&crew->queue, &options, why);
}

bool crew_open(struct crew *crew, const struct pairing_rules *rules, struct note *why)
{
    *crew = (struct crew){.workers = {0}};
    assert_int_equal(folder_scratch_make(&crew->folder, why), ERR_NONE);
    if (open_crew_queue(crew, rules, why)) {
        crew_close(crew);
        if (!strstr(why->text, "not installed") && !strstr(why->text, "built without")) {
            fail_msg("%s", why->text);
        }
        return false;
    }
    alarm(CREW_LIMIT_S);
    for (int i = 0; i < CREW_WORKERS; i++) {
        crew->workers[i] = start_worker(crew, i);
    }
    return true;
}

void crew_kill(struct crew *crew, int worker)
{
    if (crew->workers[worker]) {
        kill(crew->workers[worker], SIGKILL);
        waitpid(crew->workers[worker], NULL, 0);
        crew->workers[worker] = 0;
    }
}

void crew_close(struct crew *crew)
{
    tournament_workers_close(&crew->queue, true);
    for (int i = 0; i < CREW_WORKERS; i++) {
        crew_kill(crew, i);
    }
    folder_scratch_remove(&crew->folder);
    alarm(0);
}
