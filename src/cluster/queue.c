#include "cluster/queue.h"

#include <nats/nats.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cluster/queue_url.h"

enum {
    CONNECT_MS = 5000,
    RECONNECT_MS = 250,
    PING_MS = 5000,
    API_MS = 5000,
    CLOSE_MS = 3000,
    FLUSH_MS = 1000,
    BUFFER_BYTES = 64 << 20, /* of what is sent while there is no connection */
    MOST_SUBSCRIPTIONS = 8,
};

/* The consumer of every stream. */
static const char consumer[] = "plum";

struct queue_subscription {
    natsSubscription *handle;
    queue_handler *handler;
    void *owner;
    atomic_bool is_over; /* no call follows */
};

struct queue {
    natsConnection *connection;
    jsCtx *streams;
    atomic_uint reconnects;
    struct queue_subscription subscriptions[MOST_SUBSCRIPTIONS];
    int subscription_count;
    char inbox_prefix[QUEUE_SECRET_BYTES + 16];
    char inbox[QUEUE_SECRET_BYTES + 64]; /* of queue_fetch, as is what follows */
    natsSubscription *pull;
    unsigned pulls;
    int promised; /* messages that the last request may still bring */
    int64_t promised_until_ns;
    unsigned promised_reconnects; /* before it */
};

/* --- Opening and closing --- */

static void on_reconnected(natsConnection *connection, void *owner)
{
    struct queue *queue = owner;
    (void)connection;
    atomic_fetch_add(&queue->reconnects, 1);
}

static natsStatus set_identity(natsOptions *options, struct queue *queue,
                               const struct queue_address *address)
{
    natsStatus status = natsOptions_SetURL(options, address->url);
    snprintf(queue->inbox_prefix, sizeof queue->inbox_prefix, "_INBOX");
    if (status == NATS_OK && address->user[0]) {
        snprintf(queue->inbox_prefix, sizeof queue->inbox_prefix, "_INBOX.%s", address->user);
        status = natsOptions_SetUserInfo(options, address->user, address->password);
        if (status == NATS_OK) {
            status = natsOptions_SetCustomInboxPrefix(options, queue->inbox_prefix);
        }
    }
    bool is_secure = address->ca[0] || strncmp(address->url, "tls://", 6) == 0;
    if (status == NATS_OK && is_secure) {
        status = natsOptions_SetSecure(options, true);
    }
    if (status == NATS_OK && address->ca[0]) {
        status = natsOptions_SetCATrustedCertificates(options, address->ca);
        if (status == NATS_OK) {
            status = natsOptions_SetExpectedHostname(options, QUEUE_SERVER_NAME);
        }
    }
    return status;
}

static natsStatus set_options(natsOptions *options, struct queue *queue, const char *name)
{
    natsStatus status = natsOptions_SetName(options, name);
    status = status ? status : natsOptions_SetTimeout(options, CONNECT_MS);
    status = status ? status : natsOptions_SetMaxReconnect(options, -1);
    status = status ? status : natsOptions_SetReconnectWait(options, RECONNECT_MS);
    status = status ? status : natsOptions_SetReconnectBufSize(options, BUFFER_BYTES);
    status = status ? status : natsOptions_SetPingInterval(options, PING_MS);
    status = status ? status : natsOptions_SetFailRequestsOnDisconnect(options, true);
    /* Otherwise a thread of the library waits a moment for more before it sends. */
    status = status ? status : natsOptions_SetSendAsap(options, true);
    return status ? status : natsOptions_SetReconnectedCB(options, on_reconnected, queue);
}

/* The server has answered, and another attempt would be refused as well. */
static bool is_refusal(natsStatus status)
{
    return status == NATS_SSL_ERROR || status == NATS_SECURE_CONNECTION_REQUIRED ||
           status == NATS_SECURE_CONNECTION_WANTED || status == NATS_CONNECTION_AUTH_FAILED ||
           status == NATS_NOT_PERMITTED;
}

/* What happened, and what to do. */
static void explain_connection(natsStatus status, const char *place, struct note *why)
{
    switch ((int)status) {
    case NATS_NO_SERVER:
    case NATS_TIMEOUT:
        note_set(why,
                 "no NATS server answers at %.150s: is it running, is the address right, and does "
                 "the firewall let the port through?",
                 place);
        break;
    case NATS_SSL_ERROR:
        note_set(why,
                 "the certificate of the server at %.150s is not the expected one: it belongs to "
                 "another tournament, or is not signed by an authority of this machine",
                 place);
        break;
    case NATS_SECURE_CONNECTION_REQUIRED:
        note_set(why, "the NATS server %.150s accepts only TLS: write tls:// instead of nats://",
                 place);
        break;
    case NATS_SECURE_CONNECTION_WANTED:
        note_set(why, "the NATS server %.150s has no TLS: write nats:// instead of tls://", place);
        break;
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_NOT_PERMITTED:
        note_set(why, "the NATS server %.150s refuses this user or its password", place);
        break;
    default:
        note_set(why, "cannot connect to the NATS server %.150s: %s", place,
                 natsStatus_GetText(status));
        break;
    }
}

/* The same of a request, with the code of JetStream; 0: none. */
static enum err explain_failure(natsStatus status, jsErrCode code, struct note *why)
{
    if (code == JSNotEnabledErr || code == JSNotEnabledForAccountErr ||
        (!code && status == NATS_NO_RESPONDERS)) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "the NATS server stores no messages: start it with JetStream "
                         "(nats-server -js)");
    }
    if (code == JSInsufficientResourcesErr || code == JSStorageResourcesExceededErr ||
        code == JSMemoryResourcesExceededErr || code == JSAccountResourcesExceededErr ||
        code == JSStreamStoreFailedErr) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "the NATS server has no space for messages: its disk is full, or the "
                         "limits of its JetStream are too low");
    }
    if (code == JSStreamSubjectOverlapErr || code == JSStreamNameExistErr) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "the NATS server has a stream of the same name with other settings: "
                         "remove it there ('nats stream rm')");
    }
    if (status == NATS_TIMEOUT || status == NATS_CONNECTION_CLOSED ||
        status == NATS_CONNECTION_DISCONNECTED) {
        return note_fail(why, ERR_ENVIRONMENT, "the NATS server does not answer");
    }
    if (code) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "the NATS server: %s (its error %d): its log may have the reason",
                         natsStatus_GetText(status), (int)code);
    }
    return note_fail(why, ERR_ENVIRONMENT, "the NATS server: %s", natsStatus_GetText(status));
}

enum err queue_check_build(struct note *why)
{
    (void)why;
    return ERR_NONE;
}

enum err queue_open(struct queue **out, const struct queue_address *address, const char *name,
                    struct note *why)
{
    struct queue *queue = calloc(1, sizeof *queue);
    natsOptions *options = NULL;
    natsStatus status = queue ? natsOptions_Create(&options) : NATS_NO_MEMORY;
    status = status ? status : set_identity(options, queue, address);
    status = status ? status : set_options(options, queue, name);
    status = status ? status : natsConnection_Connect(&queue->connection, options);
    status = status ? status : natsConnection_JetStream(&queue->streams, queue->connection, NULL);
    natsOptions_Destroy(options);
    if (status) {
        explain_connection(status, queue_url_place(address->url), why);
        queue_close(queue);
        return is_refusal(status) ? ERR_NEGATIVE : ERR_ENVIRONMENT;
    }
    *out = queue;
    return ERR_NONE;
}

/* A handler may be running: its owner must not go before it. */
static void wait_for_last_call(struct queue_subscription *own)
{
    for (int waited_ms = 0; !atomic_load(&own->is_over) && waited_ms < CLOSE_MS; waited_ms++) {
        nanosleep(&(struct timespec){.tv_nsec = CLOCK_NS_PER_MS}, NULL);
    }
}

void queue_close(struct queue *queue)
{
    if (!queue) {
        return;
    }
    for (int i = 0; i < queue->subscription_count; i++) {
        (void)natsSubscription_Unsubscribe(queue->subscriptions[i].handle);
    }
    for (int i = 0; i < queue->subscription_count; i++) {
        wait_for_last_call(&queue->subscriptions[i]);
        natsSubscription_Destroy(queue->subscriptions[i].handle);
    }
    natsSubscription_Destroy(queue->pull);
    if (queue->connection) {
        queue_flush(queue);
    }
    jsCtx_Destroy(queue->streams);
    if (queue->connection) {
        natsConnection_Close(queue->connection);
        natsConnection_Destroy(queue->connection);
    }
    free(queue);
}

unsigned queue_reconnects(const struct queue *queue) { return atomic_load(&queue->reconnects); }

bool queue_is_connected(struct queue *queue)
{
    return natsConnection_Status(queue->connection) == NATS_CONN_STATUS_CONNECTED;
}

bool queue_is_closed(struct queue *queue) { return natsConnection_IsClosed(queue->connection); }

size_t queue_max_bytes(struct queue *queue)
{
    enum { HEAD_BYTES = 256 }; /* with the id of queue_store */
    size_t most = (size_t)natsConnection_GetMaxPayload(queue->connection);
    return most > HEAD_BYTES ? most - HEAD_BYTES : 0;
}

/* --- Plain messages --- */

static void fill(struct queue_message *message, natsMsg *handle)
{
    *message = (struct queue_message){handle, natsMsg_GetData(handle),
                                      (size_t)natsMsg_GetDataLength(handle)};
}

enum err queue_request(struct queue *queue, const char *subject, const void *data, size_t count,
                       int timeout_ms, struct queue_message *out)
{
    natsMsg *answer = NULL;
    if (natsConnection_Request(&answer, queue->connection, subject, data, (int)count, timeout_ms)) {
        return ERR_ENVIRONMENT;
    }
    fill(out, answer);
    return ERR_NONE;
}

void queue_free(struct queue_message *message)
{
    natsMsg_Destroy(message->handle);
    *message = (struct queue_message){0};
}

void queue_send(struct queue *queue, const char *subject, const void *data, size_t count)
{
    (void)natsConnection_Publish(queue->connection, subject, data, (int)count);
}

void queue_flush(struct queue *queue)
{
    if (queue_is_connected(queue)) {
        (void)natsConnection_FlushTimeout(queue->connection, FLUSH_MS);
    }
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *owner)
{
    const struct queue_subscription *own = owner;
    const char *reply = natsMsg_GetReply(message);
    (void)connection;
    (void)subscription;
    bool is_inbox = reply && strncmp(reply, "_INBOX.", 7) == 0;
    own->handler(own->owner, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message),
                 is_inbox ? reply : "");
    natsMsg_Destroy(message);
}

static void on_complete(void *owner)
{
    struct queue_subscription *own = owner;
    atomic_store(&own->is_over, true);
}

enum err queue_subscribe(struct queue *queue, const char *subject, queue_handler *handler,
                         void *owner, struct note *why)
{
    struct queue_subscription *own = &queue->subscriptions[queue->subscription_count];
    natsStatus status = queue->subscription_count == MOST_SUBSCRIPTIONS ? NATS_NO_MEMORY : NATS_OK;
    if (!status) {
        *own = (struct queue_subscription){.handler = handler, .owner = owner};
        status =
            natsConnection_Subscribe(&own->handle, queue->connection, subject, on_message, own);
    }
    status = status ? status : natsSubscription_SetOnCompleteCB(own->handle, on_complete, own);
    if (status) {
        return explain_failure(status, 0, why);
    }
    queue->subscription_count++;
    return ERR_NONE;
}

/* --- Streams --- */

static jsOptions api_options(void)
{
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = API_MS;
    return options;
}

static natsStatus add_consumer(struct queue *queue, const char *stream, int lease_ms,
                               jsErrCode *code)
{
    jsConsumerConfig config;
    jsOptions options = api_options();
    jsConsumerConfig_Init(&config);
    config.Durable = consumer;
    config.AckPolicy = js_AckExplicit;
    config.AckWait = lease_ms * CLOCK_NS_PER_MS;
    config.MaxDeliver = -1;
    config.MaxAckPending = -1;
    config.MaxWaiting = 10000;
    return js_AddConsumer(NULL, queue->streams, stream, &config, &options, code);
}

enum err queue_make_stream(struct queue *queue, const char *stream, const char *subject,
                           bool has_keys, int lease_ms, struct note *why)
{
    jsStreamConfig config;
    jsOptions options = api_options();
    jsErrCode code = 0;
    char keys[128];
    const char *subjects[] = {has_keys ? keys : subject};
    snprintf(keys, sizeof keys, "%s.*", subject);
    jsStreamConfig_Init(&config);
    config.Name = stream;
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Retention = js_WorkQueuePolicy;
    config.Storage = js_FileStorage;
    config.MaxMsgsPerSubject = has_keys ? 1 : -1;
    natsStatus status = js_AddStream(NULL, queue->streams, &config, &options, &code);
    if (status && code == JSStreamNameExistErr) { /* of an older version of plum */
        queue_remove_stream(queue, stream);
        status = js_AddStream(NULL, queue->streams, &config, &options, &code);
    }
    status = status ? status : add_consumer(queue, stream, lease_ms, &code);
    return status ? explain_failure(status, code, why) : ERR_NONE;
}

enum err queue_take_back(struct queue *queue, const char *stream, int lease_ms, struct note *why)
{
    jsOptions options = api_options();
    jsErrCode code = 0;
    natsStatus status = js_DeleteConsumer(queue->streams, stream, consumer, &options, &code);
    if (!status || code == JSConsumerNotFoundErr) {
        status = add_consumer(queue, stream, lease_ms, &code);
    }
    return status ? explain_failure(status, code, why) : ERR_NONE;
}

void queue_remove_stream(struct queue *queue, const char *stream)
{
    jsErrCode code = 0;
    jsOptions options = api_options();
    (void)js_DeleteStream(queue->streams, stream, &options, &code);
}

enum err queue_store(struct queue *queue, const char *subject, const void *data, size_t count,
                     const char *id, int timeout_ms, struct note *why)
{
    jsPubOptions options;
    jsErrCode code = 0;
    if (!queue_is_connected(queue)) {
        /* The library would send every attempt later. */
        return note_fail(why, ERR_ENVIRONMENT,
                         "there is no connection to the NATS server; it is tried again");
    }
    jsPubOptions_Init(&options);
    options.MaxWait = timeout_ms;
    options.MsgId = id;
    natsStatus status =
        js_Publish(NULL, queue->streams, subject, data, (int)count, &options, &code);
    return status ? explain_failure(status, code, why) : ERR_NONE;
}

/* Where messages of streams arrive. They keep the subject under which they were stored, so that the
 * library's own requests would not find out which request they answer. */
static natsStatus open_inbox(struct queue *queue)
{
    char *inbox = NULL;
    char subject[sizeof queue->inbox + 4];
    natsStatus status = queue->pull ? NATS_OK : natsInbox_Create(&inbox);
    if (inbox) {
        snprintf(queue->inbox, sizeof queue->inbox, "%s%s", queue->inbox_prefix,
                 strrchr(inbox, '.'));
        snprintf(subject, sizeof subject, "%s.*", queue->inbox);
        status = natsConnection_SubscribeSync(&queue->pull, queue->connection, subject);
        natsInbox_Destroy(inbox);
    }
    return status;
}

/* Where the answers to the last request arrive. */
static void name_reply(const struct queue *queue, char *out, size_t room)
{
    snprintf(out, room, "%s.%u", queue->inbox, queue->pulls);
}

static natsStatus request_messages(struct queue *queue, const char *stream, int most,
                                   int timeout_ms)
{
    char subject[128];
    char wish[64];
    char reply[sizeof queue->inbox + 16];
    natsStatus status = open_inbox(queue);
    queue->pulls++;
    queue->promised = most;
    queue->promised_until_ns = clock_now_ns() + timeout_ms * CLOCK_NS_PER_MS;
    queue->promised_reconnects = queue_reconnects(queue);
    name_reply(queue, reply, sizeof reply);
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.MSG.NEXT.%s.%s", stream, consumer);
    if (timeout_ms) {
        snprintf(wish, sizeof wish, "{\"batch\":%d,\"expires\":%lld}", most,
                 (long long)(timeout_ms * CLOCK_NS_PER_MS));
    } else {
        snprintf(wish, sizeof wish, "{\"batch\":%d,\"no_wait\":true}", most);
    }
    return status ? status
                  : natsConnection_PublishRequestString(queue->connection, subject, reply, wish);
}

/* ERR_NONE: it is a message of the stream. ERR_NEGATIVE: the server's answer to the last request
 * that there is nothing: 404, 408, 409. ERR_INPUT: it is of an earlier request. */
static enum err judge_answer(const struct queue *queue, const natsMsg *answer)
{
    char reply[sizeof queue->inbox + 16];
    const char *lender = natsMsg_GetReply(answer);
    name_reply(queue, reply, sizeof reply);
    return lender && strncmp(lender, "$JS.ACK.", 8) == 0    ? ERR_NONE
           : strcmp(natsMsg_GetSubject(answer), reply) == 0 ? ERR_NEGATIVE
                                                            : ERR_INPUT;
}

/* Requests have a time limit: a pull that waits on the server for long would not be renewed after a
 * reconnect. A message that comes too late for its request answers the next. */
enum err queue_fetch(struct queue *queue, const char *stream, int most, int timeout_ms,
                     struct queue_message *out, struct note *why)
{
    enum { MARGIN_MS = 2000 }; /* the server's answer that there is none is on its way */
    enum { SLICE_MS = 100 };
    natsStatus status = NATS_OK;
    if (!timeout_ms || queue->promised <= 0 || clock_now_ns() >= queue->promised_until_ns ||
        queue->promised_reconnects != queue_reconnects(queue)) {
        status = request_messages(queue, stream, most, timeout_ms);
    }
    int64_t until_ns = queue->promised_until_ns + MARGIN_MS * CLOCK_NS_PER_MS;
    while (!status) {
        natsMsg *answer = NULL;
        status = natsSubscription_NextMsg(&answer, queue->pull, SLICE_MS);
        enum err err = answer ? judge_answer(queue, answer) : ERR_INPUT;
        if (!err) {
            queue->promised--;
            fill(out, answer);
            return ERR_NONE;
        }
        natsMsg_Destroy(answer);
        if (err == ERR_NEGATIVE) {
            queue->promised = 0;
            return ERR_NEGATIVE;
        }
        bool may_wait = clock_now_ns() < until_ns && queue_is_connected(queue);
        status = status == NATS_TIMEOUT && may_wait ? NATS_OK : status;
    }
    queue->promised = 0;
    return explain_failure(status, 0, why);
}

/* $JS.ACK.STREAM.CONSUMER.DELIVERED.NUMBER… or $JS.ACK.DOMAIN.ACCOUNT.STREAM.CONSUMER… */
uint64_t queue_number(const struct queue_message *message)
{
    enum { SHORT_WORDS = 9, SHORT_PLACE = 5, LONG_PLACE = 7 };
    const char *places[LONG_PLACE + 1] = {NULL};
    int words = 0;
    for (const char *at = natsMsg_GetReply(message->handle); at; words++) {
        if (words <= LONG_PLACE) {
            places[words] = at;
        }
        at = strchr(at, '.');
        at = at ? at + 1 : NULL;
    }
    const char *number = places[words > SHORT_WORDS ? LONG_PLACE : SHORT_PLACE];
    return number ? strtoull(number, NULL, 10) : 0;
}

static void answer_lender(struct queue *queue, const struct queue_message *message,
                          const char *word)
{
    (void)natsConnection_PublishString(queue->connection, natsMsg_GetReply(message->handle), word);
}

void queue_acknowledge(struct queue *queue, const struct queue_message *message)
{
    answer_lender(queue, message, "+ACK");
}

void queue_give_back(struct queue *queue, const struct queue_message *message)
{
    answer_lender(queue, message, "-NAK");
}

void queue_give_back_later(struct queue *queue, const struct queue_message *message, int after_ms)
{
    char word[64];
    snprintf(word, sizeof word, "-NAK {\"delay\": %lld}", (long long)after_ms * CLOCK_NS_PER_MS);
    answer_lender(queue, message, word);
}

struct queue_lease queue_lease(const struct queue_message *message)
{
    struct queue_lease lease;
    snprintf(lease.subject, sizeof lease.subject, "%s", natsMsg_GetReply(message->handle));
    return lease;
}

void queue_renew(struct queue *queue, const struct queue_lease *lease)
{
    (void)natsConnection_PublishString(queue->connection, lease->subject, "+WPI");
}

enum err queue_count(struct queue *queue, const char *stream, uint64_t *out)
{
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    jsOptions options = api_options();
    natsStatus status = js_GetStreamInfo(&info, queue->streams, stream, &options, &code);
    if (status && code != JSStreamNotFoundErr) {
        return ERR_ENVIRONMENT;
    }
    *out = status ? 0 : info->State.Msgs;
    jsStreamInfo_Destroy(info);
    return ERR_NONE;
}

enum err queue_each_key(struct queue *queue, const char *stream, const char *subject,
                        queue_key_handler *on_key, void *owner)
{
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    jsOptions options = api_options();
    char keys[128];
    snprintf(keys, sizeof keys, "%s.*", subject);
    options.Stream.Info.SubjectsFilter = keys;
    if (js_GetStreamInfo(&info, queue->streams, stream, &options, &code)) {
        return ERR_ENVIRONMENT;
    }
    const jsStreamStateSubjects *found = info->State.Subjects;
    for (int i = 0; found && i < found->Count; i++) {
        on_key(owner, found->List[i].Subject + strlen(subject) + 1);
    }
    jsStreamInfo_Destroy(info);
    return ERR_NONE;
}

enum err queue_look(struct queue *queue, const char *stream, const char *subject,
                    struct queue_message *out)
{
    natsMsg *message = NULL;
    jsErrCode code = 0;
    jsOptions options = api_options();
    natsStatus status = js_GetLastMsg(&message, queue->streams, stream, subject, &options, &code);
    if (status) {
        return code == JSNoMessageFoundErr ? ERR_NEGATIVE : ERR_ENVIRONMENT;
    }
    fill(out, message);
    return ERR_NONE;
}

void queue_delete(struct queue *queue, const char *stream, const char *subject)
{
    struct queue_message message = {0};
    jsErrCode code = 0;
    jsOptions options = api_options();
    if (!queue_look(queue, stream, subject, &message)) {
        (void)js_DeleteMsg(queue->streams, stream, natsMsg_GetSequence(message.handle), &options,
                           &code);
        queue_free(&message);
    }
}
