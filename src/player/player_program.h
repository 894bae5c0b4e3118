/* player_program: the processes of a player's program, one after the other.
 *
 * What tcp, file, template and ugi players share: where the program runs, what it
 * wrote to standard error, and how it is stopped. At most one process at a time. Their structs
 * begin with `struct player_program`.
 */
#ifndef PLAYER_PLAYER_PROGRAM_H
#define PLAYER_PLAYER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "base/rng.h"
#include "sandbox/process.h"
#include "player/player_setup.h"
#include "sandbox/output_log.h"

struct player_program;

struct player_program_events {
    void (*on_ready)(struct player_program *); /* may be NULL */
    /* NULL: what it prints is kept for player_program_output instead. */
    void (*on_output)(struct player_program *, const char *bytes, size_t count);
    /* It ended, by itself or because it was dismissed. player_program_start may be called again. */
    void (*on_gone)(struct player_program *, const struct process_exit *exit, bool was_dismissed);
    /* With violations_lose: it runs, and `hostility` has a reason now. */
    void (*on_hostility)(struct player_program *);
    /* It does nothing but what it has to do even while it owes no answer. NULL: never. */
    bool (*is_excused)(struct player_program *);
};

/* The processor time that it had used at some moment of its turn, or at its start. */
struct player_program_baseline {
    bool is_known;
    int64_t at_ns;
    int64_t used_ns;
    bool is_start; /* what follows contains the start of an interpreter */
};

/* The processor time that it uses between its turns. */
struct player_program_rest {
    bool is_known; /* there was a look at it since its answer: */
    int64_t at_ns;
    int64_t used_ns;
    int64_t first_used_ns; /* at the first look */
    bool is_held;          /* it was frozen or yields: there is nothing left to find out */
    int64_t excess_ns;     /* since then, what goes beyond the share of a program that waits */
    int pause_ms;          /* until the next look */
};

struct player_program {
    struct player player;
    const struct player_spec *spec;
    struct player_setup setup;
    struct player_command command;
    struct process *process; /* NULL: none runs */
    bool is_dismissed;
    struct player_program_baseline baseline;
    int64_t asked_at_bytes; /* what it had written when its turn began */
    struct player_program_rest rest;
    struct rng rng;    /* for the times of the looks */
    bool has_pondered; /* in this or an earlier game */
    struct player_conduct conduct;
    struct note hostility; /* why the game of its process is lost; "": it is not */
    uv_timer_t kill_timer;
    uv_timer_t turn_timer; /* while it starts or has its turn */
    uv_timer_t rest_timer;
    int open_timers;
    struct output_log log;    /* of all its processes so far */
    struct output_log output; /* likewise, unless on_output takes it */
    struct player_program_events events;
};

/* For process_spec: what a program in Python has printed is not lost when it is killed. */
extern const char *const player_program_unbuffered[];

/* A player of `bytes` bytes with this class, zeroed after `struct player_program`; NULL: see `why`.
 */
void *player_program_new(size_t bytes, const struct player_class *class,
                         const struct player_spec *spec, const struct player_setup *setup,
                         const struct player_program_events *events, struct note *why);

/* Command, folder, core and sandbox of `wishes` are filled in; the rest is the caller's. */
MUST_USE enum err player_program_start(struct player_program *program, struct process_spec wishes,
                                       struct note *why);

void player_program_fault(struct player_program *program, enum fault fault, const struct note *why);

/* This machine has failed, not the program, which is named before the reason. */
void player_program_fail(struct player_program *program, const struct note *why);

/* True from player_program_start until it was dismissed or ended. */
bool player_program_is_running(const struct player_program *program);

/* A question is about to be sent to it. */
void player_program_begin_turn(struct player_program *program);

/* It owes no answer any more, not even a late one. If it uses the processor from now on, it is
 * frozen or, where pondering is allowed, runs when the others leave time, until it has another
 * turn. */
void player_program_end_turn(struct player_program *program);

/* The game is over: it may get ready for another or end by itself, and is not frozen. */
void player_program_end_game(struct player_program *program);

/* It has been asked to leave in its own language and is killed after the grace. */
void player_program_dismiss(struct player_program *program, int grace_ms);

/* No process may be running. PLAYER_CLOSED follows. */
void player_program_close(struct player_program *program);

/* --- Functions of the player's class. --- */

/* What it has done since its turn began, if it has not answered. */
struct player_delay player_program_delay(const struct player *);
int64_t player_program_used_ns(const struct player *);
void player_program_free(struct player *);

/* What its processes wrote to standard error, one after the other: beginning and end. */
size_t player_program_log(const struct player *, char *out, size_t room);

/* Likewise what they printed on standard output, unless on_output took it. */
size_t player_program_output(const struct player *, char *out, size_t room);
struct player_conduct player_program_conduct(const struct player *);

#endif
