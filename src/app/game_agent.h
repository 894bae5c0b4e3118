/* game_agent: an agent that visitors of a server can play against, with the name that they see. */
#ifndef APP_GAME_AGENT_H
#define APP_GAME_AGENT_H

#include <stdbool.h>

#include "base/cpu.h"
#include "base/note.h"
#include "game/game.h"
#include "player/player_spec.h"

enum { GAME_AGENT_NAME_BYTES = 64 };

/* Points into itself: do not copy. */
struct game_agent {
    char name[GAME_AGENT_NAME_BYTES];
    struct player_spec spec;
};

/* Reads "NAME=PLAYER". ERR_INPUT: see `why`. */
MUST_USE enum err game_agent_read(const char *text, enum cpu_level level, struct game_agent *out,
                                  struct note *why);

/* ERR_INPUT: a file that its command names, from the current folder, does not exist. */
MUST_USE enum err game_agent_check_files(const struct game_agent *agent, struct note *why);

/* Whether the agent's protocol can play this game. */
bool game_agent_plays(const struct game_agent *agent, const struct game *game);

#endif
