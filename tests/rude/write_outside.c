/* write_outside PATH...: makes a file in or of each, and names those it could. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_made(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0) {
        return 0;
    }
    int is_written = write(fd, "rude", 4) == 4;
    close(fd);
    return is_written;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/rude-file", argv[i]);
        if (is_made(argv[i]) || is_made(inside)) {
            printf("wrote %s\n", argv[i]);
        }
        if (chmod(argv[i], 0777) == 0) {
            printf("opened %s to all\n", argv[i]);
        }
    }
    printf("done\n");
    return 0;
}
