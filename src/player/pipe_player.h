/* pipe_player: the common part of players whose program does not use a socket.
 *
 * ugi, template and file players start a program, exchange text with it, and stop it after each
 * game or each pairing. Their structs begin with `struct pipe_player`.
 */
#ifndef PLAYER_PIPE_PLAYER_H
#define PLAYER_PIPE_PLAYER_H

#include "player/player_program.h"

struct pipe_player;

struct pipe_protocol {
    int grace_ms;        /* from ask_to_exit until it is killed */
    bool wants_terminal; /* see struct process_spec */
    /* Before the program starts: forget everything received so far. */
    void (*prepare)(struct pipe_player *, struct process_spec *wishes);
    /* The program runs, and a game waits for it. */
    void (*on_start)(struct pipe_player *);
    /* The program plays another game. NULL: it is started again for each. */
    void (*on_next_game)(struct pipe_player *);
    /* NULL: its output is not part of the protocol. */
    void (*on_output)(struct pipe_player *, const char *bytes, size_t count);
    void (*ask_to_exit)(struct pipe_player *);
    /* The program has ended. May be NULL. */
    void (*on_program_end)(struct pipe_player *);
};

struct pipe_player {
    struct player_program program;
    const struct pipe_protocol *protocol;
    const struct game *game;
    bool is_playing;  /* between begin and end */
    bool wants_start; /* once the old program is gone */
    bool is_blocked;  /* it does not take what it is sent and is on its way out */
    bool is_closing;
};

/* A player of `bytes` bytes with this class, zeroed after `struct pipe_player`; NULL: see `why`.
 */
struct pipe_player *pipe_player_make(size_t bytes, const struct player_class *class,
                                     const struct pipe_protocol *protocol,
                                     const struct player_spec *spec,
                                     const struct player_setup *setup, struct note *why);

void pipe_player_report(struct pipe_player *, struct player_event event); /* `at_ns` is filled in */

/* Writes to its standard input; one that does not read is given up. */
void pipe_player_write(struct pipe_player *, const char *text);

/* Functions of the player's class. */
void pipe_player_begin(struct player *, const struct player_view *);
void pipe_player_end(struct player *, enum outcome);
void pipe_player_close(struct player *);

#endif
