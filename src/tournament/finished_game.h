/* finished_game: a game that is over, as it is handed on: from a match to files, the database,
 * another machine.
 *
 * Players are 0 and 1 as the match (a pairing) lists them, whatever their colours. Times are
 * durations: the clock of the machine that played may be wrong.
 */
#ifndef TOURNAMENT_FINISHED_GAME_H
#define TOURNAMENT_FINISHED_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"
#include "judge/game_event.h"
#include "judge/record_turns.h"

enum { GAME_REASON_BYTES = 32 };

/* What came of it. Plain values. */
struct game_summary {
    enum side colour[2]; /* by player */
    enum outcome outcome;
    int score[2];                   /* by side */
    char reason[GAME_REASON_BYTES]; /* as in the record */
    bool is_forfeit;                /* decided by a fault, not by the board */
    int plies;
    int faults[2][FAULT_KINDS];   /* by player */
    struct record_turns turns[2]; /* by player; zeros: the judge played none for it */
    int64_t thinking_ms[2];       /* by player: in all, and the longest turn */
    int64_t slowest_ms[2];
};

/* Counts the turns of each player in its record. */
void game_summary_count_turns(struct game_summary *summary, const char *record,
                              const struct game *game);

/* Its reason is the summary's. */
struct result game_summary_result(const struct game_summary *summary);

/* How often a game was played before without a result, and why the last time. */
struct game_again {
    int count;
    struct note why;
};

/* A zeroed struct is empty. */
struct finished_game {
    int index; /* in the match */
    struct game_summary summary;
    int64_t duration_ms;
    struct game_again again;
    char *record;                  /* its text; owned, as is the list; NULL: not kept */
    struct game_fault *fault_list; /* likewise */
    size_t fault_count;
};

void finished_game_free(struct finished_game *game);

#endif
