/* tournament_file: a roster or a tournament's database, opened and understood. */
#ifndef CLI_TOURNAMENT_FILE_H
#define CLI_TOURNAMENT_FILE_H

#include <stddef.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "store/store.h"
#include "tournament/roster.h"
#include "tournament/tournament.h"

/* A roster's text. A zeroed struct is none. */
struct roster_file {
    char *text;
    size_t bytes;
};

/* ERR_INPUT: there is no such file, or it is no text. */
MUST_USE enum err roster_file_read(const char *path, struct roster_file *out, struct note *why);
void roster_file_free(struct roster_file *file);

/* Several problems are printed on stderr, one a line, each behind `path`, and then counted in
 * `why`. One alone becomes `why`. */
void roster_file_complain(const char *path, const struct roster_problems *problems,
                          struct note *why);

/* Reads and checks a roster. As roster_read; problems are told as above. */
MUST_USE enum err roster_file_open(const char *path, enum cpu_level cpu, struct roster_file *file,
                                   struct roster *out, struct note *why);

/* Points into itself: it stays where it is. A zeroed struct is closed. */
struct tournament_file {
    struct store *store;
    struct roster roster;
    struct tournament tournament; /* with all that was played, without a sink */
};

/* Close it in any case. */
MUST_USE enum err tournament_file_open(struct tournament_file *file, const char *path,
                                       enum store_use use, enum cpu_level cpu, struct note *why);

/* A new database for this roster, the file `name` in `folder`. */
MUST_USE enum err tournament_file_create(struct tournament_file *file, const char *path,
                                         const struct roster *roster, const char *text,
                                         const char *folder, const char *name, enum cpu_level cpu,
                                         struct note *why);
void tournament_file_close(struct tournament_file *file);

/* Closes it and takes its database away: it was just made, and its tournament cannot begin. */
void tournament_file_remove(struct tournament_file *file);

/* A game's number as people write it, from 1, to ours, from 0. ERR_INPUT: there is none. */
MUST_USE enum err tournament_file_game(const struct tournament_file *file, const char *text,
                                       int *out, struct note *why);

/* ERR_INPUT: there is no team of that id. */
MUST_USE enum err tournament_file_team(const struct tournament_file *file, const char *id, int *out,
                                       struct note *why);

#endif
