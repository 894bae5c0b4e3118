/* agent: our engine as a stand-alone program in any tournament.
 *
 * The other side of the courses' protocols. Each function plays until the judge asks it to
 * stop or its partner is gone, and blocks meanwhile.
 */
#ifndef APP_AGENT_H
#define APP_AGENT_H

#include <stdint.h>
#include <stdio.h>

#include "base/note.h"
#include "engine/engine.h"
#include "game/game.h"

struct agent {
    const struct game *game;
    struct engine *engine;
    int level;       /* 0: as strong as the time allows */
    int64_t time_ns; /* for a move */
};

/* A move for the side to move; the game must not be over. */
struct move agent_think(const struct agent *agent, const struct state *state);

/* A protocol that sends boards alone leaves it to the agent to count moves and to notice a new
 * game. This is what it needs to remember; a zeroed struct remembers nothing. */
struct agent_memory {
    bool has_board;
    struct state asked; /* the last position we were asked about */
    struct move answer; /* what we played there */
};

/* The position of a board. `cells` are those of the wire, row by row. Exact as long
 * as the games begin where they usually do and no turn of ours was passed without a question.
 * ERR_INPUT: the board cannot be one of this game. */
MUST_USE enum err agent_recall(const struct agent_memory *memory, const struct game *game,
                               const int *cells, enum side side, struct state *out,
                               struct note *why);

/* Recalls, thinks and remembers. The move is `pass` where there is nothing to play. */
MUST_USE enum err agent_answer(const struct agent *agent, struct agent_memory *memory,
                               const int *cells, enum side side, struct move *out,
                               struct note *why);

/* Each returns ERR_NONE when the judge asked it to stop. ERR_ENVIRONMENT: there is no judge, or not
 * any more; ERR_INPUT: what came makes no sense; ERR_NEGATIVE: it is a move against the rules. */
MUST_USE enum err agent_tcp(const struct agent *agent, const char *host, int port, int team,
                            struct note *why);
MUST_USE enum err agent_file(const struct agent *agent, const char *folder, int team,
                             struct note *why);
MUST_USE enum err agent_template(const struct agent *agent, FILE *in, FILE *out, struct note *why);

#endif
