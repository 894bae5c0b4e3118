/* flood [stderr]: writes for ever. */
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = argc > 1 && strcmp(argv[1], "stderr") == 0 ? STDERR_FILENO : STDOUT_FILENO;
    char bytes[65536];
    memset(bytes, 'f', sizeof bytes);
    for (;;) {
        (void)!write(fd, bytes, sizeof bytes);
    }
}
