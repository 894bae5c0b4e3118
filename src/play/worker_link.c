#include "play/worker_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "cluster/cluster_host.h"

enum { ANSWER_MS = 3000 };

static void name_machine(struct cluster_hello *hello, const char *wish)
{
    char name[256] = "";
    (void)gethostname(name, sizeof name - 1);
    const char *chosen = wish && *wish ? wish : *name ? name : "unknown";
    utf8_clean(chosen, hello->machine, sizeof hello->machine);
    for (char *at = hello->machine; *at; at++) {
        *at = strchr("\"\\[]{}", *at) ? '?' : *at;
    }
}

struct worker_link worker_link_make(const struct queue_address *address, const char *version,
                                    const char *name, int concurrency)
{
    struct rng rng = rng_make((uint64_t)clock_now_ns() ^ (uint64_t)getpid() << 32);
    struct worker_link link = {
        .names = cluster_subjects_make(address->tournament),
        .hello = {.worker = rng_next(&rng) | 1,
                  .concurrency = concurrency,
                  .host = cluster_host_make(version, NULL, 0)},
    };
    name_machine(&link.hello, name);
    snprintf(link.ply, sizeof link.ply, "%s.%s", link.names.ply,
             address->user[0] ? address->user : "worker");
    return link;
}

enum err worker_link_hello(struct worker_link *link, struct cluster_welcome *out, struct note *why)
{
    struct cluster_bytes bytes = {0};
    struct queue_message answer = {0};
    struct cluster_welcome welcome;
    enum err err = cluster_write_hello(&link->hello, &bytes);
    err = err ? err
              : queue_request(link->queue, link->names.hello, bytes.data, bytes.count, ANSWER_MS,
                              &answer);
    free(bytes.data);
    if (err) {
        return note_fail(
            why, ERR_ENVIRONMENT,
            "the coordinator does not answer: is 'plum tournament run' or 'plum selfplay' "
            "running?");
    }
    err = cluster_read_welcome(answer.data, answer.count, &welcome, why);
    queue_free(&answer);
    if (err) {
        return ERR_NEGATIVE;
    }
    if (welcome.is_refused) {
        *why = welcome.why;
        return ERR_NEGATIVE;
    }
    *out = welcome;
    return ERR_NONE;
}

void worker_link_report(struct worker_link *link, enum cluster_report_kind kind,
                        const struct cluster_key *key, const char *why)
{
    struct cluster_report report = {.kind = kind, .worker = link->hello.worker};
    struct cluster_bytes bytes = {0};
    memcpy(report.machine, link->hello.machine, sizeof report.machine);
    note_set(&report.why, "%s", why);
    if (key) {
        report.key = *key;
    }
    if (!cluster_write_report(&report, &bytes)) {
        queue_send(link->queue, link->names.report, bytes.data, bytes.count);
    }
    free(bytes.data);
}

void worker_link_show(struct worker_link *link, struct cluster_plies *plies)
{
    struct cluster_bytes bytes = {0};
    plies->worker = link->hello.worker;
    if (!cluster_write_plies(plies, &bytes)) {
        queue_send(link->queue, link->ply, bytes.data, bytes.count);
    }
    free(bytes.data);
}
