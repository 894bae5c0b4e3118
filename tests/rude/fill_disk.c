/* fill_disk FOLDER [KIND]: writes files of 1 MiB there, up to 200, then prints how many it got.
 *
 * With a KIND it then stays. KIND is `stay`, `deleted` (the files have no name but are open),
 * `mapped` (nor are they open) or `entries` (17,000 links and folders instead of files).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static char piece[1 << 20];

static bool write_file(const char *name, const char *kind)
{
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || write(fd, piece, sizeof piece) != (ssize_t)sizeof piece) {
        return false;
    }
    if (strcmp(kind, "deleted") == 0) {
        return unlink(name) == 0;
    }
    if (strcmp(kind, "mapped") == 0 &&
        (mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED || unlink(name) != 0)) {
        return false;
    }
    return close(fd) == 0;
}

static bool make_entry(const char *name, int number)
{
    return number % 2 ? symlink("/somewhere/else", name) == 0 : mkdir(name, 0700) == 0;
}

int main(int argc, char **argv)
{
    enum { ENOUGH = 200, ENOUGH_ENTRIES = 17000 };
    const char *kind = argc > 2 ? argv[2] : "";
    bool has_files = strcmp(kind, "entries") != 0;
    int count = 0;
    signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* hides its descriptors */
    for (; argc > 1 && count < (has_files ? ENOUGH : ENOUGH_ENTRIES); count++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/fill-%d", argv[1], count);
        if (!(has_files ? write_file(name, kind) : make_entry(name, count))) {
            break;
        }
    }
    printf("%d\n", count);
    fflush(stdout);
    if (*kind) {
        pause();
    }
    return 0;
}
