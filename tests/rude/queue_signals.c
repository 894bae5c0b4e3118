/* queue_signals COUNT: sends itself signals that it does not take, until the system refuses, or
 * that many, and prints how many. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    long count = 0;
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    while (count < wanted && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) {
        count++;
    }
    printf("%ld\n", count);
    return 0;
}
