/* Kills everything that it may kill. Only to be run in namespaces of its own. */
#include <signal.h>
#include <stdio.h>

int main(void)
{
    int result = kill(-1, SIGKILL);
    printf("killed: %d\n", result == 0);
    return 0;
}
