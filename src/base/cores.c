#include "base/cores.h"

#include <sched.h>

static cpu_set_t allowed(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        CPU_SET(0, &cores);
    }
    return cores;
}

int cores_count(void)
{
    cpu_set_t cores = allowed();
    return CPU_COUNT(&cores);
}

int cores_default_games(void)
{
    int count = cores_count();
    return count > 1 ? count - 1 : 1;
}

bool cores_are_shared(int slots, int thinkers, bool is_chosen, struct note *sentence)
{
    int cores = cores_count();
    if (thinkers * slots + 1 <= cores) {
        return false;
    }
    note_set(sentence, "%d core%s for %d game%s at once%s: the judge and the agents share them",
             cores, cores == 1 ? "" : "s", slots, slots == 1 ? "" : "s",
             is_chosen ? "" : ", the fewest there can be");
    return true;
}

int cores_pick(int slots, int slot, int player)
{
    cpu_set_t cores = allowed();
    if (2 * slots + 1 > CPU_COUNT(&cores)) {
        return -1;
    }
    int skipped = 2 * slot + player + 1;
    int core = 0;
    while (!CPU_ISSET((size_t)core, &cores) || skipped-- > 0) {
        core++;
    }
    return core;
}
