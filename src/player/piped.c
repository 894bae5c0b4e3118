#include "player/piped.h"

#include <stdlib.h>
#include <string.h>

#include "base/loop.h"

/* Who cannot be written to is mostly about to end: how it ends says more. */
enum { DEAF_GRACE_MS = 200 };

void piped_tell(struct piped *self, struct player_event event)
{
    event.at_ns = loop_now_ns();
    player_tell(&self->player, &event);
}

void piped_fault(struct piped *self, enum fault fault, const struct note *why)
{
    piped_tell(self, (struct player_event){.kind = PLAYER_FAULT, .fault = fault, .why = *why});
}

void piped_fail(struct piped *self, const struct note *why)
{
    piped_tell(self, (struct player_event){.kind = PLAYER_FAILED, .why = *why});
}

void piped_say(struct piped *self, const char *text)
{
    if (program_is_running(&self->program) &&
        !process_write(self->program.process, text, strlen(text))) {
        self->is_deaf = true;
        program_dismiss(&self->program, DEAF_GRACE_MS);
    }
}

static void start_program(struct piped *self)
{
    struct process_spec wishes = {.wants_terminal = self->talk->wants_terminal};
    struct note why;
    self->wants_start = false;
    self->is_deaf = false;
    enum err err = self->talk->prepare(self, &wishes, &why);
    if (!err) {
        err = program_start(&self->program, wishes, &why);
    }
    if (err) {
        piped_fail(self, &why);
    }
}

static void on_ready(void *owner)
{
    struct piped *self = owner;
    if (self->is_playing) {
        self->talk->greet(self);
    }
}

static void on_output(void *owner, const char *bytes, size_t count)
{
    struct piped *self = owner;
    if (self->is_playing && program_is_running(&self->program)) {
        self->talk->hear(self, bytes, count);
    }
}

static void on_gone(void *owner, const struct process_exit *exit, bool was_dismissed)
{
    struct piped *self = owner;
    struct note why;
    bool was_stopped = exit->how == PROCESS_KILLED;
    note_set(&why, "%s", was_stopped ? "it does not read what it is sent" : exit->sentence);
    if (self->talk->tidy) {
        self->talk->tidy(self);
    }
    if (self->is_closing) {
        program_close(&self->program);
    } else if (self->wants_start) {
        start_program(self);
    } else if (self->is_playing && exit->is_ours) {
        piped_fail(self, &why);
    } else if (self->is_playing && (!was_dismissed || self->is_deaf)) {
        piped_fault(self, FAULT_CRASHED, &why);
    }
}

static void on_program_closed(void *owner)
{
    piped_tell(owner, (struct player_event){.kind = PLAYER_CLOSED});
}

struct piped *piped_make(size_t bytes, const struct player_class *class,
                         const struct piped_talk *talk, const struct player_spec *spec,
                         const struct player_setup *setup, struct note *why)
{
    struct piped *self = calloc(1, bytes);
    if (!self) {
        note_set(why, "no memory for a player");
        return NULL;
    }
    struct program_events events = {self, on_ready, talk->hear ? on_output : NULL, on_gone,
                                    on_program_closed};
    if (program_init(&self->program, spec, setup, &events, why)) {
        free(self);
        return NULL;
    }
    self->player = (struct player){.class = class, .name = spec->text};
    self->talk = talk;
    return self;
}

static void dismiss(struct piped *self)
{
    self->talk->goodbye(self);
    program_dismiss(&self->program, self->talk->grace_ms);
}

void piped_begin(struct player *player, const struct player_view *view, bool has_auction,
                 uint64_t seed)
{
    struct piped *self = (struct piped *)player;
    (void)has_auction;
    (void)seed;
    self->game = view->game;
    self->is_playing = true;
    if (program_is_running(&self->program)) {
        self->talk->greet_again(self);
    } else if (self->program.process) {
        self->wants_start = true;
    } else {
        start_program(self);
    }
}

void piped_end(struct player *player, enum outcome outcome)
{
    struct piped *self = (struct piped *)player;
    bool stays = self->program.setup.restart == RESTART_PAIRING && self->talk->greet_again;
    (void)outcome;
    self->is_playing = false;
    self->wants_start = false;
    if (!stays && program_is_running(&self->program)) {
        dismiss(self);
    }
}

void piped_close(struct player *player)
{
    struct piped *self = (struct piped *)player;
    self->is_closing = true;
    self->is_playing = false;
    if (program_is_running(&self->program)) {
        dismiss(self);
    } else if (!self->program.process) {
        program_close(&self->program);
    }
}

void piped_free(struct player *player)
{
    program_free(&((struct piped *)player)->program);
    free(player);
}

struct player_delay piped_delay(const struct player *player)
{
    return program_delay(&((const struct piped *)player)->program);
}

size_t piped_log(const struct player *player, char *out, size_t room)
{
    return program_log(&((const struct piped *)player)->program, out, room);
}

size_t piped_output(const struct player *player, char *out, size_t room)
{
    return program_output(&((const struct piped *)player)->program, out, room);
}

struct player_conduct piped_conduct(const struct player *player)
{
    return ((const struct piped *)player)->program.conduct;
}
