/* finished_game: what came of a game of a pairing, as it was played.
 *
 * Players are 0 and 1 as the pairing lists its teams, whatever their colours. Times are durations:
 * the clock of the machine that played may be wrong.
 */
#ifndef TOURNAMENT_FINISHED_GAME_H
#define TOURNAMENT_FINISHED_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"
#include "judge/game_event.h"
#include "tournament/tournament.h"

/* How often a game was played before without a result, and why the last time. */
struct game_again {
    int count;
    struct note why;
};

struct finished_game {
    int index;           /* in the pairing */
    enum side colour[2]; /* by player */
    enum outcome outcome;
    int score[2]; /* by side */
    char reason[TOURNAMENT_REASON_BYTES];
    bool is_forfeit;
    int plies;
    int faults[2][FAULT_KINDS]; /* by player */
    int64_t thinking_ms[2];     /* by player: in all, and the longest turn */
    int64_t slowest_ms[2];
    int64_t duration_ms;
    struct game_again again;
    char *record;                  /* its text; owned */
    struct game_fault *fault_list; /* owned */
    size_t fault_count;
};

void finished_game_free(struct finished_game *game);

#endif
