/* fork_bomb [COUNT]: starts processes until the system refuses, or that many, and prints how many
 * there were. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { ENOUGH = 5000 };
    int wanted = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ENOUGH;
    int count = 0;
    for (; count < wanted; count++) {
        pid_t pid = fork();
        if (pid == 0) {
            pause();
            _exit(0);
        }
        if (pid < 0) {
            break;
        }
    }
    printf("%d\n", count);
    return 0;
}
