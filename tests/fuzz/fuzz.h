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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not an assertion: it holds in every build. */
#define CLAIM(claim)                                                                  \
    do {                                                                              \
        if (!(claim)) {                                                               \
            fprintf(stderr, "%s:%d: broken claim: %s\n", __FILE__, __LINE__, #claim); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

#endif
