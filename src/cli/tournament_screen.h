/* tournament_screen: what a person sees of a tournament while it runs: progress, an estimate and
 * the top of the standings, on standard error if that is a terminal.
 */
#ifndef CLI_TOURNAMENT_SCREEN_H
#define CLI_TOURNAMENT_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/terminal.h"
#include "tournament/tournament.h"

struct tournament_screen {
    bool is_terminal;
    int64_t started_ns;
    size_t played_before; /* games, when it started */
    int64_t next_ns;      /* when to draw again */
    struct terminal_lines lines;
};

struct tournament_screen tournament_screen_open(const struct tournament *t);
void tournament_screen_draw(struct tournament_screen *screen, const struct tournament *t);
void tournament_screen_wipe(struct tournament_screen *screen);

/* "2 h 5 min", "3 min", "12 s" */
void tournament_screen_duration(double seconds, char *out, size_t room);

#endif
