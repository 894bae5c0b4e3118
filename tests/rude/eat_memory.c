/* eat_memory [MIB]: takes memory and uses it, up to 4 GiB or that much, until refused or killed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, ENOUGH = 4096 };

static char *volatile pieces[ENOUGH]; /* so that no compiler thinks it unused */

int main(int argc, char **argv)
{
    int wanted = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ENOUGH;
    for (int i = 0; i < wanted && i < ENOUGH; i++) {
        char *piece = malloc(MIB);
        if (!piece) {
            printf("refused after %d MiB\n", i);
            return 1;
        }
        memset(piece, i | 1, MIB);
        pieces[i] = piece;
    }
    printf("got all\n");
    return 0;
}
