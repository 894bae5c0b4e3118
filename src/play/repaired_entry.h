/* repaired_entry: what the file of a roster says now about a hand-in, for a tournament that has
 * begun.
 *
 * A tournament keeps the roster with which it was created. Before a team qualifies again the keys
 * about its hand-in, such as `player`, are taken from the file: `plum tournament init --add` puts a
 * repaired program into a new folder and names it there.
 */
#ifndef PLAY_REPAIRED_ENTRY_H
#define PLAY_REPAIRED_ENTRY_H

#include "store/tournament_file.h"

struct repaired_entry {
    char *text; /* the tournament's roster with the new keys; NULL: nothing is new */
    struct roster roster;
    char name[256]; /* of the file */
};

/* Of these teams, which the tournament has. A roster whose file is gone has nothing new.
 * ERR_INPUT: the file has mistakes, or names a program that does not exist. Free it also after an
 * error. */
MUST_USE enum err repaired_entry_read(const struct tournament_file *file, const char *const *ids,
                                      int count, enum cpu_level cpu, struct repaired_entry *out,
                                      struct note *why);
void repaired_entry_free(struct repaired_entry *entry);

#endif
