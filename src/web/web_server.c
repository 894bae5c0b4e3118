#include "web/web_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "web/http_request.h"

enum {
    BACKLOG = 512,
    UNSENT_BYTES = 1 << 16, /* that the kernel keeps for a client that does not read */
};

static enum MHD_Result on_access(void *owner, struct MHD_Connection *connection, const char *path,
                                 const char *method, const char *version, const char *body,
                                 size_t *size, void **slot)
{
    (void)version;
    struct web_server *server = owner;
    if (!*slot) {
        *slot = http_request_make(server, connection);
    }
    return *slot ? http_request_continue(*slot, method, path, body, size) : MHD_NO;
}

/* In the order in which the library calls them: before a connection, at its start and at its end.
 */
static enum MHD_Result may_connect(void *owner, const struct sockaddr *address, socklen_t size)
{
    const struct web_server *server = owner;
    (void)size;
    return address_share_has_room(&server->connections, address_share_key(address)) ? MHD_YES
                                                                                    : MHD_NO;
}

static void on_connection(void *owner, struct MHD_Connection *connection, void **clock,
                          enum MHD_ConnectionNotificationCode code)
{
    struct web_server *server = owner;
    struct deadline *deadline = server->deadline;
    uint64_t address = http_request_address(connection);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *clock = info ? deadline_add(deadline, info->connect_fd) : NULL;
        bool is_counted = address_share_take(&server->connections, address);
        (void)is_counted; /* there is room: see may_connect */
    } else {
        address_share_give(&server->connections, address);
        deadline_remove(deadline, *clock);
        *clock = NULL;
    }
}

/* A NUL would hide the rest of a path or a value. */
static size_t unescape(void *owner, struct MHD_Connection *connection, char *text)
{
    (void)owner;
    (void)connection;
    for (char *at = text; (at = strstr(at, "%00"));) {
        at[1] = '7';
        at[2] = 'f';
    }
    return MHD_http_unescape(text);
}

/* The library sends nothing when it has no memory for all fields of a query, so the request is
 * refused here, before they are read. NULL: the request is made later. */
static void *on_address(void *owner, const char *address, struct MHD_Connection *connection)
{
    static const char refusal[] = "HTTP/1.1 414 URI Too Long\r\n"
                                  "Content-Type: application/json\r\n"
                                  "Connection: close\r\n\r\n"
                                  "{\"error\":\"the query has too many fields\"}";
    (void)owner;
    int fields = 1;
    for (; *address; address++) {
        fields += *address == '&';
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (fields > WEB_SERVER_MAX_FIELDS && info) {
        send(info->connect_fd, refusal, sizeof refusal - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        shutdown(info->connect_fd, SHUT_RDWR);
    }
    return NULL;
}

static void on_completed(void *owner, struct MHD_Connection *connection, void **slot,
                         enum MHD_RequestTerminationCode why)
{
    (void)why;
    deadline_restart(((struct web_server *)owner)->deadline, http_request_clock(connection));
    http_request_free(*slot);
    *slot = NULL;
}

/* How many there can be: where few files may be open, the reserve must still be reached. */
static size_t allow_many_connections(void)
{
    const rlim_t wanted = WEB_SERVER_MAX_CONNECTIONS + WEB_SERVER_OTHER_FILES;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) {
        return WEB_SERVER_MAX_CONNECTIONS;
    }
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    rlim_t files = setrlimit(RLIMIT_NOFILE, &limit) ? before : limit.rlim_max;
    if (files >= wanted) {
        return WEB_SERVER_MAX_CONNECTIONS;
    }
    const rlim_t least = 2 * WEB_SERVER_RESERVED_CONNECTIONS;
    return files > least + WEB_SERVER_OTHER_FILES ? files - WEB_SERVER_OTHER_FILES : least;
}

static bool read_address(const struct web_server_options *options, struct sockaddr_storage *out,
                         socklen_t *size)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6,
                               .sin6_port = htons((uint16_t)options->port)};
    *out = (struct sockaddr_storage){0};
    if (inet_pton(AF_INET, options->address, &four.sin_addr) == 1) {
        memcpy(out, &four, *size = sizeof four);
        return true;
    }
    if (inet_pton(AF_INET6, options->address, &six.sin6_addr) == 1) {
        memcpy(out, &six, *size = sizeof six);
        return true;
    }
    return false;
}

static int port_of(int listener)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &size)) {
        return 0;
    }
    struct sockaddr_in four;
    memcpy(&four, &address, sizeof four); /* the port is at the same place in both families */
    return ntohs(four.sin_port);
}

static void refuse_address(const struct web_server_options *options, int error, struct note *why)
{
    if (error == EADDRNOTAVAIL) {
        note_set(why,
                 "cannot listen on %s: this machine does not have that address; take one that it "
                 "has, 127.0.0.1 for itself alone, or 0.0.0.0 for all",
                 options->address);
    } else {
        note_set(why, "cannot listen on %s, port %d: %s; choose another port, or 0 for any",
                 options->address, options->port, strerror(error));
    }
}

/* An own listener: the library does not report why it cannot have one. */
static enum err listen_there(const struct web_server_options *options, int *out, struct note *why)
{
    struct sockaddr_storage address;
    socklen_t size = 0;
    if (!read_address(options, &address, &size)) {
        return note_fail(
            why, ERR_INPUT,
            "'%.60s' is not an address to listen on; try 127.0.0.1, or 0.0.0.0 for all",
            options->address);
    }
    int on = 1;
    int unsent_bytes = UNSENT_BYTES;
    int listener = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &unsent_bytes, sizeof unsent_bytes) ||
        bind(listener, (struct sockaddr *)&address, size) || listen(listener, BACKLOG)) {
        refuse_address(options, errno, why);
        if (listener >= 0) {
            close(listener);
        }
        return ERR_ENVIRONMENT;
    }
    *out = listener;
    return ERR_NONE;
}

static enum err start_daemon(struct web_server *server, int listener, struct note *why)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    server->daemon = MHD_start_daemon(
        flags, 0, may_connect, server, on_access, server, MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)server->connections.most,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_SERVER_TIMEOUT_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_SERVER_CONNECTION_BYTES,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, on_address, NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
        server, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_END);
    if (!server->daemon) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot start the web server: %s", strerror(errno));
    }
    return ERR_NONE;
}

static enum err follow_all(struct web_server *server, const struct web_server_options *options,
                           struct note *why)
{
    size_t count = 0;
    while (options->databases[count]) {
        count++;
    }
    server->lives = calloc(count + 1, sizeof(struct live *));
    if (!server->lives) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the tournaments");
    }
    for (; server->live_count < count; server->live_count++) {
        enum err err =
            live_start(options->databases[server->live_count], options->cpu, options->is_anonymous,
                       &server->streams, &server->lives[server->live_count], why);
        if (err) {
            return err;
        }
    }
    return ERR_NONE;
}

static enum err start_parts(struct web_server *server, const struct web_server_options *options,
                            struct note *why)
{
    int listener = -1;
    enum err err = listen_there(options, &listener, why);
    if (!err) {
        server->port = port_of(listener);
        err = web_pages_init(&server->pages, why);
    }
    err = err ? err : search_worker_start(options->cpu, &server->worker, why);
    err = err ? err : deadline_start(&server->deadline, why);
    err = err ? err : follow_all(server, options, why);
    err = err ? err : start_daemon(server, listener, why);
    if (err && listener >= 0) {
        close(listener);
    }
    return err;
}

struct server_start {
    struct web_server *server;
    const struct web_server_options *options;
    struct note *why;
    enum err err;
};

/* Without a tournament there are no players to protect, and a lower priority would only make pages
 * slower. On Linux the 0 means this thread alone. */
static void *start_below_players(void *argument)
{
    struct server_start *start = argument;
    if (start->options->databases[0]) {
        setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + WEB_SERVER_NICENESS);
    }
    start->err = start_parts(start->server, start->options, start->why);
    return NULL;
}

/* A thread inherits its niceness and cannot lower it: everything is started by a thread that ends
 * here, and the caller, which may be a judge, keeps its priority. */
static enum err start_in_thread(struct web_server *server, const struct web_server_options *options,
                                struct note *why)
{
    struct server_start start = {.server = server, .options = options, .why = why};
    pthread_t starter;
    int error = pthread_create(&starter, NULL, start_below_players, &start);
    if (error) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot start a thread: %s", strerror(error));
    }
    pthread_join(starter, NULL);
    return start.err;
}

enum err web_server_start(const struct web_server_options *options, struct web_server **out,
                          struct note *why)
{
    struct web_server *server = calloc(1, sizeof *server);
    if (!server) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the server");
    }
    server->context = (struct api_context){.cpu = options->cpu};
    server->hosts = options->hosts;
    server->connections.most = allow_many_connections();
    server->connections.most_each = WEB_SERVER_MAX_CONNECTIONS_EACH;
    server->connections.reserve = WEB_SERVER_RESERVED_CONNECTIONS;
    server->streams.most = LIVE_MAX_STREAMS;
    server->streams.most_each = LIVE_MAX_STREAMS_EACH;
    server->streams.reserve = LIVE_RESERVED_STREAMS;
    server->posts.most = HTTP_REQUEST_MAX_POSTS;
    server->posts.most_each = HTTP_REQUEST_MAX_POSTS_EACH;
    server->posts.reserve = HTTP_REQUEST_RESERVED_POSTS;
    if (options->sessions) {
        session_hub_init(&server->hub, options->sessions, options->secret);
    }
    enum err err = start_in_thread(server, options, why);
    if (err) {
        web_server_stop(server);
        return err;
    }
    if (options->sessions) {
        session_hub_listen(&server->hub);
    }
    *out = server;
    return ERR_NONE;
}

void web_server_stop(struct web_server *server)
{
    if (!server) {
        return;
    }
    /* Suspended connections must be resumed before the daemon can end. */
    session_hub_stop(&server->hub);
    if (server->worker) {
        search_worker_stop(server->worker);
    }
    for (size_t i = 0; i < server->live_count; i++) {
        live_stop(server->lives[i]);
    }
    if (server->daemon) {
        MHD_stop_daemon(server->daemon); /* closes the listener */
    }
    deadline_stop(server->deadline);
    session_hub_free(&server->hub);
    for (size_t i = 0; i < server->live_count; i++) {
        live_free(server->lives[i]);
    }
    free(server->lives);
    search_worker_free(server->worker);
    web_pages_free(&server->pages);
    free(server);
}

int web_server_port(const struct web_server *server) { return server->port; }

int web_server_spectators(const struct web_server *server)
{
    return (int)atomic_load(&server->streams.total);
}
