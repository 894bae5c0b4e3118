/* roster_check: what `plum tournament check` finds out: every problem of a roster. */
#ifndef APP_ROSTER_CHECK_H
#define APP_ROSTER_CHECK_H

#include "base/cpu.h"
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

#endif
