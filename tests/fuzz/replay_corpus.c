/* replay_corpus: feeds every file of the given folders to a fuzz target, without libFuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_INPUT = 1 << 20, PATH_BYTES = 4096 };

static bool replay(const char *path)
{
    static uint8_t input[LONGEST_INPUT];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    size_t size = fread(input, 1, sizeof input, file);
    fclose(file);
    /* A copy of the exact size, so that a sanitizer sees a read past its end. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) {
        perror("malloc");
        return false;
    }
    memcpy(copy, input, size);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

/* Returns how many files it has replayed, or -1. */
static int replay_folder(const char *name)
{
    char path[PATH_BYTES];
    int count = 0;
    DIR *folder = opendir(name);
    if (!folder) {
        perror(name);
        return -1;
    }
    for (struct dirent *entry = NULL; count >= 0 && (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
            count = replay(path) ? count + 1 : -1;
        }
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        if (count < 0) {
            return EXIT_FAILURE;
        }
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
