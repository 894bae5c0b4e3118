#include "sandbox/process_time.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum {
    STAT_BYTES = 128,
    LONGEST_GUESS_MS = 250, /* what one look can tell about the time since the last one */
    OWN_THREAD = 0,
};

static int64_t tick_ns(void) { return CLOCK_NS_PER_S / sysconf(_SC_CLK_TCK); }

/* --- What they used --- */

static struct process_usage_row *find_row(struct process_usage *usage, pid_t pid)
{
    for (int i = 0; i < usage->count; i++) {
        if (usage->rows[i].pid == pid) {
            return &usage->rows[i];
        }
    }
    return NULL;
}

/* What two looks show. */
struct usage_growth {
    int64_t own_ticks;
    int64_t waited_ticks; /* of children that ended and were waited for */
    int64_t gone_ticks;   /* of processes that were there at the last look */
    int unseen;           /* new ones that run, or are gone already */
};

static struct usage_growth compare(struct process_usage *before, const struct process_usage *now)
{
    struct usage_growth growth = {0};
    for (int i = 0; i < now->count; i++) {
        const struct process_state *state = &now->rows[i].state;
        struct process_usage_row *old = find_row(before, now->rows[i].pid);
        if (old && old->state.start_ticks == state->start_ticks) {
            growth.own_ticks += state->used_ticks - old->state.used_ticks;
            growth.waited_ticks += state->children_ticks - old->state.children_ticks;
            *old = (struct process_usage_row){0};
        } else {
            growth.own_ticks += state->used_ticks + state->children_ticks;
            growth.unseen += state->can_run;
        }
    }
    for (int i = 0; i < before->count; i++) {
        const struct process_state *gone = &before->rows[i].state;
        growth.gone_ticks += gone->used_ticks + gone->children_ticks;
    }
    return growth;
}

/* The time of a child that was waited for contains what was counted while it ran. */
static int64_t counted_ns(const struct usage_growth *growth)
{
    int64_t waited = growth->waited_ticks - growth->gone_ticks;
    return (growth->own_ticks + (waited > 0 ? waited : 0)) * tick_ns();
}

/* No more than there are processors can run. */
static int64_t guessed_ns(int unseen, int64_t elapsed_ns)
{
    const int64_t longest_ns = LONGEST_GUESS_MS * CLOCK_NS_PER_MS;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t running = processors > 0 && unseen > processors ? processors : unseen;
    return running * (elapsed_ns < longest_ns ? elapsed_ns : longest_ns);
}

int64_t process_usage_look(struct process_usage *usage, pid_t root, int64_t now_ns)
{
    pid_t members[PROCESS_TREE_MAX];
    struct process_usage now = {.at_ns = now_ns};
    int gone = 0;
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    for (int i = 1; i < count; i++) {
        char folder[64];
        snprintf(folder, sizeof folder, "/proc/%ld", (long)members[i]);
        now.rows[now.count].pid = members[i];
        if (process_tree_read_state(folder, &now.rows[now.count].state)) {
            now.count++;
        } else {
            gone += !find_row(usage, members[i]);
        }
    }
    if (now.count < 1) {
        return -1;
    }
    struct usage_growth growth = compare(usage, &now);
    int64_t used_ns = counted_ns(&growth);
    if (usage->at_ns > 0) {
        int64_t least_ns = guessed_ns(growth.unseen + gone, now_ns - usage->at_ns);
        used_ns = used_ns > least_ns ? used_ns : least_ns;
    }
    now.total_ns = usage->total_ns + used_ns;
    *usage = now;
    return now.total_ns;
}

/* --- What they waited for --- */

/* How long it has run or waited, without a wait that has not ended. */
static bool read_wanted(const char *folder, int64_t *out)
{
    char path[80];
    char text[STAT_BYTES];
    char *end;
    snprintf(path, sizeof path, "%s/schedstat", folder);
    if (file_read_kernel(path, text, sizeof text) <= 0) {
        return false;
    }
    *out = strtoll(text, &end, 10);
    *out += strtoll(end, NULL, 10);
    return true;
}

/* Whether it may use the processors less than this thread may. */
static bool has_given_up(pid_t task, int cpu)
{
    cpu_set_t own;
    cpu_set_t its;
    cpu_set_t common;
    errno = 0;
    int niceness = getpriority(PRIO_PROCESS, (id_t)task);
    if (errno) {
        return false; /* it has ended */
    }
    if (sched_getaffinity(0, sizeof own, &own) != 0 ||
        sched_getaffinity(task, sizeof its, &its) != 0) {
        return false;
    }
    if (cpu >= 0) {
        CPU_ZERO(&own);
        CPU_SET((size_t)cpu, &own);
    }
    CPU_AND(&common, &own, &its);
    return !CPU_EQUAL(&common, &own) || niceness > getpriority(PRIO_PROCESS, 0) ||
           sched_getscheduler(task) != sched_getscheduler(0);
}

static const struct process_wait_task *find_task(const struct process_wait *wait, pid_t task)
{
    for (int i = 0; i < wait->count; i++) {
        if (wait->tasks[i].task == task) {
            return &wait->tasks[i];
        }
    }
    return NULL;
}

/* A wait is counted when it ends. Between two looks at which a task could run, and had not run
 * meanwhile, it was waiting: to sleep it would have had to run. */
static void note_queue(struct process_wait_task *now, const struct process_wait_task *before,
                       int64_t now_ns)
{
    bool is_same =
        now->is_queued && before && before->is_queued && before->wanted_ns == now->wanted_ns;
    now->queued_at_ns = is_same ? before->queued_at_ns : now_ns;
}

/* What it wanted before, if it was not looked at then: nothing is known of it since the last look,
 * and older tasks that end must not bring back what it wanted earlier. */
static int64_t first_base(const struct process_wait *before, int64_t start_ticks, int64_t wanted_ns)
{
    bool is_new = (start_ticks + 1) * tick_ns() > before->looked_boot_ns;
    return is_new ? 0 : wanted_ns;
}

/* `folder` is that of the task in /proc; `most_ns` is what any task wanted since the look before.
 */
static void add_task(struct process_wait *now, const struct process_wait *before, pid_t task,
                     const char *folder, int64_t *most_ns)
{
    struct process_wait_task row = {.task = task};
    const struct process_wait_task *old = find_task(before, task);
    struct process_state state;
    if (!read_wanted(folder, &row.wanted_ns) || !process_tree_read_state(folder, &state)) {
        return;
    }
    row.is_queued = state.can_run;
    if (old && old->wanted_ns > row.wanted_ns) {
        old = NULL; /* another task with its number */
    }
    note_queue(&row, old, now->looked_ns);
    row.all_ns = row.wanted_ns + now->looked_ns - row.queued_at_ns;
    int64_t base_ns = old ? old->all_ns : first_base(before, state.start_ticks, row.wanted_ns);
    int64_t grown_ns = row.all_ns - base_ns;
    *most_ns = grown_ns > *most_ns ? grown_ns : *most_ns;
    now->tasks[now->count++] = row;
}

static void add_process(struct process_wait *now, const struct process_wait *before, pid_t pid,
                        int cpu, int64_t *most_ns)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    struct dirent *thread;
    while (threads && now->count < PROCESS_WAIT_TASKS && (thread = readdir(threads))) {
        pid_t task = (pid_t)strtol(thread->d_name, NULL, 10);
        if (task > 0) {
            snprintf(path, sizeof path, "/proc/%ld/task/%ld", (long)pid, (long)task);
            add_task(now, before, task, path, most_ns);
            now->is_disqualified |= has_given_up(task, cpu);
        }
    }
    if (threads) {
        closedir(threads);
    }
}

void process_wait_look(struct process_wait *wait, pid_t root, int cpu, int64_t now_ns)
{
    pid_t members[PROCESS_TREE_MAX];
    struct process_wait now = *wait;
    int64_t elapsed_ns = now_ns - wait->looked_ns;
    int64_t most_ns = 0;
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    now.count = 0;
    now.looked_ns = now_ns;
    now.looked_boot_ns = clock_read_ns(CLOCK_BOOTTIME);
    add_task(&now, wait, OWN_THREAD, "/proc/thread-self", &most_ns);
    for (int i = 0; i < count && now.count < PROCESS_WAIT_TASKS; i++) {
        add_process(&now, wait, members[i], cpu, &most_ns);
    }
    now.wanted_ns += most_ns < elapsed_ns ? most_ns : elapsed_ns;
    *wait = now;
}

void process_wait_begin(struct process_wait *wait, pid_t root, int64_t used_ns, int64_t now_ns)
{
    bool is_disqualified = wait->is_disqualified;
    *wait = (struct process_wait){.looked_ns = now_ns};
    process_wait_look(wait, root, -1, now_ns);
    wait->is_disqualified = is_disqualified;
    wait->wanted_ns = 0;
    wait->used_ns = used_ns;
    wait->judge_used_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t process_wait_ns(const struct process_wait *wait, int64_t used_ns)
{
    int64_t own_ns =
        used_ns - wait->used_ns + clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - wait->judge_used_ns;
    return wait->is_disqualified || wait->wanted_ns < own_ns ? 0 : wait->wanted_ns - own_ns;
}
