#include "player/tcp_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "player/tcp_peer.h"

enum {
    READ_BYTES = 4096,
    BACKLOG = 128,
    LAST_READS = 256, /* of that size, from a program that is gone */
};

/* A connection. It is not used before it has sent its team number. */
struct tcp_client {
    uv_tcp_t tcp;
    struct tcp_endpoint *endpoint; /* NULL: thrown out */
    size_t team_bytes;
    uint8_t team[WIRE_TEAM_BYTES];
    char buffer[READ_BYTES];
};

/* Taken off the socket one by one, once in each turn of the loop: a program that connects endlessly
 * gets no more of our time than the others, and few descriptors. */
struct tcp_listener {
    uv_poll_t poll;
    int descriptor;
    struct tcp_server *server;
    struct tcp_endpoint *endpoint; /* NULL: the shared one */
};

struct tcp_endpoint {
    struct tcp_server *server;
    struct tcp_listener *listener; /* NULL: it waits at the server */
    struct tcp_endpoint *next;
    struct tcp_client *client;
    struct tcp_endpoint_events events;
};

struct late_write {
    uv_write_t request;
    uint8_t bytes[];
};

static void free_handle(uv_handle_t *handle) { free(handle); }

static void drop_client(struct tcp_client *client)
{
    client->endpoint = NULL;
    uv_close((uv_handle_t *)&client->tcp, free_handle);
}

/* --- What clients send --- */

static void hang_up(struct tcp_client *client)
{
    client->endpoint->client = NULL;
    drop_client(client);
}

static void take_bytes(struct tcp_client *client, const uint8_t *bytes, size_t count)
{
    struct tcp_endpoint *endpoint = client->endpoint;
    size_t missing = WIRE_TEAM_BYTES - client->team_bytes;
    size_t taken = count < missing ? count : missing;
    if (taken) {
        memcpy(client->team + client->team_bytes, bytes, taken);
        client->team_bytes += taken;
        if (client->team_bytes < WIRE_TEAM_BYTES) {
            return;
        }
        endpoint->events.on_client(endpoint->events.owner, wire_read_number(client->team));
    }
    if (count > taken && client->endpoint) {
        endpoint->events.on_bytes(endpoint->events.owner, bytes + taken, count - taken);
    }
}

void tcp_endpoint_drain(struct tcp_endpoint *endpoint)
{
    int descriptor = -1;
    for (int i = 0; i < LAST_READS && endpoint->client; i++) {
        struct tcp_client *client = endpoint->client;
        uv_fileno((uv_handle_t *)&client->tcp, &descriptor);
        ssize_t count = recv(descriptor, client->buffer, sizeof client->buffer, MSG_DONTWAIT);
        if (count <= 0) {
            break;
        }
        take_bytes(client, (const uint8_t *)client->buffer, (size_t)count);
    }
}

void tcp_endpoint_hang_up(struct tcp_endpoint *endpoint)
{
    if (endpoint->client) {
        hang_up(endpoint->client);
    }
}

static void give_buffer(uv_handle_t *handle, size_t wish, uv_buf_t *out)
{
    struct tcp_client *client = (struct tcp_client *)handle;
    (void)wish;
    *out = uv_buf_init(client->buffer, sizeof client->buffer);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct tcp_client *client = (struct tcp_client *)stream;
    if (count < 0) {
        hang_up(client);
    } else if (count > 0) {
        take_bytes(client, (const uint8_t *)buffer->base, (size_t)count);
    }
}

/* Takes over the descriptor. NULL: no memory. */
static struct tcp_client *make_client(struct tcp_server *server, int descriptor)
{
    struct tcp_client *client = calloc(1, sizeof *client);
    if (!client) {
        close(descriptor);
        return NULL;
    }
    uv_tcp_init(server->loop, &client->tcp);
    if (uv_tcp_open(&client->tcp, descriptor)) {
        close(descriptor);
        drop_client(client);
        return NULL;
    }
    uv_tcp_nodelay(&client->tcp, 1);
    return client;
}

/* A new client takes the place of the old one. */
static void seat_client(struct tcp_client *client, struct tcp_endpoint *endpoint)
{
    tcp_endpoint_drain(endpoint);
    if (endpoint->client) {
        drop_client(endpoint->client);
    }
    client->endpoint = endpoint;
    endpoint->client = client;
    uv_read_start((uv_stream_t *)&client->tcp, give_buffer, on_read);
}

static void fail_endpoint(struct tcp_endpoint *endpoint, int error)
{
    struct note why;
    note_set(&why, "no room for the connection of a program: %s", strerror(error));
    endpoint->events.on_failure(endpoint->events.owner, &why);
}

/* At the shared listener it could be anybody's: all that wait are without a connection. */
static void fail_listener(const struct tcp_listener *listener, int error)
{
    struct tcp_endpoint *next = NULL;
    if (listener->endpoint) {
        fail_endpoint(listener->endpoint, error);
        return;
    }
    for (struct tcp_endpoint *endpoint = listener->server->endpoints; endpoint; endpoint = next) {
        next = endpoint->next;
        if (!endpoint->client) {
            fail_endpoint(endpoint, error);
        }
    }
}

static struct tcp_endpoint *find_owner(const struct tcp_server *server, uint64_t inode,
                                       bool has_client)
{
    struct tcp_endpoint *endpoint = server->endpoints;
    while (endpoint && ((endpoint->client != NULL) != has_client ||
                        !endpoint->events.has_socket(endpoint->events.owner, inode))) {
        endpoint = endpoint->next;
    }
    return endpoint;
}

/* To look at the sockets of a program takes two descriptors at a time. */
static bool has_room_to_look(int descriptor)
{
    int first = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    int second = first < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    int error = errno;
    if (first >= 0) {
        close(first);
    }
    if (second >= 0) {
        close(second);
    }
    errno = error;
    return second >= 0;
}

/* Most often it is a program without a connection: those are looked at first. *out is NULL if it is
 * none of ours. ERR_ENVIRONMENT: nothing is known, errno says why. */
static enum err identify(const struct tcp_server *server, int descriptor, struct tcp_endpoint **out)
{
    uint64_t inode = 0;
    enum err err = tcp_peer_inode(descriptor, &inode);
    if (!err) {
        *out = inode ? find_owner(server, inode, false) : NULL;
        *out = inode && !*out ? find_owner(server, inode, true) : *out;
    }
    return !err && !*out && !has_room_to_look(descriptor) ? ERR_ENVIRONMENT : err;
}

static void refuse(const struct tcp_server *server)
{
    if (server->on_remark) {
        struct note note;
        note_set(&note,
                 "refused a connection to port %d: it is not from a program that plays here now",
                 server->port);
        server->on_remark(server->owner, note.text);
    }
}

static void on_connection(uv_poll_t *poll, int status, int events)
{
    struct tcp_listener *listener = poll->data;
    struct tcp_endpoint *endpoint = listener->endpoint;
    (void)status;
    (void)events;
    int descriptor = accept4(listener->descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
        if (errno != EAGAIN && err_is_shortage(errno)) {
            fail_listener(listener, errno);
        }
        return;
    }
    if (!endpoint && identify(listener->server, descriptor, &endpoint)) {
        fail_listener(listener, errno);
        close(descriptor);
        return;
    }
    if (!endpoint) {
        refuse(listener->server);
        close(descriptor);
        return;
    }
    struct tcp_client *client = make_client(listener->server, descriptor);
    if (client) {
        seat_client(client, endpoint);
    } else {
        fail_endpoint(endpoint, ENOMEM);
    }
}

/* --- Listening --- */

static void listener_closed(uv_handle_t *handle)
{
    struct tcp_listener *listener = handle->data;
    struct tcp_endpoint *endpoint = listener->endpoint;
    free(listener);
    if (endpoint) {
        endpoint->events.on_closed(endpoint->events.owner);
        free(endpoint);
    }
}

static void close_listener(struct tcp_listener *listener)
{
    uv_close((uv_handle_t *)&listener->poll, listener_closed);
    close(listener->descriptor);
}

/* Takes over the descriptor, a bound socket. */
static enum err listen_at(struct tcp_server *server, int descriptor, struct tcp_listener **out,
                          struct note *why)
{
    struct tcp_listener *listener = calloc(1, sizeof *listener);
    int failed = listener ? 0 : UV_ENOMEM;
    if (!failed && listen(descriptor, BACKLOG) != 0) {
        failed = -errno;
    }
    if (!failed) {
        failed = uv_poll_init(server->loop, &listener->poll, descriptor);
    }
    if (failed) {
        note_set(why, "cannot listen: %s", uv_strerror(failed));
        free(listener);
        close(descriptor);
        return ERR_ENVIRONMENT;
    }
    listener->descriptor = descriptor;
    listener->server = server;
    listener->poll.data = listener;
    uv_poll_start(&listener->poll, UV_READABLE, on_connection);
    *out = listener;
    return ERR_NONE;
}

enum err tcp_server_listen(struct tcp_server *server, int port, struct note *why)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int on = 1;
    uv_ip4_addr("127.0.0.1", port, &address);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(descriptor, (const struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&address, &size) != 0 ||
        listen(descriptor, BACKLOG) != 0) {
        note_set(why,
                 "cannot listen on port %d of this machine (%s); agents connect there when they "
                 "have no network of their own: end the program that uses it",
                 port, strerror(errno));
        if (descriptor >= 0) {
            close(descriptor);
        }
        return ERR_ENVIRONMENT;
    }
    server->port = ntohs(address.sin_port);
    return listen_at(server, descriptor, &server->listener, why);
}

/* --- Endpoints --- */

enum err tcp_endpoint_open(struct tcp_server *server, int descriptor,
                           const struct tcp_endpoint_events *events, struct tcp_endpoint **out,
                           struct note *why)
{
    struct tcp_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (!endpoint) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for a player");
    }
    endpoint->server = server;
    endpoint->events = *events;
    if (descriptor < 0) {
        endpoint->next = server->endpoints;
        server->endpoints = endpoint;
    } else if (listen_at(server, descriptor, &endpoint->listener, why)) {
        free(endpoint);
        return ERR_ENVIRONMENT;
    } else {
        endpoint->listener->endpoint = endpoint;
    }
    *out = endpoint;
    return ERR_NONE;
}

bool tcp_endpoint_has_client(const struct tcp_endpoint *endpoint)
{
    return endpoint->client && endpoint->client->team_bytes == WIRE_TEAM_BYTES;
}

static void write_done(uv_write_t *request, int status)
{
    (void)status; /* a failed write shows as a hang-up */
    free(request);
}

/* The socket's buffer was full: the rest goes out when there is room. */
static void write_later(struct tcp_client *client, const uint8_t *bytes, size_t count)
{
    struct late_write *write = malloc(sizeof *write + count);
    if (!write) {
        fail_endpoint(client->endpoint, ENOMEM);
        return;
    }
    memcpy(write->bytes, bytes, count);
    uv_buf_t buffer = uv_buf_init((char *)write->bytes, (unsigned)count);
    if (uv_write(&write->request, (uv_stream_t *)&client->tcp, &buffer, 1, write_done)) {
        free(write);
    }
}

void tcp_endpoint_send(struct tcp_endpoint *endpoint, const uint8_t *bytes, size_t count)
{
    if (!tcp_endpoint_has_client(endpoint)) {
        return;
    }
    struct tcp_client *client = endpoint->client;
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)count);
    int written = uv_try_write((uv_stream_t *)&client->tcp, &buffer, 1);
    size_t sent = written > 0 ? (size_t)written : 0;
    if (sent < count && (written >= 0 || written == UV_EAGAIN)) {
        write_later(client, bytes + sent, count - sent);
    }
}

void tcp_endpoint_close(struct tcp_endpoint *endpoint)
{
    struct tcp_endpoint **at = &endpoint->server->endpoints;
    while (*at && *at != endpoint) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = endpoint->next;
    }
    if (endpoint->client) {
        drop_client(endpoint->client);
        endpoint->client = NULL;
    }
    if (endpoint->listener) {
        close_listener(endpoint->listener);
    } else {
        endpoint->events.on_closed(endpoint->events.owner);
        free(endpoint);
    }
}

void tcp_server_close(struct tcp_server *server)
{
    if (server->listener) {
        close_listener(server->listener);
        server->listener = NULL;
    }
}
