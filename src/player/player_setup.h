/* player_setup: makes the players of a match.
 *
 * What is known of a player before there is a loop to play in: player/player_spec.h.
 */
#ifndef PLAYER_PLAYER_SETUP_H
#define PLAYER_PLAYER_SETUP_H

#include <stdbool.h>
#include <uv.h>

#include "base/cpu.h"
#include "base/note.h"
#include "player/player.h"
#include "player/player_spec.h"

struct sandbox;
struct tcp_server;

/* When a program is started anew. */
enum player_restart { RESTART_DEFAULT, RESTART_PAIRING, RESTART_GAME };

/* What a person sees. */
struct human_screen {
    void *owner;
    void (*show)(void *owner, const struct player_view *view); /* it is this person's turn */
    void (*print)(void *owner, const char *sentence);
};

/* What all players of a match share. */
struct player_setup {
    uv_loop_t *loop;
    enum cpu_level cpu_level;
    const struct sandbox *sandbox;     /* of programs */
    struct tcp_server *server;         /* of tcp players */
    const struct human_screen *screen; /* of human players */
    enum player_restart restart;
    const char *python;   /* what `python` and `python3` mean in commands; NULL or "": themselves */
    int core;             /* to run on, or -1 */
    bool violations_lose; /* a program that makes a hostile attempt loses its game */
    bool ponder;          /* programs may think while they owe no answer; else they are frozen */
    int hang_up_at;       /* tcp: the connection is broken after this many questions; 0: never */
};

/* `spec` outlives the player. NULL: see `why`. */
struct player *player_make(const struct player_spec *spec, const struct player_setup *setup,
                           struct note *why);

/* One function per kind, each in the file of its name. */
struct player *builtin_make(const struct player_spec *, const struct player_setup *, struct note *);
struct player *random_make(const struct player_spec *, const struct player_setup *, struct note *);
struct player *tcp_make(const struct player_spec *, const struct player_setup *, struct note *);
struct player *file_make(const struct player_spec *, const struct player_setup *, struct note *);
struct player *template_make(const struct player_spec *, const struct player_setup *,
                             struct note *);
struct player *ugi_make(const struct player_spec *, const struct player_setup *, struct note *);
struct player *human_make(const struct player_spec *, const struct player_setup *, struct note *);

/* A player that never starts, because of `reason`. `name` outlives the player. */
struct player *unavailable_make(const char *name, const char *reason, struct note *why);

#endif
