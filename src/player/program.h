/* program: the life of a player's program, from its start to its burial.
 *
 * What tcp, file, template and ugi players share: where the program runs, what it
 * said on standard error, and how it is sent home. At most one process at a time.
 */
#ifndef PLAYER_PROGRAM_H
#define PLAYER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "sandbox/process.h"
#include "player/spec.h"
#include "sandbox/stderr_log.h"

struct program_events {
    void *owner;
    void (*on_ready)(void *owner); /* may be NULL */
    /* NULL: what it prints is kept for program_output instead. */
    void (*on_output)(void *owner, const char *bytes, size_t count);
    /* It ended, by itself or because it was dismissed. program_start may be called again. */
    void (*on_gone)(void *owner, const struct process_exit *exit, bool was_dismissed);
    void (*on_closed)(void *owner); /* after program_close: the last event */
};

/* The processor time that it had used at some moment of its turn, or at its start. */
struct program_baseline {
    bool is_known;
    int64_t at_ns;
    int64_t used_ns;
};

/* Stays where it is from program_init to on_closed. */
struct program {
    const struct player_spec *spec;
    struct player_setup setup;
    struct player_command command;
    struct process *process; /* NULL: none runs */
    bool is_dismissed;
    struct program_baseline baseline;
    struct player_conduct conduct;
    uv_timer_t kill_timer;
    uv_timer_t baseline_timer;
    int open_timers;
    struct stderr_log log;    /* of all its processes so far */
    struct stderr_log output; /* likewise, unless on_output takes it */
    struct program_events events;
};

/* For process_spec: what a program in Python has printed is not lost when it is killed. */
extern const char *const program_unbuffered[];

MUST_USE enum err program_init(struct program *program, const struct player_spec *spec,
                               const struct player_setup *setup,
                               const struct program_events *events, struct note *why);

/* Command, folder, core and sandbox of `wishes` are filled in; the rest is the caller's. */
MUST_USE enum err program_start(struct program *program, struct process_spec wishes,
                                struct note *why);

/* True from program_start until it was dismissed or ended. */
bool program_is_running(const struct program *program);

/* A question is about to be sent to it. */
void program_begin_turn(struct program *program);

/* What it has done since then, if it has not answered. */
struct player_delay program_delay(const struct program *program);

/* It has been asked to leave in its own language and is killed after the grace. */
void program_dismiss(struct program *program, int grace_ms);

/* No process may be running. */
void program_close(struct program *program);

/* After on_closed; frees what program_init and later calls took. */
void program_free(struct program *program);

/* What its processes wrote to standard error, one after the other: beginning and end. */
size_t program_log(const struct program *program, char *out, size_t room);

/* Likewise what they printed on standard output, unless on_output took it. */
size_t program_output(const struct program *program, char *out, size_t room);

#endif
