/* HTTP: the bytes that a client sends over a connection, to the real server on the loopback
 * interface, which follows a finished tournament. A last request follows them, after which the
 * server closes the connection; where the bytes declare a body, which may swallow it, the client
 * closes the connection itself after a moment without a response. The corpus has no search for the
 * best move, which takes long and is not about HTTP.
 *
 * Every response is well-formed: a status line, header lines, a body of the length that they
 * declare, JSON where its type is that. A status of 5xx is 503, the only documented one, or 505 for
 * a version of HTTP that the library does not know. The server answers or ends the connection, and
 * the next client gets its page. */
#include "fuzz.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../json_check.h"
#include "../random_tournament.h"
#include "base/folder.h"
#include "web/web_server.h"

enum {
    PATIENCE_MS = 60 * 1000, /* on a busy machine */
    BODY_MS = 20,            /* for a request that may be incomplete */
    MAX_RESPONSE = 4 << 20,
    BOUNDLESS = -1,
    CHUNKED = -2,
};

static const char roster[] = "[tournament]\nname = Spring\ngame = reversi\nformat = swiss\n"
                             "rounds = 1\nseed = 3\n"
                             "[team 11]\nplayer = random\n[team 12]\nplayer = random\n";

struct http_world {
    struct folder_scratch folder;
    struct web_server *server;
    uint32_t clients;
};

static struct http_world world;

static void remove_world(void)
{
    web_server_stop(world.server);
    folder_scratch_remove(&world.folder);
}

static void make_world(void)
{
    static const char *const no_hosts[] = {NULL};
    char database[FOLDER_SCRATCH_BYTES + 8];
    struct note why = {""};
    CLAIM(folder_scratch_make(&world.folder, &why) == ERR_NONE);
    snprintf(database, sizeof database, "%s/t.db", world.folder.path);
    random_tournament(database, roster, 7);
    const struct web_server_options options = {.address = "127.0.0.1",
                                               .cpu = cpu_best(),
                                               .databases = (const char *[]){database, NULL},
                                               .hosts = no_hosts};
    CLAIM(web_server_start(&options, &world.server, &why) == ERR_NONE);
    atexit(remove_world);
}

/* --- A client --- */

/* From an address of its own: the server limits how much one may ask. */
static int connect_client(void)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)web_server_port(world.server))};
    from.sin_addr.s_addr = htonl(0x7f010000 + ++world.clients % 0xfe0000);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CLAIM(client >= 0);
    CLAIM(bind(client, (struct sockaddr *)&from, sizeof from) == 0);
    int connected = connect(client, (struct sockaddr *)&to, sizeof to);
    struct pollfd ready = {.fd = client, .events = POLLOUT};
    while (connected != 0 && errno == EINTR) {
        connected = poll(&ready, 1, PATIENCE_MS) == 1 ? 0 : -1;
    }
    CLAIM(connected == 0);
    return client;
}

static void send_all(int client, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(client, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            break; /* the server has refused the rest */
        }
        data += sent;
        size -= (size_t)sent;
    }
}

struct received {
    size_t bytes;
    bool was_reset; /* the server closed before it had read everything: some may be lost */
    bool is_stream; /* events, which do not end */
    char text[MAX_RESPONSE + 1];
};

/* Until the server closes the connection or sends events, or a request may be incomplete. */
static void receive_all(int client, bool may_be_incomplete, struct received *received)
{
    static const char stream[] = "Content-Type: text/event-stream\r\n";
    received->text[0] = '\0';
    received->bytes = 0;
    received->was_reset = received->is_stream = false;
    while (!received->is_stream) {
        struct pollfd ready = {.fd = client, .events = POLLIN};
        int count_ready = poll(&ready, 1, may_be_incomplete ? BODY_MS : PATIENCE_MS);
        if (count_ready < 0 && errno == EINTR) {
            continue; /* libFuzzer's timer */
        }
        if (may_be_incomplete && count_ready == 0) {
            received->was_reset = true;
            return;
        }
        CLAIM(count_ready == 1);
        ssize_t count = recv(client, received->text + received->bytes,
                             MAX_RESPONSE - received->bytes, MSG_DONTWAIT);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (count <= 0) {
            received->was_reset = count < 0;
            return;
        }
        received->bytes += (size_t)count;
        CLAIM(received->bytes < MAX_RESPONSE);
        received->text[received->bytes] = '\0';
        received->is_stream = memmem(received->text, received->bytes, stream, strlen(stream));
    }
}

/* --- Responses --- */

struct response {
    int status;
    long length; /* of the body, BOUNDLESS or CHUNKED */
    bool is_json;
    bool closes;
};

static bool is_token(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr("!#$%&'*+-.^_`|~", text[i])) {
            return false;
        }
    }
    return length > 0;
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == '\x7f') {
            return false;
        }
    }
    return true;
}

static void read_header(const char *line, size_t length, struct response *out)
{
    const char *colon = memchr(line, ':', length);
    CLAIM(colon && is_token(line, (size_t)(colon - line)) && is_printable(line, length));
    if (strncasecmp(line, "Content-Length: ", 16) == 0) {
        CLAIM(out->length == BOUNDLESS && isdigit((unsigned char)line[16]));
        out->length = strtol(line + 16, NULL, 10);
    } else if (strncasecmp(line, "Transfer-Encoding: chunked", 26) == 0) {
        CLAIM(out->length == BOUNDLESS);
        out->length = CHUNKED;
    } else if (strncasecmp(line, "Content-Type: application/json", 30) == 0) {
        out->is_json = true;
    } else if (strncasecmp(line, "Connection: close", 17) == 0) {
        out->closes = true;
    }
}

/* Returns where the body begins; NULL: the response was cut off. */
static const char *read_head(const char *text, struct response *out)
{
    const char *end = strstr(text, "\r\n\r\n");
    *out = (struct response){.length = BOUNDLESS};
    if (!end) {
        return NULL;
    }
    CLAIM(strncmp(text, "HTTP/1.1 ", 9) == 0 || strncmp(text, "HTTP/1.0 ", 9) == 0);
    CLAIM(isdigit((unsigned char)text[9]) && isdigit((unsigned char)text[10]) &&
          isdigit((unsigned char)text[11]) && text[12] == ' ');
    out->status = (int)strtol(text + 9, NULL, 10);
    for (const char *line = strstr(text, "\r\n") + 2; line < end + 2;) {
        size_t length = (size_t)(strstr(line, "\r\n") - line);
        read_header(line, length, out);
        line += length + 2;
    }
    return end + 4;
}

static void check_status(int status)
{
    CLAIM(status >= 100 && status < 600);
    CLAIM(status < 500 || status == 503 || status == 505);
}

static void check_json(const char *body, size_t length)
{
    char *copy = strndup(body, length);
    CLAIM(copy && strlen(copy) == length && json_check(copy));
    free(copy);
}

/* One response; returns its bytes, or 0 if it is the last. */
static size_t check_response(const struct received *received, size_t from, bool may_be_bare)
{
    struct response response;
    const char *text = received->text + from;
    const char *body = read_head(text, &response);
    CLAIM(body || received->was_reset);
    if (!body) {
        return 0;
    }
    check_status(response.status);
    size_t left = received->bytes - (size_t)(body - received->text);
    /* libmicrohttpd 0.9.75 sends the head of its own refusals twice. */
    bool is_repeated = response.closes && strncmp(text, body, (size_t)(body - text)) == 0;
    bool is_bare = response.status < 200 || response.status == 304 || is_repeated ||
                   (may_be_bare && (left == 0 || strncmp(body, "HTTP/1.", 7) == 0));
    if (is_bare) {
        return left ? (size_t)(body - text) : 0;
    }
    if (response.length < 0) {
        CLAIM(response.length == CHUNKED ? received->is_stream : true);
        return 0;
    }
    CLAIM(left >= (size_t)response.length || received->was_reset || received->is_stream);
    if (left < (size_t)response.length) {
        return 0;
    }
    if (response.is_json) {
        check_json(body, (size_t)response.length);
    }
    size_t used = (size_t)(body - text) + (size_t)response.length;
    CLAIM(!response.closes || left == (size_t)response.length);
    return left > (size_t)response.length ? used : 0;
}

static void check_responses(const struct received *received, bool may_be_bare)
{
    size_t at = 0;
    size_t used = received->bytes;
    while (used > 0) {
        used = check_response(received, at, may_be_bare);
        at += used;
    }
}

static const char last_request[] = "\r\n\r\nGET /api/v1/tournaments HTTP/1.1\r\nHost: localhost\r\n"
                                   "Connection: close\r\n\r\n";

static void check_server(struct received *received)
{
    int client = connect_client();
    send_all(client, (const uint8_t *)last_request + 4, sizeof last_request - 5);
    receive_all(client, false, received);
    close(client);
    CLAIM(strncmp(received->text, "HTTP/1.1 200 ", 13) == 0);
    check_responses(received, false);
}

/* Does a header line of a request declare a body? */
static bool declares_body(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"Content-Length", "Transfer-Encoding"};
    for (size_t i = 0; i < size; i++) {
        for (int j = 0; j < 2; j++) {
            size_t length = strlen(words[j]);
            if (size - i >= length && strncasecmp((const char *)data + i, words[j], length) == 0) {
                return true;
            }
        }
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct received received;
    if (!world.server) {
        make_world();
    }
    int client = connect_client();
    send_all(client, data, size);
    send_all(client, (const uint8_t *)last_request, sizeof last_request - 1);
    receive_all(client, declares_body(data, size), &received);
    close(client);
    check_responses(&received, memmem(data, size, "HEAD", 4));
    check_server(&received);
    return 0;
}
