/* tcp: programs written for the courses' sockets.
 *
 * One program plays both games of a pairing unless it is restarted for each. The
 * judge's question is a board with an id; the client answers to the id. Answers
 * to old ids really come, long after the judge gave up on them: the first answer
 * to an id counts as late and is dropped; a second one, or one to an id that was
 * never given, is an attack.
 *
 * A program may lose its connection and come back: it gets the same board again
 * and its clock continues. When it exits, what it still had written is read first.
 * One that leaves between two games of a pairing is started anew, with the time
 * to start that every program gets; so is one that violated the protocol.
 */

#include "base/clock.h"
#include "sandbox/sandbox.h"
#include "base/loop.h"
#include "sandbox/process.h"
#include "player/player_program.h"
#include "player/player_setup.h"
#include "player/tcp_server.h"
#include "protocol/wire.h"

enum {
    MAX_QUESTIONS = 1 << 14, /* in one life of a program; a pairing has at most 400 */
    STOP_GRACE_MS = 1000,    /* to leave by itself after code 0 */
    RECONNECT_MS = 1000,
};

struct tcp_player {
    struct player_program program;
    struct tcp_endpoint *endpoint; /* NULL: none is open, nor about to close */
    struct wire_reader reader;

    bool is_playing;  /* between begin and end */
    bool is_starting; /* the program is not ready yet: READY follows */
    bool wants_start; /* once the old program and its endpoint are gone */
    bool is_fresh;    /* the program was started for this game */
    bool is_closing;  /* no more games */
    int questions_in_game;
    int64_t missed_ns;  /* when its connection was missed last; 0: not since the last question */
    int64_t excused_ns; /* how long it was missed in all */

    const struct game *game;
    int32_t last_id;
    bool is_asked;
    uint8_t question[WIRE_BOARD_BYTES];
    uint8_t answered[MAX_QUESTIONS / 8];
};

static void report_fault(struct tcp_player *self, enum fault fault, const struct note *why)
{
    self->is_asked = false;
    self->is_starting = false;
    player_program_fault(&self->program, fault, why);
}

/* This machine has failed, not the program. */
static void report_failure(struct tcp_player *self, const struct note *why)
{
    self->is_asked = false;
    self->is_starting = false;
    player_program_fail(&self->program, why);
}

static void report_ready(struct tcp_player *self, int64_t came_ns)
{
    self->is_starting = false;
    player_report_now(&self->program.player,
                      (struct player_event){.kind = PLAYER_READY, .came_ns = came_ns});
}

/* A program that breaks the protocol is ended: the next game starts it anew. */
static void expel(struct tcp_player *self, enum fault fault, const struct note *why)
{
    if (player_program_is_running(&self->program)) {
        player_program_dismiss(&self->program, 0);
    }
    report_fault(self, fault, why);
}

/* --- Answers --- */

static bool was_answered(const struct tcp_player *self, int32_t id)
{
    return self->answered[id / 8] >> id % 8 & 1;
}

static void take_answer(struct tcp_player *self, const struct wire_answer *answer, int64_t now_ns,
                        int64_t came_ns)
{
    struct note why;
    int32_t id = answer->id;
    if (id < 1 || id > self->last_id) {
        note_set(&why, "an answer to package %d, which was never sent", (int)id);
        expel(self, FAULT_HOSTILE, &why);
        return;
    }
    if (was_answered(self, id)) {
        note_set(&why, "a second answer to package %d", (int)id);
        expel(self, FAULT_HOSTILE, &why);
        return;
    }
    self->answered[id / 8] |= (uint8_t)(1 << id % 8);
    if (id == self->last_id) { /* late or not; clients answer in order */
        player_program_end_turn(&self->program);
    }
    if (id != self->last_id || !self->is_asked) {
        return; /* late, and already charged */
    }
    struct player_event event = {.kind = PLAYER_MOVE, .at_ns = now_ns, .came_ns = came_ns};
    if (wire_move(self->game, answer, &event.move, &event.why)) {
        event.kind = PLAYER_FAULT;
        event.fault = FAULT_INVALID;
        wire_describe(answer, &event.answer);
    }
    self->is_asked = false;
    player_report(&self->program.player, &event);
}

static void on_bytes(void *owner, const uint8_t *bytes, size_t count, int64_t came_ns)
{
    struct tcp_player *self = owner;
    int64_t now_ns = clock_now_ns();
    struct wire_answer answer;
    struct note why;
    while (self->endpoint && !self->program.is_dismissed) {
        switch (wire_feed(&self->reader, &bytes, &count, &answer, &why)) {
        case WIRE_MORE:
        case WIRE_TEAM:
            return;
        case WIRE_ANSWER:
            take_answer(self, &answer, now_ns, came_ns);
            break;
        case WIRE_MALFORMED:
            expel(self, FAULT_MALFORMED, &why);
            return;
        }
    }
}

/* --- The program's life --- */

static void start_program(struct tcp_player *self);

/* No program and no endpoint is left. */
static void all_gone(struct tcp_player *self)
{
    if (self->is_closing) {
        player_program_close(&self->program);
    } else if (self->wants_start) {
        start_program(self);
    }
}

static void on_endpoint_closed(void *owner)
{
    struct tcp_player *self = owner;
    self->endpoint = NULL;
    all_gone(self);
}

/* Some programs leave after one game, without a word, when the next may have begun already. */
static bool left_between_games(const struct tcp_player *self)
{
    bool has_begun =
        self->questions_in_game > 1 || (self->questions_in_game == 1 && !self->is_asked);
    return !self->is_fresh && !has_begun;
}

static void on_gone(struct player_program *program, const struct process_exit *exit,
                    bool was_dismissed)
{
    struct tcp_player *self = (struct tcp_player *)program;
    if (self->endpoint && !was_dismissed) {
        tcp_endpoint_drain(self->endpoint);
    }
    if (self->is_playing && exit->is_ours) {
        struct note why;
        note_set(&why, "%s", exit->sentence);
        report_failure(self, &why);
    } else if (self->is_playing && (was_dismissed || left_between_games(self))) {
        self->is_starting = true;
        self->wants_start = true;
        player_report_now(&self->program.player, (struct player_event){.kind = PLAYER_RESTARTS});
    } else if (self->is_playing) {
        struct note why;
        note_set(&why, "%s", exit->sentence);
        report_fault(self, FAULT_CRASHED, &why);
    }
    if (self->endpoint) {
        tcp_endpoint_close(self->endpoint);
    } else {
        all_gone(self);
    }
}

static void send_stop(struct tcp_player *self)
{
    uint8_t stop[WIRE_STOP_BYTES] = {0};
    tcp_endpoint_send(self->endpoint, stop, sizeof stop);
}

/* Here a wrong team number does no harm. */
static void check_team(struct tcp_player *self, int32_t team)
{
    const struct tcp_server *server = self->program.setup.server;
    int expected = self->program.spec->team;
    if (team != expected && server->on_remark) {
        struct note note;
        note_set(&note, "%.80s calls itself team %d, not %d; it plays on",
                 self->program.player.name, (int)team, expected);
        server->on_remark(server->owner, note.text);
    }
}

static void on_client(void *owner, int32_t team, int64_t came_ns)
{
    struct tcp_player *self = owner;
    self->reader = (struct wire_reader){.has_team = true, .team = team};
    check_team(self, team);
    if (self->program.is_dismissed) {
        send_stop(self);
        return;
    }
    if (self->is_asked) {
        tcp_endpoint_send(self->endpoint, self->question, sizeof self->question);
    }
    if (self->is_starting) {
        report_ready(self, came_ns);
    }
}

static void on_endpoint_failure(void *owner, const struct note *why)
{
    struct tcp_player *self = owner;
    if (self->is_playing) {
        report_failure(self, why);
    }
}

static bool has_socket(const void *owner, uint64_t inode)
{
    const struct tcp_player *self = owner;
    return self->program.process && process_has_socket(self->program.process, inode);
}

static enum err open_endpoint(struct tcp_player *self, int listener, struct note *why)
{
    struct tcp_endpoint_events events = {
        self, on_client, on_bytes, on_endpoint_failure, on_endpoint_closed, has_socket,
    };
    return tcp_endpoint_open(self->program.setup.server, listener, &events, &self->endpoint, why);
}

static void on_process_ready(struct player_program *program)
{
    struct tcp_player *self = (struct tcp_player *)program;
    struct note why;
    int listener = process_take_listener(self->program.process);
    if (listener >= 0 && open_endpoint(self, listener, &why)) {
        self->is_playing = false; /* its end is not reported after this */
        player_program_dismiss(&self->program, 0);
        report_failure(self, &why);
    }
}

static void start_program(struct tcp_player *self)
{
    struct note why;
    enum err err = ERR_NONE;
    self->wants_start = false;
    self->is_fresh = true;
    if (!(self->program.setup.sandbox->features & SANDBOX_NAMESPACES)) {
        err = open_endpoint(self, -1, &why); /* at the server, before the program looks for it */
    }
    if (!err) {
        struct process_spec wishes = {.listen_port = WIRE_PORT,
                                      .environment = player_program_unbuffered};
        err = player_program_start(&self->program, wishes, &why);
    }
    if (err && self->endpoint) {
        tcp_endpoint_close(self->endpoint);
    }
    if (err == ERR_ENVIRONMENT) {
        report_failure(self, &why);
    } else if (err) {
        report_fault(self, FAULT_CRASHED, &why);
    }
}

/* A program whose connection is lost connects again. It has this time once: one that hangs up to be
 * free would hang up again. */
static bool is_connecting(struct player_program *program)
{
    struct tcp_player *self = (struct tcp_player *)program;
    int64_t now_ns = clock_now_ns();
    bool is_connected = self->endpoint && tcp_endpoint_has_client(self->endpoint);
    if (!is_connected && self->missed_ns) {
        self->excused_ns += now_ns - self->missed_ns;
    }
    self->missed_ns = is_connected ? 0 : now_ns;
    return !is_connected && self->excused_ns < RECONNECT_MS * CLOCK_NS_PER_MS;
}

/* Code 0, then a moment to leave by itself. */
static void dismiss(struct tcp_player *self)
{
    bool is_connected = self->endpoint && tcp_endpoint_has_client(self->endpoint);
    if (is_connected) {
        send_stop(self);
    }
    player_program_dismiss(&self->program, is_connected ? STOP_GRACE_MS : 0);
}

static void on_hostility(struct player_program *program)
{
    struct tcp_player *self = (struct tcp_player *)program;
    if (self->is_playing) {
        expel(self, FAULT_HOSTILE, &self->program.hostility);
    }
}

/* --- What the judge calls --- */

static void begin(struct player *player, const struct player_view *view)
{
    struct tcp_player *self = (struct tcp_player *)player;
    self->game = view->game;
    self->is_playing = true;
    self->is_starting = true;
    self->is_fresh = false;
    self->questions_in_game = 0;
    if (player_program_is_running(&self->program) && *self->program.hostility.text) {
        on_hostility(&self->program); /* since the last game */
        return;
    }
    if (player_program_is_running(&self->program)) {
        if (self->endpoint && tcp_endpoint_has_client(self->endpoint)) {
            report_ready(self, 0);
        }
        return;
    }
    self->wants_start = true;
    if (!self->program.process && !self->endpoint) {
        start_program(self);
    }
}

static int64_t ask_move(struct player *player, const struct player_view *view)
{
    struct tcp_player *self = (struct tcp_player *)player;
    if (self->last_id + 1 == MAX_QUESTIONS) {
        struct note why;
        note_set(&why, "more than %d questions to one player", MAX_QUESTIONS);
        report_fault(self, FAULT_CRASHED, &why);
        return clock_now_ns();
    }
    player_program_begin_turn(&self->program);
    self->missed_ns = 0;
    self->is_asked = true;
    self->last_id++;
    self->questions_in_game++;
    wire_write_board(view->game, view->now, view->side, self->last_id, self->question);
    if (self->endpoint) {
        tcp_endpoint_send(self->endpoint, self->question, sizeof self->question);
        if (self->last_id == self->program.setup.hang_up_at) {
            tcp_endpoint_hang_up(self->endpoint);
        }
    }
    return clock_now_ns() + (self->is_starting ? view->startup_ns : 0);
}

static void forget(struct player *player) { ((struct tcp_player *)player)->is_asked = false; }

static void end(struct player *player, enum outcome outcome)
{
    struct tcp_player *self = (struct tcp_player *)player;
    (void)outcome;
    self->is_playing = false;
    self->is_asked = false;
    self->is_starting = false;
    self->wants_start = false;
    player_program_end_game(&self->program);
    if (self->program.setup.restart == RESTART_GAME && player_program_is_running(&self->program)) {
        dismiss(self);
    }
}

static void close_player(struct player *player)
{
    struct tcp_player *self = (struct tcp_player *)player;
    self->is_closing = true;
    self->is_playing = false;
    self->is_asked = false;
    if (player_program_is_running(&self->program)) {
        dismiss(self);
    } else if (!self->program.process && !self->endpoint) {
        all_gone(self);
    }
}

static struct player_delay explain_delay(const struct player *player)
{
    const struct tcp_player *self = (const struct tcp_player *)player;
    struct player_delay delay = player_program_delay(player);
    if (self->is_asked && !self->is_starting && self->endpoint &&
        !tcp_endpoint_has_client(self->endpoint)) {
        delay = (struct player_delay){.is_explained = true};
        note_set(&delay.reason, "its connection is closed, and it has not connected again");
    }
    return delay;
}

static const struct player_class tcp_class = {
    .begin = begin,
    .ask_move = ask_move,
    .explain_delay = explain_delay,
    .used_ns = player_program_used_ns,
    .forget = forget,
    .end = end,
    .close = close_player,
    .free = player_program_free,
    .log = player_program_log,
    .output = player_program_output,
    .conduct = player_program_conduct,
};

struct player *tcp_make(const struct player_spec *spec, const struct player_setup *setup,
                        struct note *why)
{
    static const struct player_program_events events = {.on_ready = on_process_ready,
                                                        .on_gone = on_gone,
                                                        .on_hostility = on_hostility,
                                                        .is_excused = is_connecting};
    return player_program_new(sizeof(struct tcp_player), &tcp_class, spec, setup, &events, why);
}
