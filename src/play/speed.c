#include "play/speed.h"

#include "base/clock.h"
#include "engine/engine.h"

enum {
    HASH_MB = 16,
    NODES = 100000, /* of a search */
    SEARCHES = 3,   /* the fastest counts: others may have been disturbed */
    MOST_MS = 300,  /* of a search; no other begins after it */
};

static int64_t rate(uint64_t nodes, int64_t ns)
{
    int64_t per_s = (int64_t)((double)nodes * 1e9 / (double)(ns > 0 ? ns : 1));
    return per_s < CLUSTER_MAX_SPEED ? per_s : CLUSTER_MAX_SPEED;
}

enum err speed_measure(const struct game *game, struct cluster_speed *out, struct note *why)
{
    struct engine engine = {0};
    struct state start = game->start();
    const struct engine_request request = {
        .game = game,
        .state = &start,
        .limits = {.nodes = NODES, .time_ns = MOST_MS * CLOCK_NS_PER_MS},
    };
    struct cluster_speed best = {0};
    enum err err = engine_init(&engine, HASH_MB, 1, why);
    int64_t began_ns = clock_now_ns();
    for (int i = 0; !err && i < SEARCHES; i++) {
        struct engine_report report;
        engine_clear(&engine);
        int64_t wall_ns = clock_now_ns();
        int64_t cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
        if (i && wall_ns - began_ns > MOST_MS * CLOCK_NS_PER_MS) {
            break;
        }
        engine_search(&engine, &request, &report);
        const struct cluster_speed one = {
            .processor = rate(report.nodes, clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns),
            .wall = rate(report.nodes, clock_now_ns() - wall_ns),
        };
        best = one.processor > best.processor ? one : best;
    }
    engine_free(&engine);
    if (!err) {
        *out = best;
    }
    return err;
}
