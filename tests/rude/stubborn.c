/* Cannot be talked into ending. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        pause();
    }
}
