/* scene: a tournament as spectators see it, kept up to date by its events.
 *
 * What was played comes from the store; which games are running, and how far, is told by the
 * events alone.
 */
#ifndef WEB_SCENE_H
#define WEB_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "store/event.h"
#include "store/store.h"

/* A game that has begun and is not over. */
struct scene_game {
    int game;
    char *start; /* the text of its start event */
    char **plies;
    size_t ply_count;
};

/* A zeroed struct is empty. */
struct scene {
    int64_t event;    /* the last one seen */
    bool is_attended; /* somebody is playing the tournament */
    struct scene_game *running;
    size_t running_count;
};

void scene_free(struct scene *scene);

/* Without memory a game or a move is not shown; nothing else depends on it. */
void scene_add(struct scene *scene, const struct store_event *event);

/* The whole tournament as JSON: teams, standings, pairings, games, what is running. The first
 * *head_bytes of it, an opening brace and plain fields, are what a list of tournaments says. */
MUST_USE enum err scene_write(const struct scene *scene, struct store *store, enum cpu_level cpu,
                              FILE *out, size_t *head_bytes, struct note *why);

#endif
