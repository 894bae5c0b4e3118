/* take_inotify COUNT: makes inotify instances until the system refuses, or that many, and prints
 * how many. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    long taken = 0;
    while (taken < wanted && inotify_init1(IN_CLOEXEC) >= 0) {
        taken++;
    }
    printf("%ld\n", taken);
    return 0;
}
