/* tournament_file: the one way to load a tournament: its roster, and all that was played.
 *
 * Prints nothing: what is wrong in a roster is returned in a list, and a command prints it.
 */
#ifndef STORE_TOURNAMENT_FILE_H
#define STORE_TOURNAMENT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/note.h"
#include "store/store.h"
#include "tournament/roster.h"
#include "tournament/tournament.h"

/* The text of a roster. The caller frees *out. ERR_INPUT: the file cannot be read, or is too large.
 */
MUST_USE enum err tournament_file_read_text(const char *path, char **out, size_t *bytes,
                                            struct note *why);

/* Reads and checks a roster; the caller frees both. On ERR_INPUT *problems lists what is wrong in
 * the file, and `why` is the only problem or counts them; an empty list: the file cannot be read.
 */
MUST_USE enum err tournament_file_read_roster(const char *path, enum cpu_level cpu, char **text,
                                              struct roster *out, struct roster_problems *problems,
                                              struct note *why);

/* Reads the roster and all that was played from an open store. `t` points to `roster`; the caller
 * frees both, also after an error. The records of the games are not read: store_check_records. */
MUST_USE enum err tournament_file_load(struct store *store, enum cpu_level cpu,
                                       struct roster *roster, struct tournament *t,
                                       struct note *why);

/* Points into itself: do not copy or move it. A zeroed struct is closed. */
struct tournament_file {
    struct store *store;
    struct roster roster;
    struct tournament tournament; /* without a sink */
    bool is_anonymous;
};

/* Loads it and checks every record. Close it also after an error. */
MUST_USE enum err tournament_file_open(struct tournament_file *file, const char *path,
                                       enum store_use use, enum cpu_level cpu, struct note *why);

/* A new database for this roster, which is the file `name` in `folder`. Close it also after an
 * error. */
MUST_USE enum err tournament_file_create(struct tournament_file *file, const char *path,
                                         const struct roster *roster, const char *text,
                                         const char *folder, const char *name, enum cpu_level cpu,
                                         struct note *why);
void tournament_file_close(struct tournament_file *file);

/* Closes it and deletes its database: it was just created, and its tournament cannot begin. */
void tournament_file_remove(struct tournament_file *file);

/* Letters in place of names, in the roster, its tournament and the records: store/pseudonym.h. */
MUST_USE enum err tournament_file_anonymise(struct tournament_file *file, struct note *why);

/* The record of a game's latest attempt; NULL if it has none. The caller frees. */
MUST_USE enum err tournament_file_record(const struct tournament_file *file, int game, char **out,
                                         struct note *why);

/* Writes the records of all games that count, in their order. `path` names `out` in an error
 * message; NULL: the caller looks for errors of `out`. */
MUST_USE enum err tournament_file_write_records(const struct tournament_file *file, FILE *out,
                                                const char *path, struct note *why);

/* The same into a file, which must not exist; a device or a pipe may. */
MUST_USE enum err tournament_file_export(const struct tournament_file *file, const char *path,
                                         struct note *why);

/* A game's number as people write it, from 1, to ours, from 0. ERR_INPUT: there is no such game. */
MUST_USE enum err tournament_file_game(const struct tournament_file *file, const char *text,
                                       int *out, struct note *why);

/* The games that the words name, in order, each once: a number, or "team:ID" or "round:N" for the
 * finished games of that team or round that are not annulled, or if `are_annulled` those that are.
 * The caller frees *out. ERR_INPUT: a word is none of these. ERR_NEGATIVE: the team or round has no
 * such game. */
MUST_USE enum err tournament_file_games(const struct tournament_file *file, char *const *words,
                                        int word_count, bool are_annulled, int **out, size_t *count,
                                        struct note *why);

/* ERR_INPUT: there is no team with that id. */
MUST_USE enum err tournament_file_team(const struct tournament_file *file, const char *id, int *out,
                                       struct note *why);

#endif
