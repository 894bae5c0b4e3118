/* match_report: the result of a match, for people. */
#ifndef CLI_MATCH_REPORT_H
#define CLI_MATCH_REPORT_H

#include <stdio.h>

#include "tournament/match.h"

/* "game 3: White wins 12 to -12 (no-moves)". */
void match_report_game(FILE *out, const struct match_game *game);

/* Points, Elo with error bars, times and faults. `names` are the players', clean text. */
void match_report_print(FILE *out, struct match *match, const char *const names[2],
                        const struct match_options *options);

#endif
