#include "game/registry.h"

#include <stdio.h>
#include <string.h>

/* Written by CMake: REGISTRY_FOLDERS(X) is X(FOLDER) X(FOLDER) … */
#include "registry_folders.h"

#define DECLARE(folder)                                        \
    extern const struct game *const folder##_games_baseline[]; \
    extern const struct game *const folder##_games_avx2[];
REGISTRY_FOLDERS(DECLARE)

#define BASELINE_ROW(folder) folder##_games_baseline,
static const struct game *const *const baseline_folders[] = {REGISTRY_FOLDERS(BASELINE_ROW) NULL};

#ifdef PLUM_HAS_AVX2
#define AVX2_ROW(folder) folder##_games_avx2,
static const struct game *const *const avx2_folders[] = {REGISTRY_FOLDERS(AVX2_ROW) NULL};
#endif

static const struct game *const *const *folders_for(enum cpu_level level)
{
#ifdef PLUM_HAS_AVX2
    if (level == CPU_AVX2) {
        return avx2_folders;
    }
#endif
    (void)level;
    return baseline_folders;
}

const struct game *registry_at(enum cpu_level level, size_t index)
{
    for (const struct game *const *const *folder = folders_for(level); *folder; folder++) {
        for (const struct game *const *game = *folder; *game; game++) {
            if (index-- == 0) {
                return *game;
            }
        }
    }
    return NULL;
}

const struct game *registry_find(enum cpu_level level, const char *name, struct note *why)
{
    char names[NOTE_BYTES / 2] = "";
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(level, i)); i++) {
        if (strcmp(game->name, name) == 0) {
            return game;
        }
        size_t used = strlen(names);
        if (used + strlen(game->name) + 3 < sizeof names) {
            snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", game->name);
        }
    }
    note_set(why, "there is no game called '%.40s'; the games are %s", name, names);
    return NULL;
}
