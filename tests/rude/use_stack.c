/* use_stack MIB: raises its limit of the stack as far as it may, uses that much of it and prints
 * "got all".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { PIECE_BYTES = 64 << 10 };

/* The sum keeps every piece in use until the last one was written. */
static long use(long pieces)
{
    volatile char piece[PIECE_BYTES];
    for (int i = 0; i < PIECE_BYTES; i += 1024) {
        piece[i] = (char)pieces;
    }
    return pieces > 1 ? use(pieces - 1) + piece[0] : piece[1024];
}

int main(int argc, char **argv)
{
    long mib = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
    printf("%ld\n", use((mib << 20) / PIECE_BYTES));
    printf("got all\n");
    return 0;
}
