/* large_file FILE: writes 1 GiB into it without looking at errors. */
#include <fcntl.h>
#include <unistd.h>

static char piece[1 << 20];

int main(int argc, char **argv)
{
    int fd = open(argc > 1 ? argv[1] : "", O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 1024; i++) {
        (void)!write(fd, piece, sizeof piece);
    }
    return 0;
}
