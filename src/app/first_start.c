#include "app/first_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "base/folder.h"
#include "player/player_program.h"
#include "player/player_setup.h"
#include "player/tcp_server.h"
#include "protocol/file_text.h"
#include "sandbox/process.h"

enum {
    CHECK_MS = 50,
    MAX_DIGITS = 9,
    NAME_BYTES = 32,
    EVENT_BYTES = 16384, /* read at a time, once in a turn of the loop */
};

struct first_start_run;

/* One program under way. It is over when nothing of it is open. */
struct first_start_slot {
    struct first_start_run *run;
    struct first_start *start; /* NULL: the slot is free */
    struct folder_scratch folder;
    struct process *process;
    struct tcp_endpoint *endpoint;
    uv_poll_t watch;
    bool is_watching;
    int events; /* of the folder */
    int64_t started_ns;
};

struct first_start_run {
    const struct first_start_setup *setup;
    struct first_start *list;
    size_t count;
    size_t next;
    struct first_start_slot *slots;
    int open_slots;
    uv_loop_t loop;
    uv_timer_t timer;
    struct tcp_server server;
    enum err err;
    struct note *why;
};

static void start_next(struct first_start_slot *slot);

/* --- What it does --- */

static void end_program(struct first_start_slot *slot)
{
    if (slot->process) {
        process_kill(slot->process);
    }
}

/* Only the first thing counts. */
static void take_number(struct first_start_slot *slot, enum submission_protocol protocol,
                        int number)
{
    if (slot->start && slot->start->protocol == SUBMISSION_UNCLEAR) {
        slot->start->protocol = protocol;
        slot->start->number = number < 0 ? -1 : number;
        end_program(slot);
    }
}

static void on_client(void *owner, int32_t team, int64_t came_ns)
{
    (void)came_ns;
    take_number(owner, SUBMISSION_TCP, team);
}

static void on_bytes(void *owner, const uint8_t *bytes, size_t count, int64_t came_ns)
{
    (void)came_ns;
    (void)owner;
    (void)bytes;
    (void)count;
}

/* "state_7.txt" with that word before the number. */
static bool read_name(const char *name, const char *word, int *out)
{
    size_t length = strlen(word);
    if (strncmp(name, word, length) != 0) {
        return false;
    }
    name += length;
    bool is_negative = *name == '-';
    name += is_negative;
    size_t digits = strspn(name, "0123456789");
    bool is_number = digits > 0 && digits <= MAX_DIGITS && strcmp(name + digits, ".txt") == 0;
    *out = !is_number ? 0 : is_negative ? -1 : (int)strtol(name, NULL, 10);
    return is_number;
}

/* A question that is opened or an answer that is written; links to what was handed in, which may
 * have such names, are neither. */
static void take_event(struct first_start_slot *slot, const struct inotify_event *event)
{
    int number = 0;
    bool is_question = event->mask & IN_OPEN;
    if (event->len > 0 && !(event->mask & IN_ISDIR) &&
        read_name(event->name, is_question ? "state_" : "move_", &number)) {
        take_number(slot, SUBMISSION_FILES, number);
    }
}

static void on_event(uv_poll_t *watch, int status, int ready)
{
    struct first_start_slot *slot = watch->data;
    _Alignas(struct inotify_event) char buffer[EVENT_BYTES];
    (void)status;
    (void)ready;
    ssize_t count = read(slot->events, buffer, sizeof buffer);
    for (ssize_t at = 0; at < count;) {
        const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
        take_event(slot, event);
        at += (ssize_t)(sizeof *event + event->len);
    }
}

/* --- Its folder --- */

static enum err refuse_folder(const struct first_start_slot *slot, const char *what)
{
    return note_fail(slot->run->why, ERR_ENVIRONMENT, "a program cannot be tried in %.150s: %s: %s",
                     slot->folder.path, what, strerror(errno));
}

static bool link_question(int folder, const char *first, int number)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "state_%d.txt", number);
    return linkat(folder, first, folder, name, 0) == 0 || errno == EEXIST;
}

/* One file with many names: the board of a first move. */
static enum err write_questions(const struct first_start_slot *slot, int folder)
{
    char text[FILE_STATE_BYTES];
    char first[NAME_BYTES];
    const struct game *game = slot->run->setup->game;
    struct state begin = game->start();
    file_write_state(game, &begin, SIDE_BLACK, 1, text);
    snprintf(first, sizeof first, "state_%d.txt", PLAYER_MIN_TEAM);
    int out = openat(folder, first, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool is_written = out >= 0 && write(out, text, strlen(text)) == (ssize_t)strlen(text) &&
                      fchmod(out, 0644) == 0;
    if (out >= 0) {
        close(out);
    }
    for (int i = 0; is_written && i < FIRST_START_NUMBERS; i++) {
        is_written = link_question(folder, first, i);
    }
    for (size_t i = 0; is_written && i < slot->start->number_count; i++) {
        is_written = link_question(folder, first, slot->start->numbers[i]);
    }
    return is_written ? ERR_NONE : refuse_folder(slot, "it cannot be filled");
}

static enum err watch_folder(struct first_start_slot *slot)
{
    slot->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (slot->events < 0 || inotify_add_watch(slot->events, slot->folder.path,
                                              IN_OPEN | IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
        return refuse_folder(slot, "it cannot be watched");
    }
    uv_poll_init(&slot->run->loop, &slot->watch, slot->events);
    slot->watch.data = slot;
    slot->is_watching = true;
    uv_poll_start(&slot->watch, UV_READABLE, on_event);
    return ERR_NONE;
}

static enum err make_folder(struct first_start_slot *slot)
{
    enum err err = folder_scratch_make(&slot->folder, slot->run->why);
    if (err) {
        return err;
    }
    int folder = open(slot->folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    err = folder < 0 ? refuse_folder(slot, "it cannot be opened") : write_questions(slot, folder);
    if (folder >= 0) {
        close(folder);
    }
    return err ? err : watch_folder(slot);
}

/* --- Its life --- */

static void fail_run(struct first_start_run *run, enum err err)
{
    run->err = run->err ? run->err : err;
}

/* Free again when the last of it is closed. */
static void free_slot(struct first_start_slot *slot)
{
    if (slot->process || slot->endpoint || slot->is_watching) {
        return;
    }
    if (slot->events >= 0) {
        close(slot->events);
        slot->events = -1;
    }
    folder_scratch_remove(&slot->folder);
    slot->folder = (struct folder_scratch){.lock = -1};
    slot->start = NULL;
    start_next(slot);
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct first_start_slot *slot = handle->data;
    slot->is_watching = false;
    free_slot(slot);
}

static void on_endpoint_closed(void *owner)
{
    struct first_start_slot *slot = owner;
    slot->endpoint = NULL;
    free_slot(slot);
}

static void on_endpoint_failure(void *owner, const struct note *why)
{
    struct first_start_slot *slot = owner;
    *slot->run->why = *why;
    fail_run(slot->run, ERR_ENVIRONMENT);
    end_program(slot);
}

/* It has ended: what is left of it closes. */
static void close_slot(struct first_start_slot *slot)
{
    if (slot->is_watching) {
        uv_close((uv_handle_t *)&slot->watch, on_watch_closed);
    }
    if (slot->endpoint) {
        tcp_endpoint_close(slot->endpoint);
    }
    free_slot(slot);
}

static void on_exit_event(void *owner, const struct process_exit *exit)
{
    struct first_start_slot *slot = owner;
    if (slot->endpoint) {
        tcp_endpoint_drain(slot->endpoint);
    }
    if (slot->is_watching) {
        on_event(&slot->watch, 0, 0);
    }
    if (exit->is_ours) {
        note_set(slot->run->why, "a program cannot be tried: %s", exit->sentence);
        fail_run(slot->run, ERR_ENVIRONMENT);
    }
    if (!slot->start->ending.text[0]) {
        note_set(&slot->start->ending, "%s", exit->sentence);
    }
    process_free(slot->process);
    slot->process = NULL;
    close_slot(slot);
}

static bool has_socket(const void *owner, uint64_t inode)
{
    const struct first_start_slot *slot = owner;
    return slot->process && process_has_socket(slot->process, inode);
}

static enum err open_endpoint(struct first_start_slot *slot, int listener)
{
    const struct tcp_endpoint_events events = {
        slot, on_client, on_bytes, on_endpoint_failure, on_endpoint_closed, has_socket,
    };
    return tcp_endpoint_open(&slot->run->server, listener, &events, &slot->endpoint,
                             slot->run->why);
}

static void on_ready(void *owner)
{
    struct first_start_slot *slot = owner;
    int listener = process_take_listener(slot->process);
    if (listener >= 0 && open_endpoint(slot, listener)) {
        fail_run(slot->run, ERR_ENVIRONMENT);
        end_program(slot);
    }
}

static enum err start_process(struct first_start_slot *slot)
{
    const struct first_start_setup *setup = slot->run->setup;
    const struct player_spec program = {.command = slot->start->command};
    const struct process_events events = {
        .owner = slot, .on_ready = on_ready, .on_exit = on_exit_event};
    struct player_command command;
    enum err err = player_spec_command(&program, setup->python, &command, slot->run->why);
    if (!err && !(setup->sandbox->features & SANDBOX_NAMESPACES)) {
        err = open_endpoint(slot, -1);
    }
    if (err) {
        return err;
    }
    const struct process_spec spec = {
        .command = command.text,
        .folder = command.folder,
        .private_folder = slot->folder.path,
        .private_is_cwd = true,
        .listen_port = WIRE_PORT,
        .cpu = -1,
        .sandbox = setup->sandbox,
        .environment = player_program_unbuffered,
    };
    return process_start(&slot->run->loop, &spec, &events, &slot->process, slot->run->why);
}

/* The next program takes the slot; without one it closes. */
static void start_next(struct first_start_slot *slot)
{
    struct first_start_run *run = slot->run;
    if (run->err || run->next == run->count) {
        if (--run->open_slots == 0) {
            uv_close((uv_handle_t *)&run->timer, NULL);
            tcp_server_close(&run->server);
        }
        return;
    }
    slot->start = &run->list[run->next++];
    slot->start->protocol = SUBMISSION_UNCLEAR;
    slot->start->number = -1;
    slot->start->ending = (struct note){""};
    slot->started_ns = clock_now_ns();
    enum err err = make_folder(slot);
    err = err ? err : start_process(slot);
    if (err) {
        fail_run(run, err);
        close_slot(slot);
    }
}

static void on_timer(uv_timer_t *timer)
{
    struct first_start_run *run = timer->data;
    if (run->setup->stop && atomic_load(run->setup->stop) && !run->err) {
        note_set(run->why, "interrupted");
        run->err = ERR_INTERRUPTED;
    }
    for (int i = 0; i < run->setup->at_once; i++) {
        struct first_start_slot *slot = &run->slots[i];
        bool is_late =
            slot->start && clock_now_ns() - slot->started_ns > FIRST_START_S * CLOCK_NS_PER_S;
        if (is_late && !slot->start->ending.text[0]) {
            note_set(&slot->start->ending, "it did neither within %d s", FIRST_START_S);
        }
        if (is_late || run->err) {
            end_program(slot);
        }
    }
}

/* --- All of them --- */

static enum err open_run(struct first_start_run *run)
{
    run->slots = calloc((size_t)run->setup->at_once, sizeof *run->slots);
    int failed = run->slots ? uv_loop_init(&run->loop) : UV_ENOMEM;
    if (failed) {
        free(run->slots);
        return note_fail(run->why, ERR_ENVIRONMENT, "no event loop for programs: %s",
                         uv_strerror(failed));
    }
    uv_timer_init(&run->loop, &run->timer);
    run->timer.data = run;
    run->server.loop = &run->loop;
    if (!(run->setup->sandbox->features & SANDBOX_NAMESPACES)) {
        run->err = tcp_server_listen(&run->server, WIRE_PORT, run->why);
    }
    return ERR_NONE;
}

enum err first_start_run(const struct first_start_setup *setup, struct first_start *list,
                         size_t count, struct note *why)
{
    struct first_start_run run = {.setup = setup, .list = list, .count = count, .why = why};
    enum err err = count ? open_run(&run) : ERR_NONE;
    if (err || !count) {
        return err;
    }
    uv_timer_start(&run.timer, on_timer, CHECK_MS, CHECK_MS);
    run.open_slots = setup->at_once;
    for (int i = 0; i < setup->at_once; i++) {
        run.slots[i] = (struct first_start_slot){.run = &run, .events = -1, .folder = {.lock = -1}};
    }
    for (int i = 0; i < setup->at_once; i++) {
        start_next(&run.slots[i]);
    }
    uv_run(&run.loop, UV_RUN_DEFAULT);
    uv_loop_close(&run.loop);
    free(run.slots);
    return run.err;
}
