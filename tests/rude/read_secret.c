/* read_secret PATH...: prints what it can read of each, files and folders. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void read_file(const char *path)
{
    char text[512];
    int fd = open(path, O_RDONLY);
    ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (count > 0) {
        printf("%s: %.*s\n", path, (int)count, text);
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void read_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        printf("%s: %s\n", path, entry->d_name);
    }
    if (folder) {
        closedir(folder);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        read_file(argv[i]);
        read_folder(argv[i]);
    }
    printf("done\n");
    return 0;
}
