/* entrants: a roster's teams, ready to play.
 *
 * Paths in a roster are meant from its folder: the current folder must be that one.
 */
#ifndef PLAY_ENTRANTS_H
#define PLAY_ENTRANTS_H

#include <stdbool.h>

#include "base/note.h"
#include "course/compiler.h"
#include "player/player_spec.h"
#include "store/store.h"
#include "tournament/roster.h"

struct entrant {
    struct player_spec spec;
    bool can_play;
    bool is_old_build;   /* the source was built in an earlier run, and that program plays */
    struct note absence; /* if not: why */
};

/* A zeroed struct is empty. */
struct entrants {
    struct entrant *list; /* by team */
    int count;
    struct entrant random; /* against which teams qualify */
    bool has_programs;
    bool has_tcp;
    bool has_thinkers; /* a player that needs a core */
};

/* Adds a problem for every file that a team needs and that is not there. The roster may be one in
 * which there are problems already. */
void entrants_find_missing(const struct roster *roster, struct roster_problems *problems);

/* The same before teams are stored: a tournament that could never begin cannot be resumed. Of the
 * team with this number; -1: of all. `path` is the roster's, for the note; paths in it start at
 * `folder`. */
MUST_USE enum err entrants_refuse_missing(const struct roster *roster, int number, const char *path,
                                          const char *folder, struct roster_problems *problems,
                                          struct note *why);

/* Adds the same problems for the compilers' messages, without which a tournament can be played. */
void entrants_find_missing_logs(const struct roster *roster, struct roster_problems *problems);

/* Reads the players; builds the sources into `folder`, unless this tournament has built them
 * already or their log says that they do not compile, and notes in the store how that went. A team
 * whose source does not compile cannot play; that is not an error. ERR_INTERRUPTED: by the
 * compiler's `stop`. */
MUST_USE enum err entrants_make(const struct roster *roster, const char *folder,
                                const struct compiler_options *compiler, struct store *store,
                                struct entrants *out, struct note *why);
void entrants_free(struct entrants *entrants);

/* Also of TOURNAMENT_RANDOM. */
const struct entrant *entrants_find(const struct entrants *entrants, int team);

/* Saves a hash of each file that sources and commands name. A file that has changed since the
 * tournament was played last becomes an audit entry, and a sentence for `on_change` unless it was
 * built now. */
MUST_USE enum err entrants_save_hashes(const struct roster *roster, const struct entrants *entrants,
                                       struct store *store, void *owner,
                                       void (*on_change)(void *owner, const char *sentence),
                                       struct note *why);

/* Whether no file that the sources or the command of a team name has changed since the tournament
 * was played last: then a sentence, else "". */
MUST_USE enum err entrants_explain_unchanged(const struct roster *roster, int number,
                                             struct store *store, struct note *sentence,
                                             struct note *why);

#endif
