/* runaway MARK [stay]: leaves a daemon behind, out of its session, deaf to signals. MARK is for
 * those who look for it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void live_on(void)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd < 3; fd++) {
        close(fd);
    }
    for (;;) {
        pause();
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                live_on();
            }
            _exit(0);
        }
    }
    while (wait(NULL) > 0) { /* then every daemon is there */
    }
    printf("left\n");
    fflush(stdout);
    if (argc > 2 && strcmp(argv[2], "stay") == 0) {
        live_on();
    }
    return 7;
}
