#include "sandbox/process_usage.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum {
    STAT_BYTES = 1024,
    LONGEST_GUESS_MS = 250, /* what one look can tell about the time since the last one */
};

/* The name, in parentheses, may contain anything. After it come the state, as the first field, the
 * times as the 12th to 15th, and the start as the 20th. */
static bool read_row(pid_t pid, struct process_usage_row *out, bool *is_running)
{
    char path[64];
    char text[STAT_BYTES];
    char state = '\0';
    unsigned long long own = 0;
    unsigned long long own_system = 0;
    long long children = 0;
    long long children_system = 0;
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    (void)file_read_kernel(path, text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (!name_end ||
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        sscanf(name_end + 1,
               " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %*d %*d "
               "%llu",
               &state, &own, &own_system, &children, &children_system, &start) != 6) {
        return false;
    }
    *out = (struct process_usage_row){pid, start, (int64_t)(own + own_system),
                                      children + children_system};
    *is_running = state == 'R';
    return true;
}

static struct process_usage_row *find(struct process_usage *usage, pid_t pid)
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

static struct usage_growth compare(struct process_usage *before, const struct process_usage *now,
                                   const bool *are_running)
{
    struct usage_growth growth = {0};
    for (int i = 0; i < now->count; i++) {
        const struct process_usage_row *row = &now->rows[i];
        struct process_usage_row *old = find(before, row->pid);
        if (old && old->start == row->start) {
            growth.own_ticks += row->own_ticks - old->own_ticks;
            growth.waited_ticks += row->children_ticks - old->children_ticks;
            *old = (struct process_usage_row){0};
        } else {
            growth.own_ticks += row->own_ticks + row->children_ticks;
            growth.unseen += are_running[i];
        }
    }
    for (int i = 0; i < before->count; i++) {
        growth.gone_ticks += before->rows[i].own_ticks + before->rows[i].children_ticks;
    }
    return growth;
}

/* The time of a child that was waited for contains what was counted while it ran. */
static int64_t counted_ns(const struct usage_growth *growth)
{
    int64_t waited = growth->waited_ticks - growth->gone_ticks;
    return (growth->own_ticks + (waited > 0 ? waited : 0)) *
           (CLOCK_NS_PER_S / sysconf(_SC_CLK_TCK));
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
    bool are_running[PROCESS_TREE_MAX];
    struct process_usage now = {.at_ns = now_ns};
    int gone = 0;
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    for (int i = 1; i < count; i++) {
        if (read_row(members[i], &now.rows[now.count], &are_running[now.count])) {
            now.count++;
        } else {
            gone += !find(usage, members[i]);
        }
    }
    if (now.count < 1) {
        return -1;
    }
    struct usage_growth growth = compare(usage, &now, are_running);
    int64_t used_ns = counted_ns(&growth);
    if (usage->at_ns > 0) {
        int64_t least_ns = guessed_ns(growth.unseen + gone, now_ns - usage->at_ns);
        used_ns = used_ns > least_ns ? used_ns : least_ns;
    }
    now.total_ns = usage->total_ns + used_ns;
    *usage = now;
    return now.total_ns;
}
