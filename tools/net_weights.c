/* net_weights: turns a file of a network's weights, as tools/train writes it, into C.
 *
 *     net_weights FOLDER FILE >weights.c
 *
 * FOLDER is the game's, and the table is called net_FOLDER (src/engine/net.h). All numbers of the
 * file have 16 bits, the lower byte first: how many inputs, hidden units and buckets there are, the
 * scale; the first layer's rows and what its sums begin with; the second layer; its biases, two
 * numbers each, the lower half first.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS_PER_LINE = 24, PREFIX_BYTES = 64 };

/* GAME_NET */
static void make_prefix(const char *folder, char out[PREFIX_BYTES])
{
    snprintf(out, PREFIX_BYTES, "%s_NET", folder);
    for (char *at = out; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
}

static int next_number(FILE *file)
{
    int low = fgetc(file);
    int high = fgetc(file);
    if (high == EOF) {
        fprintf(stderr, "net_weights: the file is too short\n");
        exit(EXIT_FAILURE);
    }
    return (int16_t)(uint16_t)(low | high << 8);
}

static void write_table(FILE *file, const char *type, const char *name, int count, int parts)
{
    printf("static const %s %s[%d] = {", type, name, count);
    for (int i = 0; i < count; i++) {
        int number = next_number(file);
        if (parts == 2) {
            number = next_number(file) * 65536 + (uint16_t)number;
        }
        printf("%s%d,", i % NUMBERS_PER_LINE == 0 ? "\n    " : "", number);
    }
    printf("\n};\n");
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: net_weights FOLDER FILE >weights.c\n");
        return EXIT_FAILURE;
    }
    char prefix[PREFIX_BYTES];
    make_prefix(argv[1], prefix);
    int inputs = next_number(file);
    int hidden = next_number(file);
    int buckets = next_number(file);
    int scale = next_number(file);
    printf("#include \"games/%s/eval.h\"\n\n"
           "_Static_assert(%s_INPUTS == %d && %s_HIDDEN == %d && %s_BUCKETS == %d,\n"
           "               \"games/%s/eval.h and net.bin are of different sizes\");\n\n",
           argv[1], prefix, inputs, prefix, hidden, prefix, buckets, argv[1]);
    write_table(file, "int16_t", "first", (inputs + 1) * hidden, 1);
    write_table(file, "int16_t", "last", 2 * hidden * buckets, 1);
    write_table(file, "int32_t", "bias", buckets, 2);
    printf("\nconst struct net net_%s = {first, last, bias, %d};\n", argv[1], scale);
    if (fgetc(file) != EOF) {
        fprintf(stderr, "net_weights: the file is too long\n");
        return EXIT_FAILURE;
    }
    fclose(file);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
