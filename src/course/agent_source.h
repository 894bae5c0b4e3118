/* agent_source: our agent for a game as one source file, for judges that want the source.
 *
 * Its parts are in clients/agent (search, conversation with the judge) and src/games/GAME/kit
 * (rules, evaluation, weights).
 */
#ifndef COURSE_AGENT_SOURCE_H
#define COURSE_AGENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "course/kit.h"
#include "game/game.h"

struct agent_source {
    const struct game *game;
    const char *language; /* cpp or python */
    const char *team;     /* a number; may be NULL where the protocol has none */
    int64_t limit_ns;     /* of a move */
    bool has_client_file; /* uses the client of the course from a file next to it */
};

/* Whether the agent sends its team's number. */
bool agent_source_has_team(const struct game *game);

/* The agent, called `name` with its ending, and with has_client_file the client. ERR_INPUT: the
 * language or the team is wrong, or there is no such agent for the game. */
MUST_USE enum err agent_source_make(const struct agent_source *source, const char *name,
                                    struct kit *out, struct note *why);

/* The agent as a new file. ERR_INPUT also: the file exists. */
MUST_USE enum err agent_source_save(const struct agent_source *source, const char *path,
                                    struct note *why);

#endif
