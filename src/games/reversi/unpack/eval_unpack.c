/* eval_unpack: turns a file of weights, as reversi_fit writes it, into C.
 *
 *     unpack_reversi reversi|othello FILE >weights.c
 *
 * The program contains every weight at its own index, twins included, so that the evaluation
 * needs one lookup.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/reversi/eval_pattern.h"
#include "games/reversi/unpack/eval_twins.h"

enum { BYTES_PER_LINE = 24 };

/* The next weight; `zeros` are left of a run. */
static int next_weight(FILE *file, int *zeros)
{
    if (*zeros == 0) {
        int byte = fgetc(file);
        if (byte != 0) {
            return byte;
        }
        *zeros = fgetc(file);
    }
    --*zeros;
    return 0;
}

static int write_knot(FILE *file, const uint32_t *twin, int *zeros)
{
    static int bytes[PATTERN_WEIGHTS];
    printf("    {");
    for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
        bytes[i] = twin[i] == i ? next_weight(file, zeros) : bytes[twin[i]];
        if (bytes[i] < 0) {
            return EXIT_FAILURE;
        }
        printf("%s\\%o%s", i % BYTES_PER_LINE == 0 ? "\n        \"" : "", (unsigned)bytes[i],
               i % BYTES_PER_LINE == BYTES_PER_LINE - 1 ? "\"" : "");
    }
    printf("%s},\n", PATTERN_WEIGHTS % BYTES_PER_LINE == 0 ? "" : "\"");
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static uint32_t twin[PATTERN_WEIGHTS];
    int zeros = 0;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: unpack_reversi reversi|othello FILE >weights.c\n");
        return EXIT_FAILURE;
    }
    eval_twins(strcmp(argv[1], "othello") == 0, twin);
    printf("#include \"games/reversi/eval_weights.h\"\n\n"
           "const int8_t eval_weights_%s[PATTERN_KNOTS][PATTERN_WEIGHTS] = {\n",
           argv[1]);
    for (int knot = 0; knot < PATTERN_KNOTS; knot++) {
        if (write_knot(file, twin, &zeros)) {
            fprintf(stderr, "%s: too short for %d sets of weights\n", argv[2], PATTERN_KNOTS);
            return EXIT_FAILURE;
        }
    }
    bool is_whole = zeros == 0 && fgetc(file) == EOF;
    if (!is_whole) {
        fprintf(stderr, "%s: too long for %d sets of weights\n", argv[2], PATTERN_KNOTS);
    }
    printf("};\n");
    fclose(file);
    return is_whole && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
