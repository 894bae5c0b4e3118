/* live_view: a tournament as spectators see it, kept up to date by its events.
 *
 * What was played comes from the store. Which games are running, and how far, is known from the
 * events alone.
 */
#ifndef WEB_LIVE_VIEW_H
#define WEB_LIVE_VIEW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/note.h"
#include "store/store.h"
#include "tournament/roster.h"
#include "tournament/tournament.h"

enum { LIVE_VIEW_TEXT_BYTES = 1024 }; /* of an event, as spectators see it */

/* A game that has begun and is not over. */
struct live_view_game {
    int game;
    char *start; /* the text of its start event */
    char **plies;
    size_t ply_count;
    int64_t at_ms; /* of its last event: the turn has lasted since then */
};

/* Points into itself: do not copy. A zeroed struct is empty. */
struct live_view {
    int64_t event; /* the last one seen */
    struct live_view_game *running;
    size_t running_count;

    bool is_anonymous;
    int *order; /* if so: the number of each team among the pseudonyms; entries do not change */
    atomic_int order_count; /* grows when a team enters */

    bool is_loaded; /* the tournament is as the store had it, but for the games below */
    struct roster roster;
    struct tournament tournament;
    int *finished; /* games that events named since then */
    size_t finished_count;
    size_t finished_capacity;
};

void live_view_free(struct live_view *view);

/* Letters in place of names; before the first refresh. */
MUST_USE enum err live_view_anonymise(struct live_view *view, struct store *store,
                                      enum cpu_level cpu, struct note *why);

/* What spectators see of an event's text. The numbers of teams are places in the list of teams; of
 * decisions an anonymous view shows no reason. */
void live_view_write_text(const struct live_view *view, const char *kind, const char *text,
                          char *out, size_t room);

/* Without memory a running game or a move is not shown; nothing else depends on it. */
void live_view_add(struct live_view *view, const struct store_event *event);

/* Reads from the store what the events announced: after the first time only new pairings and the
 * games that are over. Decisions of a teaching assistant make it read everything again. */
MUST_USE enum err live_view_refresh(struct live_view *view, struct store *store, enum cpu_level cpu,
                                    struct note *why);

/* Members of an object: how many games are running, and the last event. */
void live_view_write_now(const struct live_view *view, struct json *json);

/* Members of an object: the running games, move by move. */
void live_view_write_running(const struct live_view *view, struct json *json);

struct live_view_extent {
    size_t head_bytes; /* of what was written: the members that a list of tournaments has */
    int64_t total_games;
};

/* Members of an object that moves of running games do not change: teams, standings, byes, games. */
MUST_USE enum err live_view_write(const struct live_view *view, FILE *out,
                                  struct live_view_extent *extent, struct note *why);

#endif
