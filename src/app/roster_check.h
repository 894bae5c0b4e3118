/* roster_check: what `plum tournament check` finds out: every problem, or how long it may take. */
#ifndef APP_ROSTER_CHECK_H
#define APP_ROSTER_CHECK_H

#include <stdint.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "tournament/roster.h"

/* Reads a roster; *problems lists what is wrong in it and which files are missing on the disk. With
 * problems it returns ERR_INPUT. The caller frees *out in any case. */
MUST_USE enum err roster_check_read(const char *path, enum cpu_level cpu, struct roster *out,
                                    struct roster_problems *problems, struct note *why);

/* A remark for each folder in which several programs are, or one and the roster: what they see of
 * it. */
MUST_USE enum err roster_check_folders(const char *path, const struct roster *roster, void *owner,
                                       void (*on_remark)(void *owner, const char *sentence),
                                       struct note *why);

struct roster_estimate {
    int64_t games;
    int concurrency;
    double typical_s; /* when a turn takes a tenth of its limit */
    double worst_s;   /* when every turn takes all of it */
    /* When every move is late, once without late_limit and once with this one: the roster's, or
     * one to think about. */
    int late_limit;
    double late_game_s[2]; /* what one such program costs in a game */
    double late_s[2];      /* the tournament, when all programs are like this */
};
struct roster_estimate roster_check_estimate(const struct roster *roster);

#endif
