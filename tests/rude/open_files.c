/* open_files COUNT: opens files until the system refuses, or that many, and prints how many. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    long count = 0;
    while (count < wanted && open("/dev/null", O_RDONLY) >= 0) {
        count++;
    }
    printf("%ld\n", count);
    return 0;
}
