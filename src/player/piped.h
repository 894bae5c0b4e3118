/* piped: what the players that talk to a program without a socket have in common.
 *
 * ugi, template and file players start a program, talk to it in their own way, and
 * send it home after each game or each pairing. Their structs begin with `struct piped`.
 */
#ifndef PLAYER_PIPED_H
#define PLAYER_PIPED_H

#include "player/program.h"

struct piped;

struct piped_talk {
    int grace_ms;        /* from goodbye to the end */
    bool wants_terminal; /* see struct process_spec */
    /* Before the program starts: forget everything said so far. */
    enum err (*prepare)(struct piped *, struct process_spec *wishes, struct note *why);
    /* It runs. A game waits for it. */
    void (*greet)(struct piped *);
    /* It has played a game and is to play another. NULL: it is always started anew. */
    void (*greet_again)(struct piped *);
    /* NULL: what it prints is not meant for us. */
    void (*hear)(struct piped *, const char *bytes, size_t count);
    /* Asks it to leave. */
    void (*goodbye)(struct piped *);
    /* It is gone. May be NULL. */
    void (*tidy)(struct piped *);
};

struct piped {
    struct player player;
    struct program program;
    const struct piped_talk *talk;
    const struct game *game;
    bool is_playing;  /* between begin and end */
    bool wants_start; /* once the old program is gone */
    bool is_deaf;     /* it does not take what it is sent and is on its way out */
    bool is_closing;
};

/* A player of `bytes` bytes with this class, zeroed behind `struct piped`; NULL: see `why`. */
struct piped *piped_make(size_t bytes, const struct player_class *class,
                         const struct piped_talk *talk, const struct player_spec *spec,
                         const struct player_setup *setup, struct note *why);

void piped_tell(struct piped *, struct player_event event); /* `at_ns` is filled in */
void piped_fault(struct piped *, enum fault fault, const struct note *why);
void piped_fail(struct piped *, const struct note *why); /* this machine has, not the program */

/* Writes to its standard input; one that does not read is given up. */
void piped_say(struct piped *, const char *text);

/* Functions of the player's class. */
void piped_begin(struct player *, const struct player_view *, bool has_auction, uint64_t seed);
void piped_end(struct player *, enum outcome);
void piped_close(struct player *);
void piped_free(struct player *);
struct player_delay piped_delay(const struct player *);
size_t piped_log(const struct player *, char *out, size_t room);
size_t piped_output(const struct player *, char *out, size_t room);
struct player_conduct piped_conduct(const struct player *);

#endif
