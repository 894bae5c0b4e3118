/* sandbox_setup: makes sure, before the first game, that this machine can run the players'
 * programs.
 *
 * Finds out which sandbox is possible, whether the sandbox's user can run each program, and which
 * programs share a folder.
 */
#ifndef PLAY_SANDBOX_SETUP_H
#define PLAY_SANDBOX_SETUP_H

#include <stdbool.h>

#include "base/note.h"
#include "player/player_setup.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_folder.h"

enum { SANDBOX_SETUP_NAME_BYTES = 96 };

struct sandbox_setup_player {
    const struct player_spec *spec;      /* NULL: does not play */
    char name[SANDBOX_SETUP_NAME_BYTES]; /* "player 1", "team 7": for messages; "": none */
};

struct sandbox_setup {
    enum sandbox_mode mode;
    const struct sandbox_limits *limits;
    const char *python; /* see struct player_setup */
    const struct sandbox_setup_player *players;
    int player_count;
    /* May contain files of Plum; the programs are added. It belongs to the caller and outlives the
     * sandbox. */
    struct sandbox_neighbours *neighbours;
    bool is_probed; /* *out is a sandbox of this mode: its limits are replaced */
    void *owner;
    void (*on_remark)(void *owner, const char *sentence); /* may be NULL */
};

/* The sandbox in which sources are compiled. What is missing, or that there is none, is a remark;
 * `on_remark` may be NULL. */
MUST_USE enum err sandbox_setup_for_compilers(enum sandbox_mode mode, void *owner,
                                              void (*on_remark)(void *owner, const char *sentence),
                                              struct sandbox *out, struct note *why);

/* Without programs there is nothing to do, and *out is untouched. ERR_ENVIRONMENT: a program cannot
 * be run here. */
MUST_USE enum err sandbox_setup_prepare(const struct sandbox_setup *setup, struct sandbox *out,
                                        struct note *why);

/* The part that needs no sandbox: adds the programs to the neighbours, and has a remark for each
 * folder that several of them use, or one of them and Plum. */
MUST_USE enum err sandbox_setup_neighbours(const struct sandbox_setup *setup, struct note *why);

#endif
