/* selfplay_file: the records of an unfinished `plum selfplay`, to go on behind them. */
#ifndef CLI_SELFPLAY_FILE_H
#define CLI_SELFPLAY_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

/* What the games in the file must have been played with. */
struct selfplay_terms {
    const struct game *game;
    const char *player;
    uint64_t seed;
    enum cpu_level cpu;
};

/* Opens `path` for appending, made if need be; *games are in it already. A record that was cut
 * off in the middle, the last thing in the file, is removed. ERR_INPUT: the file holds something
 * else, and stays as it is. */
MUST_USE enum err selfplay_file_open(const char *path, const struct selfplay_terms *terms,
                                     FILE **out, int *games, struct note *why);

#endif
