/* restless: changes two files of its folder in turn, without a pause, for an amount of its own
 * processor time; then answers.
 *
 * usage: restless MS                waits for nothing
 *        restless MS QUESTION MOVE  an agent of the file protocol: first waits for the file
 *                                   QUESTION, and at the end writes the file MOVE, an answer of one
 *                                   square; ends when QUESTION is replaced
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double used_ms(void) { return 1000.0 * (double)clock() / CLOCKS_PER_SEC; }

static int make(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

int main(int argc, char **argv)
{
    FILE *question = NULL;
    struct stat first;
    struct stat now;
    int files[2] = {open("one", O_WRONLY | O_CREAT, 0600), open("other", O_WRONLY | O_CREAT, 0600)};
    if (argc < 2 || files[0] < 0 || files[1] < 0) {
        return 2;
    }
    while (argc > 3 && access(argv[2], R_OK) != 0) {
        usleep(1000);
    }
    if (argc > 3 && (!(question = fopen(argv[2], "r")) || fgetc(question) == EOF)) {
        return 2;
    }
    for (double end_ms = used_ms() + strtod(argv[1], NULL); used_ms() < end_ms;) {
        for (int i = 0; i < 100; i++) {
            if (pwrite(files[i % 2], "x", 1, 0) != 1) {
                return 1;
            }
        }
    }
    if (argc > 3) {
        (void)!stat(argv[2], &first);
        if (!make("answer", "move 1\n0 3\nend\n") || rename("answer", argv[3]) != 0) {
            return 1;
        }
        for (now = first; now.st_ino == first.st_ino; (void)!stat(argv[2], &now)) {
            usleep(1000);
        }
    }
    return 0;
}
