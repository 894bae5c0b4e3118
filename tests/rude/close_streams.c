/* Closes its streams and continues for a moment. */
#include <unistd.h>

int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        close(fd);
    }
    usleep(50000);
    return 3;
}
