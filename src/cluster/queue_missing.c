/* What takes the place of queue.c and secrets.c in a build without libnats. Nothing is ever opened,
 * so that the other functions are not called. */
#include <stdlib.h>

#include "cluster/queue.h"
#include "cluster/secrets.h"

static enum err refuse(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT,
                     "this plum was built without NATS, which workers need: install libnats-dev, "
                     "libssl-dev and nats-server, and build it again");
}

enum err secrets_hash(const void *data, size_t count, char out[CLUSTER_HASH_BYTES])
{
    (void)data;
    (void)count;
    (void)out;
    return ERR_ENVIRONMENT;
}

enum err secrets_password(char out[SECRETS_PASSWORD_BYTES], struct note *why)
{
    (void)out;
    return refuse(why);
}

enum err secrets_make_certificates(const char *folder, const char *name, struct note *why)
{
    (void)folder;
    (void)name;
    return refuse(why);
}

enum err queue_check_build(struct note *why) { return refuse(why); }

enum err queue_open(struct queue **out, const struct queue_address *address, const char *name,
                    struct note *why)
{
    (void)out;
    (void)address;
    (void)name;
    (void)refuse(why);
    return ERR_NEGATIVE; /* another attempt would not help */
}

void queue_close(struct queue *queue) { (void)queue; }

#define UNREACHABLE(...) \
    {                    \
        __VA_ARGS__;     \
        abort();         \
    }
unsigned queue_reconnects(const struct queue *q)
    UNREACHABLE((void)q) bool queue_is_closed(struct queue *q) UNREACHABLE((void)q) size_t
    queue_max_bytes(struct queue *q) UNREACHABLE((void)q) enum err
    queue_request(struct queue *q, const char *s, const void *d, size_t n, int t,
                  struct queue_message *o)
        UNREACHABLE((void)q, (void)s, (void)d, (void)n, (void)t,
                    (void)o) void queue_free(struct queue_message *m)
{
    (void)m;
}
void queue_send(struct queue *q, const char *s, const void *d, size_t n)
    UNREACHABLE((void)q, (void)s, (void)d, (void)n) enum err
    queue_subscribe(struct queue *q, const char *s, queue_handler *h, void *o, struct note *w)
        UNREACHABLE((void)q, (void)s, (void)h, (void)o, (void)w) enum err
    queue_make_stream(struct queue *q, const char *s, const char *u, int l, struct note *w)
        UNREACHABLE((void)q, (void)s, (void)u, (void)l, (void)w) enum err
    queue_take_back(struct queue *q, const char *s, int l, struct note *w)
        UNREACHABLE((void)q, (void)s, (void)l, (void)w) void queue_remove_stream(struct queue *q,
                                                                                 const char *s)
            UNREACHABLE((void)q, (void)s) enum err
    queue_purge(struct queue *q, const char *s, struct note *w)
        UNREACHABLE((void)q, (void)s, (void)w) enum err
    queue_store(struct queue *q, const char *s, const void *d, size_t n, int t, uint64_t *m,
                struct note *w)
        UNREACHABLE((void)q, (void)s, (void)d, (void)n, (void)t, (void)m, (void)w) enum err
    queue_fetch(struct queue *q, const char *s, int t, struct queue_message *o, struct note *w)
        UNREACHABLE((void)q, (void)s, (void)t, (void)o,
                    (void)w) void queue_acknowledge(struct queue *q, const struct queue_message *m)
            UNREACHABLE((void)q, (void)m) void queue_renew(struct queue *q,
                                                           const struct queue_message *m)
                UNREACHABLE((void)q, (void)m) void queue_give_back(struct queue *q,
                                                                   const struct queue_message *m)
                    UNREACHABLE((void)q, (void)m) enum err
    queue_has(struct queue *q, const char *s, uint64_t n, bool *o)
        UNREACHABLE((void)q, (void)s, (void)n, (void)o) enum err
    queue_is_empty(struct queue *q, const char *s, bool *o)
        UNREACHABLE((void)q, (void)s, (void)o) void queue_delete(struct queue *q, const char *s,
                                                                 uint64_t n)
            UNREACHABLE((void)q, (void)s, (void)n)
