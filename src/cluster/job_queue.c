#include "cluster/job_queue.h"

#include <time.h>

#include "base/clock.h"

enum {
    START_MS = 60000,   /* until the server answers */
    STREAMS_MS = 30000, /* until it has the streams */
    RETRY_MS = 50,
    RESULT_LEASE_MS = 60000,
    LEAST_PAYLOAD_BYTES = 1000000,
};

static void pause_before_retry(void)
{
    nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * CLOCK_NS_PER_MS}, NULL);
}

struct job_queue job_queue_make(const struct queue_address *address, bool has_server,
                                const struct queue_server *server, int lease_ms)
{
    return (struct job_queue){
        .address = *address,
        .has_server = has_server,
        .server = *server,
        .lease_ms = lease_ms,
        .names = cluster_subjects_make(address->tournament),
    };
}

static enum err open_queue(struct job_queue *link, struct note *why)
{
    return queue_open(&link->queue, &link->address, "plum tournament", why);
}

static enum err connect_to_server(struct job_queue *link, struct note *why)
{
    int64_t until_ns = clock_now_ns() + START_MS * CLOCK_NS_PER_MS;
    if (!link->has_server) {
        return open_queue(link, why);
    }
    enum err err = queue_server_start(&link->server, why);
    while (!err) {
        err = open_queue(link, why);
        if (!err || err == ERR_NEGATIVE || clock_now_ns() > until_ns) {
            return err;
        }
        struct note ended;
        err = ERR_NONE;
        if (queue_server_has_ended(&link->server, &ended)) {
            *why = ended;
            err =
                link->server.was_killed ? queue_server_start(&link->server, why) : ERR_ENVIRONMENT;
        }
        pause_before_retry();
    }
    return err;
}

enum err job_queue_make_streams(struct job_queue *link, struct note *why)
{
    enum err err = queue_make_stream(link->queue, link->names.results, link->names.result, false,
                                     RESULT_LEASE_MS, why);
    return err ? err
               : queue_make_stream(link->queue, link->names.jobs, link->names.job, true,
                                   link->lease_ms, why);
}

void job_queue_remove_streams(struct job_queue *link)
{
    queue_remove_stream(link->queue, link->names.jobs);
    queue_remove_stream(link->queue, link->names.results);
}

static enum err open_streams(struct job_queue *link, struct note *why)
{
    enum err err = job_queue_make_streams(link, why);
    return err ? err : queue_take_back(link->queue, link->names.results, RESULT_LEASE_MS, why);
}

/* The server may be killed at any moment, also now. */
static enum err open_streams_patiently(struct job_queue *link, struct note *why)
{
    int64_t until_ns = clock_now_ns() + STREAMS_MS * CLOCK_NS_PER_MS;
    enum err err = open_streams(link, why);
    while (err && link->has_server && clock_now_ns() < until_ns) {
        struct note ended;
        if (queue_server_has_ended(&link->server, &ended)) {
            err = queue_server_start(&link->server, why);
            if (err) {
                break;
            }
        }
        pause_before_retry();
        err = open_streams(link, why);
    }
    return err;
}

enum err job_queue_open(struct job_queue *link, struct note *why)
{
    enum err err = connect_to_server(link, why);
    if (!err && queue_max_bytes(link->queue) < LEAST_PAYLOAD_BYTES) {
        err = note_fail(why, ERR_ENVIRONMENT,
                        "the NATS server accepts messages of %zu bytes only: set max_payload to "
                        "1 MB or more",
                        queue_max_bytes(link->queue));
    }
    return err ? err : open_streams_patiently(link, why);
}

void job_queue_close(struct job_queue *link)
{
    queue_close(link->queue);
    link->queue = NULL;
    queue_server_stop(&link->server);
}

bool job_queue_watch(struct job_queue *link, struct note *why)
{
    struct note ignored;
    if (!link->has_server) {
        return false;
    }
    queue_server_update(&link->server);
    bool has_ended = queue_server_has_ended(&link->server, why);
    if (!link->server.process && queue_server_start(&link->server, &ignored)) {
        return has_ended; /* tried again the next time */
    }
    return has_ended;
}
