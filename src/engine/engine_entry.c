#include "engine/engine_entry.h"

#include <string.h>

#include "game/registry.h"

/* Written by CMake: REGISTRY_FOLDERS(X) is X(FOLDER) X(FOLDER) … */
#include "registry_folders.h"

#define DECLARE(folder)                                                  \
    extern const struct engine_entry *const folder##_engines_baseline[]; \
    extern const struct engine_entry *const folder##_engines_avx2[];
REGISTRY_FOLDERS(DECLARE)

#define BASELINE_ROW(folder) folder##_engines_baseline,
#ifdef PLUM_HAS_AVX2
#define AVX2_ROW(folder) folder##_engines_avx2,
#else
#define AVX2_ROW(folder)
#endif

static const struct engine_entry *const *const folders[CPU_LEVELS][16] = {
    [CPU_BASELINE] = {REGISTRY_FOLDERS(BASELINE_ROW)},
    [CPU_AVX2] = {REGISTRY_FOLDERS(AVX2_ROW)},
};

static const struct engine_entry *find_by_name(enum cpu_level level, const char *name)
{
    for (const struct engine_entry *const *const *folder = folders[level]; *folder; folder++) {
        for (const struct engine_entry *const *entry = *folder; *entry; entry++) {
            if (strcmp((*entry)->game, name) == 0) {
                return *entry;
            }
        }
    }
    return NULL;
}

const struct engine_entry *engine_entry_find(const struct game *game)
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        if (registry_find(level, game->name, NULL) == game) {
            return find_by_name(level, game->name);
        }
    }
    return NULL;
}

size_t engine_entry_worker_bytes(void)
{
    size_t most = 0;
    for (enum cpu_level level = CPU_BASELINE; level < CPU_LEVELS; level++) {
        for (const struct engine_entry *const *const *folder = folders[level]; *folder; folder++) {
            for (const struct engine_entry *const *entry = *folder; *entry; entry++) {
                most = (*entry)->worker_bytes > most ? (*entry)->worker_bytes : most;
            }
        }
    }
    return most;
}
