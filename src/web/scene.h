/* scene: a tournament as spectators see it, kept up to date by its events.
 *
 * What was played comes from the store; which games are running, and how far, is told by the
 * events alone.
 */
#ifndef WEB_SCENE_H
#define WEB_SCENE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "store/store.h"

/* A game that has begun and is not over. */
struct scene_game {
    int game;
    char *start; /* the text of its start event */
    char **plies;
    size_t ply_count;
    int64_t at_ms; /* of its last event: the turn has lasted since then */
};

/* A zeroed struct is empty. */
struct scene {
    int64_t event; /* the last one seen */
    struct scene_game *running;
    size_t running_count;
};

void scene_free(struct scene *scene);

/* Without memory a game or a move is not shown; nothing else depends on it. */
void scene_add(struct scene *scene, const struct store_event *event);

/* The JSON below has fields without the braces around them. */

/* How many games are running, and the last event. */
void scene_write_now(const struct scene *scene, FILE *out);

/* The running games, move by move. */
void scene_write_running(const struct scene *scene, FILE *out);

struct scene_extent {
    size_t head_bytes; /* of what was written: what a list of tournaments says */
    int64_t total_games;
};

/* What moves of running games do not change: teams, standings, pairings, games. */
MUST_USE enum err scene_write(const struct scene *scene, struct store *store, enum cpu_level cpu,
                              FILE *out, struct scene_extent *extent, struct note *why);

#endif
