#include "player/pipe_player.h"

#include <string.h>

/* A program that cannot be written to is mostly about to end: how it ends is a better reason. */
enum { DEAF_GRACE_MS = 200 };

void pipe_player_report(struct pipe_player *self, struct player_event event)
{
    player_report_now(&self->program.player, event);
}

void pipe_player_write(struct pipe_player *self, const char *text)
{
    if (player_program_is_running(&self->program) &&
        !process_write(self->program.process, text, strlen(text))) {
        self->is_blocked = true;
        player_program_dismiss(&self->program, DEAF_GRACE_MS);
    }
}

static void start_program(struct pipe_player *self)
{
    struct process_spec wishes = {.wants_terminal = self->protocol->wants_terminal};
    struct note why;
    self->wants_start = false;
    self->is_blocked = false;
    self->protocol->prepare(self, &wishes);
    if (player_program_start(&self->program, wishes, &why)) {
        player_program_fail(&self->program, &why);
    }
}

static void on_ready(struct player_program *program)
{
    struct pipe_player *self = (struct pipe_player *)program;
    if (self->is_playing) {
        self->protocol->on_start(self);
    }
}

static void on_output(struct player_program *program, const char *bytes, size_t count)
{
    struct pipe_player *self = (struct pipe_player *)program;
    if (self->is_playing && player_program_is_running(&self->program)) {
        self->protocol->on_output(self, bytes, count);
    }
}

static void on_gone(struct player_program *program, const struct process_exit *exit,
                    bool was_dismissed)
{
    struct pipe_player *self = (struct pipe_player *)program;
    struct note why;
    bool was_stopped = exit->how == PROCESS_KILLED;
    note_set(&why, "%s", was_stopped ? "it does not read what it is sent" : exit->sentence);
    if (self->protocol->on_program_end) {
        self->protocol->on_program_end(self);
    }
    if (self->is_closing) {
        player_program_close(&self->program);
    } else if (self->wants_start) {
        start_program(self);
    } else if (self->is_playing && exit->is_ours) {
        player_program_fail(&self->program, &why);
    } else if (self->is_playing && (!was_dismissed || self->is_blocked)) {
        player_program_fault(&self->program, FAULT_CRASHED, &why);
    }
}

/* Its next game starts another process. */
static void on_hostility(struct player_program *program)
{
    struct pipe_player *self = (struct pipe_player *)program;
    if (self->is_playing) {
        player_program_dismiss(&self->program, 0);
        player_program_fault(&self->program, FAULT_HOSTILE, &self->program.hostility);
    }
}

struct pipe_player *pipe_player_make(size_t bytes, const struct player_class *class,
                                     const struct pipe_protocol *protocol,
                                     const struct player_spec *spec,
                                     const struct player_setup *setup, struct note *why)
{
    struct player_program_events events = {.on_ready = on_ready,
                                           .on_output = protocol->on_output ? on_output : NULL,
                                           .on_gone = on_gone,
                                           .on_hostility = on_hostility};
    struct pipe_player *self = player_program_new(bytes, class, spec, setup, &events, why);
    if (self) {
        self->protocol = protocol;
    }
    return self;
}

static void dismiss(struct pipe_player *self)
{
    self->protocol->ask_to_exit(self);
    player_program_dismiss(&self->program, self->protocol->grace_ms);
}

void pipe_player_begin(struct player *player, const struct player_view *view)
{
    struct pipe_player *self = (struct pipe_player *)player;
    self->game = view->game;
    self->is_playing = true;
    if (player_program_is_running(&self->program) && *self->program.hostility.text) {
        on_hostility(&self->program); /* since the last game */
    } else if (player_program_is_running(&self->program)) {
        self->protocol->on_next_game(self);
    } else if (self->program.process) {
        self->wants_start = true;
    } else {
        start_program(self);
    }
}

void pipe_player_end(struct player *player, enum outcome outcome)
{
    struct pipe_player *self = (struct pipe_player *)player;
    bool stays = self->program.setup.restart == RESTART_PAIRING && self->protocol->on_next_game;
    (void)outcome;
    self->is_playing = false;
    self->wants_start = false;
    player_program_end_game(&self->program);
    if (!stays && player_program_is_running(&self->program)) {
        dismiss(self);
    }
}

void pipe_player_close(struct player *player)
{
    struct pipe_player *self = (struct pipe_player *)player;
    self->is_closing = true;
    self->is_playing = false;
    if (player_program_is_running(&self->program)) {
        dismiss(self);
    } else if (!self->program.process) {
        player_program_close(&self->program);
    }
}
