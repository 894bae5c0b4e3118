/* replay: plays a record again and checks that it is true.
 *
 * Checked are the start, the number, side and legality of every ply, that a turn with a fault
 * was played as the game's policy demands, and that result, score and reason follow from the
 * board or from a loss by fault or resignation.
 */
#ifndef JUDGE_REPLAY_H
#define JUDGE_REPLAY_H

#include <stddef.h>

#include "base/cpu.h"
#include "base/note.h"
#include "game/game.h"
#include "judge/record.h"

/* A zeroed struct is the replay of nothing. */
struct replay {
    const struct game *game; /* NULL: the record names none */
    struct state *states;    /* the start, then the position after each ply */
    size_t state_count;      /* 0: not even the start is known */
    size_t state_capacity;
};

/* ERR_NEGATIVE: the record is not true; ERR_INPUT: a tag or move has no meaning. `why` names
 * the line, the ply and its move, or the tag. *out then holds what could be played. Its memory
 * is used again from call to call. */
MUST_USE enum err replay_run(enum cpu_level cpu, const struct record *record, struct replay *out,
                             struct note *why);

void replay_free(struct replay *replay);

#endif
