/* signal_judge PID: sends deadly signals to its parent, to PID, and to all it can reach. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    pid_t parent = getppid();
    kill(parent, SIGKILL);
    kill(parent, SIGSTOP);
    if (argc > 1) {
        kill((pid_t)strtol(argv[1], NULL, 10), SIGKILL);
    }
    kill(1, SIGKILL);
    printf("I live\n");
    fflush(stdout);
    usleep(20000);
    printf("and so does my parent: %d\n", getppid() == parent);
    return 0;
}
