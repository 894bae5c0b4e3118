/* take_inotify COUNT: makes inotify instances until the system refuses, or that many, and prints
 * how many and the user that they count for: in a user namespace the one outside it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { SANDBOX_USER = 65533 };

static unsigned long outer_user(void)
{
    unsigned long inside = 0;
    unsigned long outside = 0;
    unsigned long count = 0;
    FILE *map = fopen("/proc/self/uid_map", "r");
    if (map && fscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
        inside == SANDBOX_USER && count == 1) {
        return outside;
    }
    return getuid();
}

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    long taken = 0;
    while (taken < wanted && inotify_init1(IN_CLOEXEC) >= 0) {
        taken++;
    }
    printf("%ld of user %lu\n", taken, outer_user());
    return 0;
}
