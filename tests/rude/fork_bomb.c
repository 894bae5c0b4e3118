/* Starts processes until the system refuses, then says how many there were. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    enum { ENOUGH = 5000 };
    int count = 0;
    for (; count < ENOUGH; count++) {
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
