/* queue: a connection to a NATS server with JetStream.
 *
 * What Plum needs of it: plain requests, messages that are stored, messages that are lent out until
 * they are acknowledged. A connection that is lost is made again. Every function may be called from
 * any thread. Without libnats at build time queue_open fails and says so.
 */
#ifndef CLUSTER_QUEUE_H
#define CLUSTER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

enum {
    QUEUE_URL_BYTES = 512,
    QUEUE_TOURNAMENT_BYTES = 24,
    QUEUE_SECRET_BYTES = 80,
    QUEUE_CA_BYTES = 4096,
};

/* The name in the certificate of a server that Plum starts, wherever it runs: its own authority
 * signs nothing else. */
#define QUEUE_SERVER_NAME "plum-queue"

/* Where a server is, and as which user. Also the contents of a worker file. */
struct queue_address {
    char url[QUEUE_URL_BYTES];               /* nats://host:port or tls://host:port */
    char tournament[QUEUE_TOURNAMENT_BYTES]; /* part of the names of streams and subjects */
    char user[QUEUE_SECRET_BYTES];           /* "": as the URL says */
    char password[QUEUE_SECRET_BYTES];
    char ca[QUEUE_CA_BYTES]; /* a certificate in PEM; "": the system's authorities */
};

struct queue;

/* A zeroed struct is none. */
struct queue_message {
    void *handle;
    const void *data;
    size_t count;
};

/* ERR_ENVIRONMENT: this program was built without libnats. */
MUST_USE enum err queue_check_build(struct note *why);

/* ERR_ENVIRONMENT: no server answers, try again; ERR_NEGATIVE: it refuses this user, its
 * certificate is not trusted, or it does not use TLS. `name` is for the server's log. */
MUST_USE enum err queue_open(struct queue **out, const struct queue_address *address,
                             const char *name, struct note *why);
/* NULL is fine. Sends what is left. No call follows; only one queue may be open in a process. */
void queue_close(struct queue *queue);

/* How many times the connection was made again. */
unsigned queue_reconnects(const struct queue *queue);
bool queue_is_connected(struct queue *queue);
/* The server has refused to continue, for instance because the user is gone. */
bool queue_is_closed(struct queue *queue);
/* Of a message, without what the server needs to recognize it. */
size_t queue_max_bytes(struct queue *queue);

/* The message is freed by queue_free. */
MUST_USE enum err queue_request(struct queue *queue, const char *subject, const void *data,
                                size_t count, int timeout_ms, struct queue_message *out);
void queue_free(struct queue_message *message);

/* May be lost. */
void queue_send(struct queue *queue, const char *subject, const void *data, size_t count);

/* Waits a moment until the server has what was sent. */
void queue_flush(struct queue *queue);

/* `handler` is called on a thread of the library; `reply` is "" if none is wanted. An answer goes
 * to an inbox only: the sender chooses the subject, and may not publish on all that the answerer
 * may. */
typedef void queue_handler(void *owner, const void *data, size_t count, const char *reply);
MUST_USE enum err queue_subscribe(struct queue *queue, const char *subject, queue_handler *handler,
                                  void *owner, struct note *why);

/* --- Streams: each has the subject and the consumer of its name. --- */

enum { QUEUE_STREAM_BYTES = 64 };

/* A stream in which a message stays until it is acknowledged; one that is lent out for longer than
 * `lease_ms` is lent out again. With keys it has at most one message of each subject SUBJECT.KEY,
 * the last one. Does nothing if it exists; one with other settings is replaced. */
MUST_USE enum err queue_make_stream(struct queue *queue, const char *stream, const char *subject,
                                    bool has_keys, int lease_ms, struct note *why);
/* What was borrowed from it and not acknowledged can be fetched again at once. */
MUST_USE enum err queue_take_back(struct queue *queue, const char *stream, int lease_ms,
                                  struct note *why);
void queue_remove_stream(struct queue *queue, const char *stream);

/* Returns when the server has confirmed it. For two minutes another message with the same `id` is
 * dropped. */
MUST_USE enum err queue_store(struct queue *queue, const char *subject, const void *data,
                              size_t count, const char *id, int timeout_ms, struct note *why);

/* Borrows one message, waiting at most that long; 0: not at all. ERR_NEGATIVE: there is none.
 * `most`: that many may be borrowed with it, for the next calls. Only one thread of a process may
 * call it, for one stream. */
MUST_USE enum err queue_fetch(struct queue *queue, const char *stream, int most, int timeout_ms,
                              struct queue_message *out, struct note *why);

/* Of a message that was fetched: its place in the stream. 0: none. */
uint64_t queue_number(const struct queue_message *message);

/* Of a message that was fetched. It may be lost: then the message is lent out again. */
void queue_acknowledge(struct queue *queue, const struct queue_message *message);
void queue_give_back(struct queue *queue, const struct queue_message *message);
/* It is lent out again after a while. */
void queue_give_back_later(struct queue *queue, const struct queue_message *message, int after_ms);

/* What renews a message's lease, also while another thread frees the message. */
struct queue_lease {
    char subject[256];
};
struct queue_lease queue_lease(const struct queue_message *message);
void queue_renew(struct queue *queue, const struct queue_lease *lease);

/* How many messages a stream has. ERR_ENVIRONMENT: not known, as in the next two. */
MUST_USE enum err queue_count(struct queue *queue, const char *stream, uint64_t *out);

/* The keys of the messages that a stream of SUBJECT.KEY has. */
typedef void queue_key_handler(void *owner, const char *key);
MUST_USE enum err queue_each_key(struct queue *queue, const char *stream, const char *subject,
                                 queue_key_handler *on_key, void *owner);

/* The message of a subject, whether it is lent out or not. ERR_NEGATIVE: there is none. */
MUST_USE enum err queue_look(struct queue *queue, const char *stream, const char *subject,
                             struct queue_message *out);
void queue_delete(struct queue *queue, const char *stream, const char *subject);

#endif
