#include "player/tcp_server.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "player/tcp_peer.h"

enum {
    READ_BYTES = 16 * 1024, /* from a connection in one turn of the loop */
    BACKLOG = 128,
    LAST_READS = 64, /* of that size, from a program that is gone or connects again */
};

/* A connection. It is not used before it has sent its team number. */
struct tcp_client {
    uv_poll_t poll;
    int descriptor;
    struct tcp_endpoint *endpoint;
    size_t team_bytes;
    uint8_t team[WIRE_TEAM_BYTES];
    uint8_t *unsent; /* NULL: nothing; else it waits for room in the socket's buffer */
    size_t unsent_bytes;
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

static void free_client(uv_handle_t *handle)
{
    struct tcp_client *client = handle->data;
    free(client->unsent);
    free(client);
}

static void drop_client(struct tcp_client *client)
{
    client->endpoint = NULL;
    uv_close((uv_handle_t *)&client->poll, free_client);
    close(client->descriptor);
}

/* --- What clients send --- */

static void hang_up(struct tcp_client *client)
{
    client->endpoint->client = NULL;
    drop_client(client);
}

static void take_bytes(struct tcp_client *client, const uint8_t *bytes, size_t count,
                       int64_t came_ns)
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
        endpoint->events.on_client(endpoint->events.owner, wire_read_number(client->team), came_ns);
    }
    if (count > taken && client->endpoint) {
        endpoint->events.on_bytes(endpoint->events.owner, bytes + taken, count - taken, came_ns);
    }
}

/* When the last byte arrived, as the kernel notes it; 0: it has not. */
static int64_t arrival_ns(struct msghdr *header)
{
    struct timespec stamp;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part; part = CMSG_NXTHDR(header, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            return clock_of_stamp(&stamp, clock_now_ns());
        }
    }
    return 0;
}

/* At most READ_BYTES. False: there is no more, for now or for good. */
static bool read_some(struct tcp_client *client)
{
    uint8_t bytes[READ_BYTES];
    struct iovec part = {bytes, sizeof bytes};
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
        struct cmsghdr aligned;
    } stamp;
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = stamp.bytes,
                            .msg_controllen = sizeof stamp.bytes};
    ssize_t count = recvmsg(client->descriptor, &header, MSG_DONTWAIT);
    if (count > 0) {
        take_bytes(client, bytes, (size_t)count, arrival_ns(&header));
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        hang_up(client);
    }
    return false;
}

void tcp_endpoint_drain(struct tcp_endpoint *endpoint)
{
    for (int i = 0; i < LAST_READS && endpoint->client && read_some(endpoint->client); i++) {
    }
}

void tcp_endpoint_hang_up(struct tcp_endpoint *endpoint)
{
    if (endpoint->client) {
        hang_up(endpoint->client);
    }
}

/* --- What they are sent --- */

static void send_unsent(struct tcp_client *client)
{
    ssize_t sent =
        send(client->descriptor, client->unsent, client->unsent_bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
        client->unsent_bytes -= (size_t)sent;
        memmove(client->unsent, client->unsent + sent, client->unsent_bytes);
    }
    if (!client->unsent_bytes ||
        (sent < 0 && errno != EAGAIN)) { /* a hang-up shows when it reads */
        free(client->unsent);
        client->unsent = NULL;
        client->unsent_bytes = 0;
    }
}

static void on_event(uv_poll_t *poll, int status, int events);

static void watch_client(struct tcp_client *client)
{
    uv_poll_start(&client->poll, UV_READABLE | (client->unsent ? UV_WRITABLE : 0), on_event);
}

static void on_event(uv_poll_t *poll, int status, int events)
{
    struct tcp_client *client = poll->data;
    if (events & UV_WRITABLE && client->unsent) {
        send_unsent(client);
        watch_client(client);
    }
    if (status < 0 || events & UV_READABLE) {
        read_some(client);
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
    int on = 1;
    if (uv_poll_init(server->loop, &client->poll, descriptor)) {
        close(descriptor);
        free(client);
        return NULL;
    }
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    client->descriptor = descriptor;
    client->poll.data = client;
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
    watch_client(client);
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

/* The socket's buffer is full. */
static void send_later(struct tcp_client *client, const uint8_t *bytes, size_t count)
{
    uint8_t *larger = realloc(client->unsent, client->unsent_bytes + count);
    if (!larger) {
        fail_endpoint(client->endpoint, ENOMEM);
        return;
    }
    memcpy(larger + client->unsent_bytes, bytes, count);
    client->unsent = larger;
    client->unsent_bytes += count;
    watch_client(client);
}

void tcp_endpoint_send(struct tcp_endpoint *endpoint, const uint8_t *bytes, size_t count)
{
    if (!tcp_endpoint_has_client(endpoint)) {
        return;
    }
    struct tcp_client *client = endpoint->client;
    ssize_t sent =
        client->unsent ? 0 : send(client->descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) { /* a hang-up shows when it is read */
        return;
    }
    size_t done = sent > 0 ? (size_t)sent : 0;
    if (done < count) {
        send_later(client, bytes + done, count - done);
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
