/* match_log: the faults of a match and the output of its programs, for their authors.
 *
 * With a folder, each player has a file in it: its faults with board and rule, then what it
 * wrote to its standard streams. The first faults are also printed after the summary.
 */
#ifndef PLAY_MATCH_LOG_H
#define PLAY_MATCH_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/note.h"
#include "judge/judge.h"
#include "player/player_spec.h"

enum { MATCH_LOG_SHOWN = 5 };

struct match_log {
    FILE *files[2]; /* by player; NULL: no folder */
    int64_t fault_count;
    struct note shown[MATCH_LOG_SHOWN];
    bool is_faulty[2];
    struct violation_list violations[2]; /* what its programs tried in vain */
    int freezes[2];                      /* how often its programs were frozen */
    struct note last_line[2]; /* the last line that the program wrote to standard error */
};

/* `folder` may be NULL. It is made if it does not exist. */
MUST_USE enum err match_log_open(struct match_log *log, const char *folder,
                                 const struct player_spec *const specs[2], struct note *why);
/* `side` is the colour of the player at fault. */
void match_log_fault(struct match_log *log, int game, enum side side,
                     const struct game_fault *fault);
/* What it wrote to standard error and, where that is not read, to standard output; and what it
 * tried in vain. */
void match_log_streams(struct match_log *log, int player, struct player *closed);
/* The same of a program on another machine: its text as a source of the pool gets it, and what it
 * tried. */
void match_log_text(struct match_log *log, int player, const char *text);
void match_log_violation(struct match_log *log, int player, const struct violation *violation);
/* Each stream with its name above it; one that is NULL or empty is left out. */
void match_log_write_streams(FILE *file, const char *output, const char *errors);
/* A sentence about a player that was frozen; false: it was not. */
bool match_log_describe_freezes(int count, struct note *out);
/* `counted`: how many of the faults were in games that count. */
void match_log_summary(const struct match_log *log, int64_t counted, FILE *out);
/* ERR_ENVIRONMENT: something of it is lost. */
MUST_USE enum err match_log_close(struct match_log *log, struct note *why);

#endif
