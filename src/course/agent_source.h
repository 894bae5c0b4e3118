/* agent_source: our agent for a game as one source file, for judges that want the source.
 *
 * Its parts are in clients/agent (search, conversation with the judge) and src/games/GAME/kit
 * (rules, evaluation, weights).
 */
#ifndef COURSE_AGENT_SOURCE_H
#define COURSE_AGENT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/note.h"
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

/* ERR_INPUT: the language or the team is wrong, or there is no such agent for the game; nothing
 * was written then. */
MUST_USE enum err agent_source_write(const struct agent_source *source, FILE *out,
                                     struct note *why);

/* The name of that client, as in "STcpClient.h", and its text with the team's number. NULL: the
 * game has none. */
const char *agent_source_client_name(const struct agent_source *source);
MUST_USE enum err agent_source_write_client(const struct agent_source *source, FILE *out,
                                            struct note *why);

/* The same as agent_source_write into a new file. ERR_INPUT also: the file exists. */
MUST_USE enum err agent_source_save(const struct agent_source *source, const char *path,
                                    struct note *why);

#endif
