/* fuzz: what every fuzz target shares.
 *
 * A target defines LLVMFuzzerTestOneInput. libFuzzer calls it with inputs of its making,
 * replay_corpus.c with the files of a folder. A broken claim ends the process, so that both
 * notice.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "game/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every game is some byte's. */
static inline const struct game *fuzz_game(enum cpu_level cpu, uint8_t byte)
{
    size_t count = 0;
    while (registry_at(cpu, count)) {
        count++;
    }
    return registry_at(cpu, byte % count);
}

/* Not an assertion: it holds in every build. */
#define CLAIM(claim)                                                                  \
    do {                                                                              \
        if (!(claim)) {                                                               \
            fprintf(stderr, "%s:%d: broken claim: %s\n", __FILE__, __LINE__, #claim); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

#endif
