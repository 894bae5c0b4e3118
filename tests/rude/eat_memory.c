/* Takes memory and uses it, up to 4 GiB, until refused or killed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, ENOUGH = 4096 };

static char *volatile pieces[ENOUGH]; /* so that no compiler thinks it unused */

int main(void)
{
    for (int i = 0; i < ENOUGH; i++) {
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
