#include "player/tcp_hub.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 4096, BACKLOG = 128 };

/* A connection: at first nobody knows whose; then a line's client. */
struct tcp_client {
    uv_tcp_t tcp;
    struct tcp_hub *hub;
    struct tcp_line *line; /* NULL: a stranger, or thrown out */
    struct tcp_client *next;   /* among strangers */
    size_t team_bytes;
    uint8_t team[WIRE_TEAM_BYTES];
    char buffer[READ_BYTES];
};

struct tcp_line {
    struct tcp_hub *hub;
    uv_tcp_t *listener; /* NULL: it waits at the hub */
    struct tcp_line *next;
    int32_t team;
    struct tcp_client *client;
    struct tcp_line_events events;
    int open_handles;
    bool is_closing;
};

struct late_write {
    uv_write_t request;
    uint8_t bytes[];
};

static void free_handle(uv_handle_t *handle) { free(handle); }

static void line_handle_closed(struct tcp_line *line)
{
    if (--line->open_handles == 0 && line->is_closing) {
        line->events.on_closed(line->events.owner);
        free(line);
    }
}

static void listener_closed(uv_handle_t *handle)
{
    struct tcp_line *line = handle->data;
    free(handle);
    line_handle_closed(line);
}

static void drop_client(struct tcp_client *client)
{
    client->line = NULL;
    uv_close((uv_handle_t *)&client->tcp, free_handle);
}

static void forget_stranger(struct tcp_client *client)
{
    struct tcp_client **at = &client->hub->strangers;
    while (*at && *at != client) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = client->next;
    }
}

static void refuse(struct tcp_client *client, const char *reason)
{
    struct tcp_hub *hub = client->hub;
    if (hub->on_remark) {
        struct note note;
        note_set(&note, "refused a client that calls itself team %d: %s",
                 (int)wire_read_number(client->team), reason);
        hub->on_remark(hub->owner, note.text);
    }
    drop_client(client);
}

static struct tcp_line *find_line(struct tcp_hub *hub, int32_t team)
{
    struct tcp_line *line = hub->lines;
    while (line && line->team != team) {
        line = line->next;
    }
    return line;
}

/* The team id is known: a stranger finds its line. Returns false when it was refused. */
static bool introduce(struct tcp_client *client)
{
    int32_t team = wire_read_number(client->team);
    if (!client->line) {
        struct tcp_line *line = find_line(client->hub, team);
        forget_stranger(client);
        if (!line || line->client) {
            refuse(client, line ? "its place is taken" : "no such team plays here now");
            return false;
        }
        client->line = line;
        line->client = client;
    }
    client->line->events.on_client(client->line->events.owner, team);
    return true;
}

static void take_bytes(struct tcp_client *client, const uint8_t *bytes, size_t count)
{
    size_t missing = WIRE_TEAM_BYTES - client->team_bytes;
    size_t taken = count < missing ? count : missing;
    if (taken) {
        memcpy(client->team + client->team_bytes, bytes, taken);
        client->team_bytes += taken;
        if (client->team_bytes < WIRE_TEAM_BYTES || !introduce(client)) {
            return;
        }
    }
    struct tcp_line *line = client->line;
    if (count > taken && line && line->client == client) {
        line->events.on_bytes(line->events.owner, bytes + taken, count - taken);
    }
}

static void hang_up(struct tcp_client *client)
{
    struct tcp_line *line = client->line;
    if (!line) {
        forget_stranger(client);
    }
    drop_client(client);
    if (line && line->client == client) {
        line->client = NULL;
        line->events.on_hang_up(line->events.owner);
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

static struct tcp_client *accept_client(uv_stream_t *listener, struct tcp_hub *hub)
{
    struct tcp_client *client = calloc(1, sizeof *client);
    if (!client) {
        return NULL;
    }
    client->hub = hub;
    uv_tcp_init(hub->loop, &client->tcp);
    if (uv_accept(listener, (uv_stream_t *)&client->tcp)) {
        uv_close((uv_handle_t *)&client->tcp, free_handle);
        return NULL;
    }
    uv_tcp_nodelay(&client->tcp, 1);
    return client;
}

/* In a box of its own a new client takes the place of the old one. */
static void on_own_connection(uv_stream_t *listener, int status)
{
    struct tcp_line *line = listener->data;
    struct tcp_client *client = status ? NULL : accept_client(listener, line->hub);
    if (!client) {
        return;
    }
    if (line->is_closing) {
        drop_client(client);
        return;
    }
    if (line->client) {
        drop_client(line->client);
    }
    client->line = line;
    line->client = client;
    uv_read_start((uv_stream_t *)&client->tcp, give_buffer, on_read);
}

static void on_shared_connection(uv_stream_t *listener, int status)
{
    struct tcp_hub *hub = listener->data;
    struct tcp_client *client = status ? NULL : accept_client(listener, hub);
    if (!client) {
        return;
    }
    client->next = hub->strangers;
    hub->strangers = client;
    uv_read_start((uv_stream_t *)&client->tcp, give_buffer, on_read);
}

static enum err listen_shared(struct tcp_hub *hub, struct note *why)
{
    struct sockaddr_in address;
    uv_tcp_t *listener = calloc(1, sizeof *listener);
    if (!listener) {
        note_set(why, "no memory for a listener");
        return ERR_ENVIRONMENT;
    }
    uv_tcp_init(hub->loop, listener);
    listener->data = hub;
    uv_ip4_addr("127.0.0.1", WIRE_PORT, &address);
    int failed = uv_tcp_bind(listener, (const struct sockaddr *)&address, 0);
    if (!failed) {
        failed = uv_listen((uv_stream_t *)listener, BACKLOG, on_shared_connection);
    }
    if (failed) {
        note_set(why,
                 "cannot listen on port %d of this machine (%s); agents connect there when they "
                 "have no network of their own: end the program that uses it",
                 WIRE_PORT, uv_strerror(failed));
        uv_close((uv_handle_t *)listener, free_handle);
        return ERR_ENVIRONMENT;
    }
    hub->listener = listener;
    return ERR_NONE;
}

static enum err listen_own(struct tcp_line *line, int descriptor, struct note *why)
{
    line->listener = calloc(1, sizeof *line->listener);
    if (!line->listener) {
        close(descriptor);
        note_set(why, "no memory for a listener");
        return ERR_ENVIRONMENT;
    }
    uv_tcp_init(line->hub->loop, line->listener);
    line->listener->data = line;
    int failed = uv_tcp_open(line->listener, descriptor);
    if (failed) {
        close(descriptor);
    } else {
        failed = uv_listen((uv_stream_t *)line->listener, BACKLOG, on_own_connection);
    }
    if (failed) {
        note_set(why, "cannot listen inside the sandbox: %s", uv_strerror(failed));
        uv_close((uv_handle_t *)line->listener, free_handle);
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

static enum err join_hub(struct tcp_hub *hub, struct tcp_line *line, struct note *why)
{
    if (find_line(hub, line->team)) {
        note_set(why,
                 "two programs of team %d cannot play at the same time without network namespaces: "
                 "they would share port %d and a name",
                 (int)line->team, WIRE_PORT);
        return ERR_INPUT;
    }
    if (!hub->listener) {
        enum err err = listen_shared(hub, why);
        if (err) {
            return err;
        }
    }
    line->next = hub->lines;
    hub->lines = line;
    return ERR_NONE;
}

enum err tcp_line_open(struct tcp_hub *hub, int descriptor, int32_t team,
                       const struct tcp_line_events *events, struct tcp_line **out,
                       struct note *why)
{
    struct tcp_line *line = calloc(1, sizeof *line);
    if (!line) {
        note_set(why, "no memory for a player");
        return ERR_ENVIRONMENT;
    }
    line->hub = hub;
    line->team = team;
    line->events = *events;
    line->open_handles = 1;
    enum err err = descriptor >= 0 ? listen_own(line, descriptor, why) : join_hub(hub, line, why);
    if (err) {
        free(line);
        return err;
    }
    *out = line;
    return ERR_NONE;
}

bool tcp_line_has_client(const struct tcp_line *line)
{
    return line->client && line->client->team_bytes == WIRE_TEAM_BYTES;
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
        return;
    }
    memcpy(write->bytes, bytes, count);
    uv_buf_t buffer = uv_buf_init((char *)write->bytes, (unsigned)count);
    if (uv_write(&write->request, (uv_stream_t *)&client->tcp, &buffer, 1, write_done)) {
        free(write);
    }
}

void tcp_line_send(struct tcp_line *line, const uint8_t *bytes, size_t count)
{
    if (!tcp_line_has_client(line)) {
        return;
    }
    struct tcp_client *client = line->client;
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)count);
    int written = uv_try_write((uv_stream_t *)&client->tcp, &buffer, 1);
    size_t sent = written > 0 ? (size_t)written : 0;
    if (sent < count && (written >= 0 || written == UV_EAGAIN)) {
        write_later(client, bytes + sent, count - sent);
    }
}

void tcp_line_close(struct tcp_line *line)
{
    line->is_closing = true;
    for (struct tcp_line **at = &line->hub->lines; *at; at = &(*at)->next) {
        if (*at == line) {
            *at = line->next;
            break;
        }
    }
    if (line->client) {
        drop_client(line->client);
        line->client = NULL;
    }
    if (line->listener) {
        uv_close((uv_handle_t *)line->listener, listener_closed);
    } else {
        line_handle_closed(line);
    }
}

void tcp_hub_close(struct tcp_hub *hub)
{
    while (hub->strangers) {
        struct tcp_client *client = hub->strangers;
        hub->strangers = client->next;
        drop_client(client);
    }
    if (hub->listener) {
        uv_close((uv_handle_t *)hub->listener, free_handle);
        hub->listener = NULL;
    }
}
