#include "cluster/worker_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"

void worker_list_free(struct worker_list *workers)
{
    free(workers->list);
    *workers = (struct worker_list){0};
}

static void remove_at(struct worker_list *workers, size_t index)
{
    workers->list[index] = workers->list[--workers->count];
}

bool worker_list_note(struct worker_list *workers, const struct cluster_hello *hello,
                      int64_t now_ns)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (workers->list[i].id == hello->worker) {
            workers->list[i].heard_ns = now_ns;
            return false;
        }
    }
    struct known_worker *larger =
        workers->count == WORKER_LIST_MAX
            ? NULL
            : array_reserve(workers->list, &workers->capacity, workers->count + 1, sizeof *larger);
    if (!larger) {
        return false;
    }
    workers->list = larger;
    struct known_worker *worker = &workers->list[workers->count++];
    *worker = (struct known_worker){
        .id = hello->worker, .concurrency = hello->concurrency, .heard_ns = now_ns};
    memcpy(worker->machine, hello->machine, sizeof worker->machine);
    return true;
}

void worker_list_forget(struct worker_list *workers, uint64_t id)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (workers->list[i].id == id) {
            remove_at(workers, i);
            return;
        }
    }
}

bool worker_list_take_silent(struct worker_list *workers, int64_t now_ns, struct known_worker *out)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (now_ns - workers->list[i].heard_ns > WORKER_LIST_SILENT_MS * CLOCK_NS_PER_MS) {
            *out = workers->list[i];
            remove_at(workers, i);
            return true;
        }
    }
    return false;
}

int worker_list_slots(const struct worker_list *workers)
{
    int slots = 0;
    for (size_t i = 0; i < workers->count; i++) {
        slots += workers->list[i].concurrency;
    }
    return slots;
}
