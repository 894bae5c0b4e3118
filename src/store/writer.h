/* writer: stores a tournament while it is played, in its own thread.
 *
 * The judge's thread only puts messages into a mailbox and never waits for a disk. Finished games
 * are committed in groups, synchronously; a game counts only when the writer reports that it is
 * committed. Moves of running games are for spectators: they are written without waiting for the
 * disk, and when a game is over its record replaces them.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "judge/game_event.h"
#include "store/store.h"
#include "tournament/tournament.h"

enum {
    WRITER_MAX_WAITING = 256
}; /* games; with more, the caller should wait before it starts others */

struct writer;

/* `on_progress` is called on the writer's thread when there is something to take. The store is the
 * writer's until writer_stop. */
MUST_USE enum err writer_start(struct writer **out, struct store *store, void *owner,
                               void (*on_progress)(void *owner), struct note *why);

/* What happened, in order. Texts are copied unless a name says `take_`: those are freed here. Games
 * of the qualification have no spectators: events and plies are those of rounds. */
void writer_add_round(struct writer *writer, int round, int first_pairing,
                      const struct tournament_pairing *pairings, size_t count);
void writer_add_event(struct writer *writer, const char *kind, int game, const char *text);
void writer_add_ply(struct writer *writer, int game, const char *text);
/* The game starts again: its plies so far are deleted. */
void writer_begin_again(struct writer *writer, int game);
/* `machine` played it; "": this one. A player of `take_game` is the place of its team in the game.
 * That it was begun again becomes an entry of the audit log. */
void writer_add_game(struct writer *writer, const struct tournament_game *game, const char *machine,
                     struct finished_game *take_game);
/* Adds an entry to the audit log, about a game of a round; -1: about none. */
void writer_add_audit(struct writer *writer, const char *what, int game, const char *reason);
/* Adds to what is known of a machine. */
void writer_add_machine(struct writer *writer, const char *machine,
                        const struct store_machine_counts *counts);
/* From the first game of this work on. */
void writer_add_violation(struct writer *writer, const struct tournament_work *work, int team,
                          const struct violation *violation);
void writer_add_log(struct writer *writer, const struct tournament_work *work, int team,
                    char *take_text);

/* The next game that was committed; false: none more by now. */
bool writer_take_committed(struct writer *writer, struct tournament_game *out);

/* Why nothing more can be written, or ERR_NONE. */
MUST_USE enum err writer_failure(struct writer *writer, struct note *why);

/* Writes what is left, ends the thread and frees the writer. Returns as writer_failure does. */
MUST_USE enum err writer_stop(struct writer *writer, struct note *why);

#endif
