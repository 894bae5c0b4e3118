/* fill_disk FOLDER [stay]: writes files of 1 MiB there, up to 200, then says how many it got. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char piece[1 << 20];

int main(int argc, char **argv)
{
    enum { ENOUGH = 200 };
    int files = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (; argc > 1 && files < ENOUGH; files++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/fill-%d", argv[1], files);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0 || write(fd, piece, sizeof piece) != (ssize_t)sizeof piece) {
            break;
        }
        close(fd);
    }
    printf("%d\n", files);
    fflush(stdout);
    if (argc > 2) {
        pause();
    }
    return 0;
}
