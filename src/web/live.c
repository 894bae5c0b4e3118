#include "web/live.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "store/pseudonym.h"
#include "store/store.h"
#include "web/live_view.h"

enum { BLOCK_BYTES = 4096, BATCH = 2048, BEAT_BYTES = 64, EVENTS_AT_ONCE = 32 };

static const char kind_ply[] = "ply";

/* An event as text, ready to be sent. */
struct live_event {
    int64_t id;
    char *text; /* a server-sent event */
    size_t size;
};

/* While its connection is suspended the library does not touch the socket, and a client belongs to
 * the thread that follows the tournament; else to the server's. */
struct live_client {
    struct live *live;
    struct MHD_Connection *connection;
    int socket;
    uint64_t address;
    int64_t seen;    /* id of the last event sent */
    size_t sent;     /* bytes of the event after it that were sent already */
    bool is_counted; /* among the streams */
    bool is_suspended;
    bool must_beat;
    bool must_end; /* it is gone, or what it received cannot be continued */
    struct live_client *next;
};

/* The running games and the last event at the moment when the tables became outdated: an event that
 * is not a move has come since then. It is sent together with the outdated tables, so that a client
 * that continues after its event misses nothing. A zeroed struct: the tables are current. */
struct live_snapshot {
    bool is_taken;
    int64_t event;
    char *text; /* JSON members; NULL: out of memory */
    size_t size;
};

/* JSON members: what moves do not change. */
struct live_tables {
    atomic_int holders; /* the tournament, and each answer that has it */
    char *text;
    size_t size;
};

struct live {
    enum cpu_level cpu;
    struct store *store;        /* the thread's */
    struct store *record_store; /* the server's */
    struct address_share *streams;
    pthread_t id;
    atomic_bool is_ending;
    atomic_bool is_attended; /* a process is playing the tournament */

    pthread_mutex_t lock;  /* guards everything below it */
    struct live_view view; /* only the thread changes it, and reads it without the lock */
    struct live_event kept[LIVE_KEPT_EVENTS];
    size_t kept_count; /* in all; the last LIVE_KEPT_EVENTS of them are kept */
    struct live_client *clients;
    struct live_snapshot snapshot;
    struct live_tables *tables;
    struct live_view_extent extent; /* of the tables */
};

/* --- Kept events. --- */

static size_t first_kept(const struct live *live)
{
    return live->kept_count > LIVE_KEPT_EVENTS ? live->kept_count - LIVE_KEPT_EVENTS : 0;
}

static char *write_event(const struct live_view *view, const struct store_event *event,
                         size_t *size)
{
    char clipped[LIVE_VIEW_TEXT_BYTES];
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) {
        return NULL;
    }
    live_view_write_text(view, event->kind, event->text, clipped, sizeof clipped);
    fprintf(out, "id: %" PRId64 "\ndata: ", event->id);
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "id", event->id);
    json_integer(&json, "at_ms", event->at_ms);
    json_integer_or_null(&json, "game", event->game >= 0, event->game + 1);
    json_string(&json, "kind", event->kind);
    json_string(&json, "text", clipped);
    json_end(&json);
    fputs("\n\n", out);
    fclose(out);
    return text;
}

static void take_snapshot(struct live *live)
{
    struct live_snapshot *snapshot = &live->snapshot;
    FILE *out = open_memstream(&snapshot->text, &snapshot->size);
    snapshot->is_taken = true;
    snapshot->event = live->view.event;
    if (out) {
        struct json json = json_make_members(out, JSON_COMPACT);
        live_view_write_now(&live->view, &json);
        live_view_write_running(&live->view, &json);
        fclose(out);
    }
}

static void drop_snapshot(struct live *live)
{
    free(live->snapshot.text);
    live->snapshot = (struct live_snapshot){0};
}

static void keep_event(struct live *live, const struct store_event *event)
{
    size_t size = 0;
    char *text = write_event(&live->view, event, &size);
    pthread_mutex_lock(&live->lock);
    if (!live->snapshot.is_taken && strcmp(event->kind, kind_ply) != 0) {
        take_snapshot(live);
    }
    live_view_add(&live->view, event);
    if (text && size <= BLOCK_BYTES) {
        struct live_event *slot = &live->kept[live->kept_count++ % LIVE_KEPT_EVENTS];
        free(slot->text);
        *slot = (struct live_event){event->id, text, size};
        text = NULL;
    }
    free(text);
    pthread_mutex_unlock(&live->lock);
}

/* The first kept event after `seen`; kept_count when there is none. */
static size_t find_after(const struct live *live, int64_t seen)
{
    size_t low = first_kept(live);
    size_t high = live->kept_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (live->kept[middle % LIVE_KEPT_EVENTS].id > seen) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* --- Clients; this runs in the server's thread. --- */

static ssize_t write_events(struct live_client *client, char *out, size_t room)
{
    struct live *live = client->live;
    size_t at = find_after(live, client->seen);
    size_t used = 0;
    for (; at < live->kept_count; at++) {
        const struct live_event *event = &live->kept[at % LIVE_KEPT_EVENTS];
        size_t left = event->size - client->sent;
        if (left > room - used) {
            break;
        }
        memcpy(out + used, event->text + client->sent, left);
        used += left;
        client->seen = event->id;
        client->sent = 0;
    }
    return (ssize_t)used;
}

/* Whether events after the last one sent are no longer kept, or it is not an event of this
 * tournament. */
static bool has_missed_events(const struct live_client *client)
{
    const struct live *live = client->live;
    size_t first = first_kept(live);
    return client->seen > live->view.event ||
           (first > 0 && client->seen + 1 < live->kept[first % LIVE_KEPT_EVENTS].id);
}

/* The client must fetch the tournament again, and continues after its event. */
static ssize_t write_reset(struct live_client *client, char *out, size_t room)
{
    const struct live *live = client->live;
    client->seen = live->snapshot.is_taken ? live->snapshot.event : live->view.event;
    return snprintf(out, room, "id: %" PRId64 "\nevent: reset\ndata: {}\n\n", client->seen);
}

/* A heartbeat also reports what no event does: the process that played may have ended abruptly. */
static ssize_t write_beat(struct live *live, char *out, size_t room)
{
    int size = snprintf(out, room, "event: beat\ndata: {\"attended\":%s}\n\n",
                        atomic_load(&live->is_attended) ? "true" : "false");
    return (size_t)size < room ? size : 0;
}

/* Half an event cannot be followed by a reset. */
static bool is_at_end(const struct live_client *client)
{
    return atomic_load(&client->live->is_ending) || client->must_end ||
           (client->sent && has_missed_events(client));
}

static ssize_t read_stream(void *context, uint64_t position, char *out, size_t room)
{
    (void)position;
    struct live_client *client = context;
    struct live *live = client->live;
    pthread_mutex_lock(&live->lock);
    ssize_t used = 0;
    if (is_at_end(client)) {
        used = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (has_missed_events(client)) {
        used = write_reset(client, out, room);
    } else {
        used = write_events(client, out, room);
    }
    if (used == 0 && client->must_beat) {
        used = write_beat(live, out, room);
        client->must_beat = false;
    }
    client->is_suspended = used == 0;
    if (client->is_suspended) {
        MHD_suspend_connection(client->connection);
    }
    pthread_mutex_unlock(&live->lock);
    return used;
}

static void end_stream(void *context)
{
    struct live_client *client = context;
    struct live *live = client->live;
    pthread_mutex_lock(&live->lock);
    struct live_client **link = &live->clients;
    while (*link != client) {
        link = &(*link)->next;
    }
    *link = client->next;
    pthread_mutex_unlock(&live->lock);
    if (client->is_counted) {
        address_share_give(live->streams, client->address);
    }
    free(client);
}

struct MHD_Response *live_stream(struct live *live, struct MHD_Connection *connection,
                                 uint64_t address, int64_t after)
{
    struct live_client *client = calloc(1, sizeof *client);
    struct MHD_Response *response =
        client ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_stream,
                                                   client, end_stream)
               : NULL;
    if (!response) {
        free(client);
        return NULL;
    }
    /* Without chunks: what the thread sends itself must be a part of the same body. Each event is
     * sent at once, also while an earlier one is not confirmed. */
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    int on = 1;
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    setsockopt(info->connect_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    *client = (struct live_client){.live = live,
                                   .connection = connection,
                                   .socket = info->connect_fd,
                                   .address = address,
                                   .seen = after,
                                   .must_beat = true};
    client->is_counted =
        !atomic_load(&live->is_ending) && address_share_take(live->streams, address);
    bool has_room = client->is_counted;
    pthread_mutex_lock(&live->lock);
    client->next = live->clients;
    live->clients = client;
    pthread_mutex_unlock(&live->lock);
    if (!has_room) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

/* --- The thread. --- */

/* Takes note of bytes that were sent of the events after the last one that the client has. */
static void count_sent(struct live_client *client, size_t bytes)
{
    const struct live *live = client->live;
    size_t at = find_after(live, client->seen);
    bytes += client->sent;
    for (; at < live->kept_count && bytes >= live->kept[at % LIVE_KEPT_EVENTS].size; at++) {
        bytes -= live->kept[at % LIVE_KEPT_EVENTS].size;
        client->seen = live->kept[at % LIVE_KEPT_EVENTS].id;
    }
    client->sent = bytes;
}

/* Whether all bytes were sent. A socket that is full is left to the library, which waits for it. */
static bool is_sent(struct live_client *client, ssize_t got, size_t wanted)
{
    client->must_end = client->must_end || (got < 0 && errno != EAGAIN && errno != EINTR);
    return got == (ssize_t)wanted;
}

static bool send_events(struct live_client *client)
{
    const struct live *live = client->live;
    for (size_t at; (at = find_after(live, client->seen)) < live->kept_count;) {
        struct iovec parts[EVENTS_AT_ONCE];
        struct msghdr message = {.msg_iov = parts};
        size_t wanted = 0;
        for (; at < live->kept_count && message.msg_iovlen < EVENTS_AT_ONCE; at++) {
            const struct live_event *event = &live->kept[at % LIVE_KEPT_EVENTS];
            parts[message.msg_iovlen++] = (struct iovec){event->text, event->size};
            wanted += event->size;
        }
        ssize_t got = sendmsg(client->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        count_sent(client, got > 0 ? (size_t)got : 0);
        if (!is_sent(client, got, wanted)) {
            return false;
        }
    }
    return true;
}

/* Only the library reads from a connection, and not while it is suspended: a client that has gone
 * is noticed here. */
static bool send_beat(struct live_client *client)
{
    char text[BEAT_BYTES];
    char byte;
    ssize_t size = write_beat(client->live, text, sizeof text);
    client->must_end = recv(client->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    ssize_t got = client->must_end
                      ? 0
                      : send(client->socket, text, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
    client->must_beat = got < 0;
    client->must_end = client->must_end || (got > 0 && got < size);
    return is_sent(client, got, (size_t)size);
}

/* Sends what is new to all clients that have everything before it. This thread does it itself:
 * the library would need several times as long for each connection. One that cannot be served now
 * is resumed, without the lock: with it, the server's thread and this one could wait for each
 * other. A suspended connection cannot end. */
static void serve_clients(struct live *live, bool must_beat)
{
    struct live_client *waiting[LIVE_MAX_STREAMS + 1];
    size_t count = 0;
    size_t left = 0;
    pthread_mutex_lock(&live->lock);
    for (struct live_client *client = live->clients; client; client = client->next) {
        if (client->is_suspended) {
            waiting[count++] = client;
        } else {
            client->must_beat = client->must_beat || must_beat;
        }
    }
    pthread_mutex_unlock(&live->lock);
    for (size_t i = 0; i < count; i++) {
        struct live_client *client = waiting[i];
        if (is_at_end(client) || has_missed_events(client) || !send_events(client) ||
            (must_beat && !send_beat(client))) {
            waiting[left++] = client;
        }
    }
    for (size_t i = 0; i < left; i++) {
        pthread_mutex_lock(&live->lock);
        waiting[i]->is_suspended = false;
        pthread_mutex_unlock(&live->lock);
        MHD_resume_connection(waiting[i]->connection);
    }
}

/* NULL is fine. */
static void release_tables(struct live_tables *tables)
{
    if (tables && atomic_fetch_sub(&tables->holders, 1) == 1) {
        free(tables->text);
        free(tables);
    }
}

static enum err write_tables(struct live *live, struct note *why)
{
    struct live_tables *tables = calloc(1, sizeof *tables);
    struct live_view_extent extent = {0};
    FILE *out = tables ? open_memstream(&tables->text, &tables->size) : NULL;
    if (!out) {
        free(tables);
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the tournament");
    }
    atomic_store(&tables->holders, 1);
    enum err err = live_view_refresh(&live->view, live->store, live->cpu, why);
    err = err ? err : live_view_write(&live->view, out, &extent, why);
    fclose(out);
    if (err) {
        release_tables(tables);
        return err;
    }
    pthread_mutex_lock(&live->lock);
    release_tables(live->tables);
    live->tables = tables;
    live->extent = extent;
    drop_snapshot(live);
    pthread_mutex_unlock(&live->lock);
    return ERR_NONE;
}

/* Whether a process began or stopped to play the tournament since the last check. */
static bool check_attended(struct live *live)
{
    bool is_attended = store_is_busy_now(live->store);
    return atomic_exchange(&live->is_attended, is_attended) != is_attended;
}

struct live_news {
    struct live *live;
    int count;
    bool is_more_than_plies;
};

static bool add_news(void *owner, const struct store_event *event)
{
    struct live_news *news = owner;
    keep_event(news->live, event);
    news->count++;
    news->is_more_than_plies = news->is_more_than_plies || strcmp(event->kind, kind_ply) != 0;
    return true;
}

/* A database that cannot be read now is read again at the next poll. */
static struct live_news read_news(struct live *live)
{
    struct live_news news = {.live = live};
    struct note why;
    enum err err = store_each_event(live->store, live->view.event, BATCH, add_news, &news, &why);
    (void)err;
    return news;
}

static void *follow(void *argument)
{
    struct live *live = argument;
    int64_t beat_ns = clock_now_ns();
    int64_t checked_ns = 0;
    int64_t written_ns = 0;
    bool is_stale = false;
    while (!atomic_load(&live->is_ending)) {
        struct live_news news = read_news(live);
        int64_t now = clock_now_ns();
        bool has_changed = false;
        if (news.is_more_than_plies || now - checked_ns > LIVE_ATTENDED_MS * CLOCK_NS_PER_MS) {
            has_changed = check_attended(live);
            checked_ns = now;
        }
        bool must_beat = has_changed || now - beat_ns > LIVE_BEAT_MS * CLOCK_NS_PER_MS;
        is_stale = is_stale || news.is_more_than_plies;
        if (is_stale && now - written_ns > LIVE_VIEW_MS * CLOCK_NS_PER_MS) {
            is_stale = write_tables(live, NULL) != ERR_NONE;
            written_ns = now;
        }
        if (news.count || must_beat) {
            serve_clients(live, must_beat);
            beat_ns = must_beat ? now : beat_ns;
        }
        if (news.count < BATCH) {
            int64_t ms = atomic_load(&live->is_attended) ? LIVE_POLL_MS : LIVE_IDLE_POLL_MS;
            nanosleep(&(struct timespec){0, ms * CLOCK_NS_PER_MS}, NULL);
        }
    }
    serve_clients(live, true);
    return NULL;
}

enum err live_start(const char *path, enum cpu_level cpu, bool is_anonymous,
                    struct address_share *streams, struct live **out, struct note *why)
{
    struct live *live = calloc(1, sizeof *live);
    if (!live) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory to follow %.200s", path);
    }
    live->cpu = cpu;
    live->streams = streams;
    pthread_mutex_init(&live->lock, NULL);
    enum err err = store_open(path, STORE_READ, &live->store, why);
    if (err || (err = store_open(path, STORE_READ, &live->record_store, why))) {
        goto fail;
    }
    store_set_patience(live->store, LIVE_PATIENCE_MS);
    store_set_patience(live->record_store, 0);
    check_attended(live);
    if (is_anonymous && (err = live_view_anonymise(&live->view, live->store, cpu, why))) {
        goto fail;
    }
    while (read_news(live).count == BATCH) {
    }
    if ((err = write_tables(live, why))) {
        goto fail;
    }
    int error = pthread_create(&live->id, NULL, follow, live);
    if (error) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread: %s", strerror(error));
        goto fail;
    }
    *out = live;
    return ERR_NONE;
fail:
    live_free(live);
    return err;
}

void live_stop(struct live *live)
{
    atomic_store(&live->is_ending, true);
    pthread_join(live->id, NULL);
}

void live_free(struct live *live)
{
    if (!live) {
        return;
    }
    for (size_t i = 0; i < LIVE_KEPT_EVENTS; i++) {
        free(live->kept[i].text);
    }
    release_tables(live->tables);
    drop_snapshot(live);
    live_view_free(&live->view);
    store_close(live->record_store);
    store_close(live->store);
    pthread_mutex_destroy(&live->lock);
    free(live);
}

/* The body of an answer: an object whose last members are the tables. */
struct live_answer {
    char *head; /* without the brace at the end */
    size_t head_size;
    struct live_tables *tables;
};

static void free_answer(void *context)
{
    struct live_answer *answer = context;
    release_tables(answer->tables);
    free(answer->head);
    free(answer);
}

/* False: out of memory. */
static bool write_answer(struct live *live, struct live_answer *answer)
{
    FILE *out = open_memstream(&answer->head, &answer->head_size);
    if (!out) {
        return false;
    }
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "now_ms", clock_unix_ms());
    pthread_mutex_lock(&live->lock);
    bool is_complete = !live->snapshot.is_taken || live->snapshot.text;
    json_bool(&json, "attended", atomic_load(&live->is_attended));
    if (!live->snapshot.is_taken) {
        live_view_write_now(&live->view, &json);
        live_view_write_running(&live->view, &json);
    } else if (is_complete) {
        json_copy_members(&json, live->snapshot.text, live->snapshot.size);
    }
    answer->tables = live->tables;
    atomic_fetch_add(&answer->tables->holders, 1);
    pthread_mutex_unlock(&live->lock);
    return fclose(out) == 0 && is_complete;
}

struct MHD_Response *live_tournament(struct live *live, size_t *size)
{
    struct live_answer *answer = calloc(1, sizeof *answer);
    struct MHD_Response *response = NULL;
    if (answer && write_answer(live, answer)) {
        const struct MHD_IoVec parts[] = {{answer->head, answer->head_size},
                                          {",", 1},
                                          {answer->tables->text, answer->tables->size},
                                          {"}", 1}};
        *size = answer->head_size + answer->tables->size + 2;
        response = MHD_create_response_from_iovec(parts, sizeof parts / sizeof parts[0],
                                                  free_answer, answer);
    }
    if (answer && !response) {
        free_answer(answer);
    }
    return response;
}

void live_write_head(struct live *live, struct json *json)
{
    pthread_mutex_lock(&live->lock);
    json_bool(json, "attended", atomic_load(&live->is_attended));
    live_view_write_now(&live->view, json);
    json_copy_members(json, live->tables->text, live->extent.head_bytes);
    pthread_mutex_unlock(&live->lock);
}

/* Takes the text. */
static enum err hide_players(const struct live *live, int game, char *text, char **out,
                             struct note *why)
{
    char names[2][PSEUDONYM_BYTES];
    bool is_team[2] = {true, true};
    int teams[2] = {0};
    enum err err = store_players(live->record_store, game, teams, why);
    for (int i = 0; !err && i < 2; i++) {
        is_team[i] = teams[i] >= 0 && teams[i] < live->view.order_count;
        pseudonym_write(is_team[i] ? live->view.order[teams[i]] : 0, names[i]);
    }
    char *renamed = err ? NULL
                        : pseudonym_record(text, is_team[0] ? names[0] : NULL,
                                           is_team[1] ? names[1] : NULL, NULL);
    free(text);
    if (!err && !renamed) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the record of a game");
    }
    *out = renamed;
    return err;
}

enum err live_record(struct live *live, int game, char **out, struct note *why)
{
    char *text = NULL;
    pthread_mutex_lock(&live->lock);
    int64_t total = live->extent.total_games;
    pthread_mutex_unlock(&live->lock);
    enum err err = store_record(live->record_store, PHASE_ROUNDS, game, &text, why);
    if (err) {
        return err;
    }
    if (!text && game >= total) {
        return note_fail(why, ERR_NEGATIVE, "there is no game %d; the last one is %" PRId64,
                         game + 1, total);
    }
    if (!text) {
        return note_fail(why, ERR_NEGATIVE, "game %d has no record: it was not played yet",
                         game + 1);
    }
    if (live->view.is_anonymous) {
        return hide_players(live, game, text, out, why);
    }
    *out = text;
    return ERR_NONE;
}
