/* player_spec: players as people write them, on a command line or in a roster.
 *
 *     builtin[:LEVEL | :key=value,…]   our engine: level= nodes= depth= movetime= threads= hash=
 *     random[:seed=N]                  any legal move
 *     tcp:TEAM:COMMAND                 starts COMMAND, which connects to port 8888 and sends TEAM
 *     file:TEAM:COMMAND                the same games through files
 *     template:COMMAND                 a game with an auction, through standard input and output
 *     ugi:COMMAND                      any game, the Universal Game Interface
 *     human                            a person at this terminal
 */
#ifndef PLAYER_PLAYER_SPEC_H
#define PLAYER_PLAYER_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"
#include "player/spending.h"

struct sandbox;

enum player_kind {
    PLAYER_BUILTIN,
    PLAYER_RANDOM,
    PLAYER_TCP,
    PLAYER_FILE,
    PLAYER_TEMPLATE,
    PLAYER_UGI,
    PLAYER_HUMAN,
};

enum {
    PLAYER_TEXT_BYTES = 1024,
    PLAYER_PYTHON_BYTES = 512, /* what `python` means, with the final NUL */
    PLAYER_MIN_TEAM = -1,      /* what a client sends in which it was never set */
    PLAYER_MAX_TEAM = 999999999,
    PLAYER_PROTOCOLS_BYTES = 48,
};

/* Options of the engine's search. 0: not given. */
struct builtin_options {
    int level;
    int depth;
    int64_t nodes;
    int64_t movetime_ms;
    int threads;
    int hash_mb;
};

/* Points into itself: do not copy. */
struct player_spec {
    enum player_kind kind;
    char text[PLAYER_TEXT_BYTES]; /* as written: the player's name */
    const char *command;          /* inside `text`; NULL where there is none */
    int team;
    uint64_t seed;          /* random */
    enum spending spending; /* random: see player/spending.h */
    bool has_bid;           /* random, builtin: it always bids `bid` */
    struct bid bid;
    struct builtin_options builtin;
};

/* ERR_INPUT: unknown kind, bad option, or a protocol that does not play this game. */
MUST_USE enum err player_spec_read(const char *text, const struct game *game,
                                   struct player_spec *out, struct note *why);

/* What programs play this game through, each with `dashes` in front: "tcp, file or ugi". */
const char *player_spec_protocols(const struct game *game, const char *dashes,
                                  char out[PLAYER_PROTOCOLS_BYTES]);

/* True for kinds that start a program. */
bool player_spec_is_program(const struct player_spec *spec);

/* Whether its moves depend on the game and its seed only, not on time or the machine. */
bool player_spec_is_deterministic(const struct player_spec *spec);

/* Where a program runs and what is run there. The folder is that of the first word of the
 * command that names an existing file outside the system's own folders, else the current one.
 * In the command every word that names an existing file becomes an absolute path, since it is
 * run in another folder. */
struct player_command {
    char folder[PLAYER_TEXT_BYTES];
    char text[2 * PLAYER_TEXT_BYTES];
};

/* `python`: see player/player_setup.h. */
MUST_USE enum err player_spec_command(const struct player_spec *spec, const char *python,
                                      struct player_command *out, struct note *why);

/* ERR_INPUT: this is not the name or path of one program; the note names `what`. */
MUST_USE enum err player_spec_check_python(const char *python, const char *what, struct note *why);

/* sandbox_rehearse() for the program of a player; players of other kinds always pass. */
MUST_USE enum err player_spec_rehearse(const struct player_spec *spec, const char *python,
                                       const struct sandbox *sandbox, struct note *why);

#endif
