#include "web/live.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/store.h"
#include "web/live_view.h"

enum { BLOCK_BYTES = 4096, TEXT_BYTES = 1024, BATCH = 2048 };

static const char kind_ply[] = "ply";

/* One that is ready to be sent. */
struct kept {
    int64_t id;
    char *text; /* as server-sent events are written */
    size_t size;
};

struct stream {
    struct live *live;
    struct MHD_Connection *connection;
    int64_t seen; /* id of the last event sent */
    bool is_asleep;
    bool must_beat;
    struct stream *next;
};

/* What the view's events told while the picture of the rest was new. More than a move has happened
 * since then: until the picture is drawn again this is told with it, so that whoever goes on behind
 * its event misses nothing. A zeroed struct: nothing has. */
struct held {
    bool is_taken;
    int64_t event;
    char *text; /* JSON; NULL when there was no memory for it */
    size_t size;
};

struct live {
    enum cpu_level cpu;
    struct store *store;        /* the thread's */
    struct store *record_store; /* the server's */
    atomic_int *stream_count;
    pthread_t id;
    atomic_bool is_ending;
    atomic_bool is_attended; /* somebody is playing the tournament */

    pthread_mutex_t lock;  /* guards everything below it */
    struct live_view view; /* the thread, which alone changes it, reads it without the lock */
    struct kept kept[LIVE_KEPT_EVENTS];
    size_t kept_count; /* ever; the last LIVE_KEPT_EVENTS of them are there */
    struct stream *streams;
    struct held held;
    char *picture; /* JSON: all of the view that moves do not change */
    size_t picture_size;
    struct live_view_extent extent; /* of the picture */
};

/* --- What is kept. --- */

static size_t first_kept(const struct live *live)
{
    return live->kept_count > LIVE_KEPT_EVENTS ? live->kept_count - LIVE_KEPT_EVENTS : 0;
}

static char *write_event(const struct store_event *event, size_t *size)
{
    char clipped[TEXT_BYTES];
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) {
        return NULL;
    }
    snprintf(clipped, sizeof clipped, "%s", event->text);
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

static void hold(struct live *live)
{
    struct held *held = &live->held;
    FILE *out = open_memstream(&held->text, &held->size);
    held->is_taken = true;
    held->event = live->view.event;
    if (out) {
        struct json json = json_make_members(out, JSON_COMPACT);
        live_view_write_now(&live->view, &json);
        live_view_write_running(&live->view, &json);
        fclose(out);
    }
}

static void let_go(struct live *live)
{
    free(live->held.text);
    live->held = (struct held){0};
}

static void keep(struct live *live, const struct store_event *event)
{
    size_t size = 0;
    char *text = write_event(event, &size);
    pthread_mutex_lock(&live->lock);
    if (!live->held.is_taken && strcmp(event->kind, kind_ply) != 0) {
        hold(live);
    }
    live_view_add(&live->view, event);
    if (text && size <= BLOCK_BYTES) {
        struct kept *slot = &live->kept[live->kept_count++ % LIVE_KEPT_EVENTS];
        free(slot->text);
        *slot = (struct kept){event->id, text, size};
        text = NULL;
    }
    free(text);
    pthread_mutex_unlock(&live->lock);
}

/* The first kept event behind `seen`; kept_count when there is none. */
static size_t find_behind(const struct live *live, int64_t seen)
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

/* --- Streams; these run in the server's thread. --- */

static ssize_t write_events(struct stream *stream, char *out, size_t room)
{
    struct live *live = stream->live;
    size_t at = find_behind(live, stream->seen);
    size_t used = 0;
    for (; at < live->kept_count; at++) {
        const struct kept *event = &live->kept[at % LIVE_KEPT_EVENTS];
        if (event->size > room - used) {
            break;
        }
        memcpy(out + used, event->text, event->size);
        used += event->size;
        stream->seen = event->id;
    }
    return (ssize_t)used;
}

/* Whether events behind the last one sent are kept no more, or it was another tournament's. */
static bool has_lost_touch(const struct stream *stream)
{
    const struct live *live = stream->live;
    size_t first = first_kept(live);
    return stream->seen > live->view.event ||
           (first > 0 && stream->seen + 1 < live->kept[first % LIVE_KEPT_EVENTS].id);
}

/* The page must look at the whole again, and goes on behind what it sees there. */
static ssize_t write_reset(struct stream *stream, char *out, size_t room)
{
    const struct live *live = stream->live;
    stream->seen = live->held.is_taken ? live->held.event : live->view.event;
    return snprintf(out, room, "id: %" PRId64 "\nevent: reset\ndata: {}\n\n", stream->seen);
}

/* A heartbeat also reports what no event does: the process that played may have ended abruptly. */
static ssize_t write_beat(struct live *live, char *out, size_t room)
{
    int size = snprintf(out, room, "event: beat\ndata: {\"attended\":%s}\n\n",
                        atomic_load(&live->is_attended) ? "true" : "false");
    return (size_t)size < room ? size : 0;
}

static ssize_t read_stream(void *context, uint64_t position, char *out, size_t room)
{
    (void)position;
    struct stream *stream = context;
    struct live *live = stream->live;
    pthread_mutex_lock(&live->lock);
    ssize_t used = 0;
    if (atomic_load(&live->is_ending)) {
        used = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (has_lost_touch(stream)) {
        used = write_reset(stream, out, room);
    } else {
        used = write_events(stream, out, room);
    }
    if (used == 0 && stream->must_beat) {
        used = write_beat(live, out, room);
        stream->must_beat = false;
    }
    stream->is_asleep = used == 0;
    if (stream->is_asleep) {
        MHD_suspend_connection(stream->connection);
    }
    pthread_mutex_unlock(&live->lock);
    return used;
}

static void end_stream(void *context)
{
    struct stream *stream = context;
    struct live *live = stream->live;
    pthread_mutex_lock(&live->lock);
    struct stream **link = &live->streams;
    while (*link != stream) {
        link = &(*link)->next;
    }
    *link = stream->next;
    pthread_mutex_unlock(&live->lock);
    atomic_fetch_sub(live->stream_count, 1);
    free(stream);
}

struct MHD_Response *live_stream(struct live *live, struct MHD_Connection *connection,
                                 int64_t after)
{
    struct stream *stream = calloc(1, sizeof *stream);
    struct MHD_Response *response =
        stream ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_stream,
                                                   stream, end_stream)
               : NULL;
    if (!response) {
        free(stream);
        return NULL;
    }
    *stream =
        (struct stream){.live = live, .connection = connection, .seen = after, .must_beat = true};
    bool has_room = atomic_fetch_add(live->stream_count, 1) < LIVE_MAX_STREAMS &&
                    !atomic_load(&live->is_ending);
    pthread_mutex_lock(&live->lock);
    stream->next = live->streams;
    live->streams = stream;
    pthread_mutex_unlock(&live->lock);
    if (!has_room) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

/* --- The thread. --- */

/* A sleeping connection cannot go away, so it may be woken without the lock; with it, the server's
 * thread and this one could wait for each other. */
static void wake_streams(struct live *live, bool must_beat)
{
    struct MHD_Connection *woken[LIVE_MAX_STREAMS + 1];
    size_t count = 0;
    pthread_mutex_lock(&live->lock);
    for (struct stream *stream = live->streams; stream; stream = stream->next) {
        stream->must_beat = stream->must_beat || must_beat;
        if (stream->is_asleep) {
            stream->is_asleep = false;
            woken[count++] = stream->connection;
        }
    }
    pthread_mutex_unlock(&live->lock);
    for (size_t i = 0; i < count; i++) {
        MHD_resume_connection(woken[i]);
    }
}

static enum err draw_view(struct live *live, struct note *why)
{
    char *text = NULL;
    size_t size = 0;
    struct live_view_extent extent = {0};
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        note_set(why, "there is not enough memory to show the tournament");
        return ERR_ENVIRONMENT;
    }
    enum err err = live_view_refresh(&live->view, live->store, live->cpu, why);
    if (!err) {
        err = live_view_write(&live->view, out, &extent, why);
    }
    fclose(out);
    if (err) {
        free(text);
        return err;
    }
    pthread_mutex_lock(&live->lock);
    free(live->picture);
    live->picture = text;
    live->picture_size = size;
    live->extent = extent;
    let_go(live);
    pthread_mutex_unlock(&live->lock);
    return ERR_NONE;
}

/* Whether somebody came to play the tournament, or left it. */
static bool look_who_plays(struct live *live)
{
    bool is_attended = store_is_busy_now(live->store);
    return atomic_exchange(&live->is_attended, is_attended) != is_attended;
}

struct news {
    struct live *live;
    int count;
    bool is_more_than_plies;
};

static bool hear(void *owner, const struct store_event *event)
{
    struct news *news = owner;
    keep(news->live, event);
    news->count++;
    news->is_more_than_plies = news->is_more_than_plies || strcmp(event->kind, kind_ply) != 0;
    return true;
}

/* A database that cannot be read just now is asked again a moment later. */
static struct news read_news(struct live *live)
{
    struct news news = {.live = live};
    struct note why;
    enum err err = store_each_event(live->store, live->view.event, BATCH, hear, &news, &why);
    (void)err;
    return news;
}

static void *follow(void *argument)
{
    struct live *live = argument;
    const struct timespec pause = {0, LIVE_POLL_MS * CLOCK_NS_PER_MS};
    int64_t beat_ns = clock_now_ns();
    int64_t looked_ns = 0;
    int64_t drawn_ns = 0;
    bool is_stale = false;
    while (!atomic_load(&live->is_ending)) {
        struct news news = read_news(live);
        int64_t now = clock_now_ns();
        bool has_changed = false;
        if (news.is_more_than_plies || now - looked_ns > LIVE_LOOK_MS * CLOCK_NS_PER_MS) {
            has_changed = look_who_plays(live);
            looked_ns = now;
        }
        bool must_beat = has_changed || now - beat_ns > LIVE_BEAT_MS * CLOCK_NS_PER_MS;
        is_stale = is_stale || news.is_more_than_plies;
        if (is_stale && now - drawn_ns > LIVE_VIEW_MS * CLOCK_NS_PER_MS) {
            is_stale = draw_view(live, NULL) != ERR_NONE;
            drawn_ns = now;
        }
        if (news.count || must_beat) {
            wake_streams(live, must_beat);
            beat_ns = must_beat ? now : beat_ns;
        }
        if (news.count < BATCH) {
            nanosleep(&pause, NULL);
        }
    }
    wake_streams(live, true);
    return NULL;
}

enum err live_start(const char *path, enum cpu_level cpu, atomic_int *stream_count,
                    struct live **out, struct note *why)
{
    struct live *live = calloc(1, sizeof *live);
    if (!live) {
        note_set(why, "there is not enough memory to follow %.200s", path);
        return ERR_ENVIRONMENT;
    }
    live->cpu = cpu;
    live->stream_count = stream_count;
    pthread_mutex_init(&live->lock, NULL);
    enum err err = store_open(path, STORE_READ, &live->store, why);
    if (!err) {
        err = store_open(path, STORE_READ, &live->record_store, why);
    }
    if (!err) {
        store_set_patience(live->store, LIVE_PATIENCE_MS);
        store_set_patience(live->record_store, 0);
        look_who_plays(live);
        while (read_news(live).count == BATCH) {
        }
        err = draw_view(live, why);
    }
    if (!err) {
        int error = pthread_create(&live->id, NULL, follow, live);
        if (error) {
            note_set(why, "cannot start a thread: %s", strerror(error));
            err = ERR_ENVIRONMENT;
        }
    }
    if (err) {
        live_free(live);
        return err;
    }
    *out = live;
    return ERR_NONE;
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
    free(live->picture);
    let_go(live);
    live_view_free(&live->view);
    store_close(live->record_store);
    store_close(live->store);
    pthread_mutex_destroy(&live->lock);
    free(live);
}

char *live_tournament(struct live *live, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) {
        return NULL;
    }
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_integer(&json, "now_ms", clock_unix_ms());
    pthread_mutex_lock(&live->lock);
    bool is_complete = !live->held.is_taken || live->held.text;
    json_bool(&json, "attended", atomic_load(&live->is_attended));
    if (!live->held.is_taken) {
        live_view_write_now(&live->view, &json);
        live_view_write_running(&live->view, &json);
    } else if (is_complete) {
        json_copy_members(&json, live->held.text, live->held.size);
    }
    json_copy_members(&json, live->picture, live->picture_size);
    pthread_mutex_unlock(&live->lock);
    json_end(&json);
    fclose(out);
    if (!is_complete) {
        free(text);
        return NULL;
    }
    return text;
}

void live_write_head(struct live *live, struct json *json)
{
    pthread_mutex_lock(&live->lock);
    json_bool(json, "attended", atomic_load(&live->is_attended));
    live_view_write_now(&live->view, json);
    json_copy_members(json, live->picture, live->extent.head_bytes);
    pthread_mutex_unlock(&live->lock);
}

enum err live_record(struct live *live, int game, char **out, struct note *why)
{
    char *text = NULL;
    pthread_mutex_lock(&live->lock);
    int64_t total = live->extent.total_games;
    pthread_mutex_unlock(&live->lock);
    enum err err = store_record(live->record_store, game, STORE_LATEST, &text, why);
    if (!err && !text && game >= total) {
        note_set(why, "there is no game %d; the last one is %" PRId64, game + 1, total);
        err = ERR_NEGATIVE;
    } else if (!err && !text) {
        note_set(why, "game %d has no record: it was not played yet", game + 1);
        err = ERR_NEGATIVE;
    }
    if (!err) {
        *out = text;
    }
    return err;
}
