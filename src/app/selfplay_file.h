/* selfplay_file: the records of an unfinished `plum selfplay`, to go on behind them. */
#ifndef APP_SELFPLAY_FILE_H
#define APP_SELFPLAY_FILE_H

#include <stdio.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "tournament/match.h"

/* What the games in the file must have been played with. */
struct selfplay_terms {
    const struct match_options *match; /* its game, seed and openings */
    const char *player;
    enum cpu_level cpu;
};

/* Opens `path` for appending, made if need be; *games are in it already. A record that was cut
 * off in the middle, the last thing in the file, is removed. ERR_INPUT: the file holds something
 * else, and stays as it is. ERR_ENVIRONMENT: somebody else is writing it; until *out is closed
 * nobody else can. */
MUST_USE enum err selfplay_file_open(const char *path, const struct selfplay_terms *terms,
                                     FILE **out, int *games, struct note *why);

#endif
