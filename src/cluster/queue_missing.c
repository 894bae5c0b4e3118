/* What takes the place of queue.c and secrets.c in a build without libnats. Nothing is ever opened,
 * so that the functions after queue_close are not called. */
#include "cluster/queue.h"
#include "cluster/secrets.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static enum err refuse(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT,
                     "this plum was built without NATS, which workers need: install libnats-dev, "
                     "libssl-dev and nats-server, and build it again");
}

enum err secrets_hash(const void *data, size_t count, char out[CLUSTER_HASH_BYTES])
{
    out[0] = '\0';
    return ERR_ENVIRONMENT;
}

enum err secrets_password(char out[SECRETS_PASSWORD_BYTES], struct note *why)
{
    out[0] = '\0';
    return refuse(why);
}

enum err secrets_make_certificates(const char *folder, const char *name, struct note *why)
{
    return refuse(why);
}

enum err secrets_check_certificate(const char *pem) { return ERR_NONE; }

enum err queue_check_build(struct note *why) { return refuse(why); }

enum err queue_open(struct queue **out, const struct queue_address *address, const char *name,
                    struct note *why)
{
    (void)refuse(why);
    return ERR_NEGATIVE; /* another attempt would not help */
}

void queue_close(struct queue *queue) {}

unsigned queue_reconnects(const struct queue *queue) { return 0; }

bool queue_is_connected(struct queue *queue) { return false; }

bool queue_is_closed(struct queue *queue) { return true; }

size_t queue_max_bytes(struct queue *queue) { return 0; }

enum err queue_request(struct queue *queue, const char *subject, const void *data, size_t count,
                       int timeout_ms, struct queue_message *out)
{
    return ERR_ENVIRONMENT;
}

void queue_free(struct queue_message *message) {}

void queue_send(struct queue *queue, const char *subject, const void *data, size_t count) {}

void queue_flush(struct queue *queue) {}

enum err queue_subscribe(struct queue *queue, const char *subject, queue_handler *handler,
                         void *owner, struct note *why)
{
    return refuse(why);
}

enum err queue_make_stream(struct queue *queue, const char *stream, const char *subject,
                           bool has_keys, int lease_ms, struct note *why)
{
    return refuse(why);
}

enum err queue_take_back(struct queue *queue, const char *stream, int lease_ms, struct note *why)
{
    return refuse(why);
}

void queue_remove_stream(struct queue *queue, const char *stream) {}

enum err queue_store(struct queue *queue, const char *subject, const void *data, size_t count,
                     const char *id, int timeout_ms, struct note *why)
{
    return refuse(why);
}

enum err queue_fetch(struct queue *queue, const char *stream, int most, int timeout_ms,
                     struct queue_message *out, struct note *why)
{
    return refuse(why);
}

uint64_t queue_number(const struct queue_message *message) { return 0; }

void queue_acknowledge(struct queue *queue, const struct queue_message *message) {}

void queue_give_back(struct queue *queue, const struct queue_message *message) {}

void queue_give_back_later(struct queue *queue, const struct queue_message *message, int after_ms)
{
}

struct queue_lease queue_lease(const struct queue_message *message)
{
    return (struct queue_lease){""};
}

void queue_renew(struct queue *queue, const struct queue_lease *lease) {}

enum err queue_count(struct queue *queue, const char *stream, uint64_t *out)
{
    *out = 0;
    return ERR_ENVIRONMENT;
}

enum err queue_each_key(struct queue *queue, const char *stream, const char *subject,
                        queue_key_handler *on_key, void *owner)
{
    return ERR_ENVIRONMENT;
}

enum err queue_look(struct queue *queue, const char *stream, const char *subject,
                    struct queue_message *out)
{
    return ERR_ENVIRONMENT;
}

void queue_delete(struct queue *queue, const char *stream, const char *subject) {}
