/* spin KIND COUNT: COUNT children use the processor, while this process answers each line.
 *
 * KIND is `loop` (they never end), `sessions` (each first asks for a session of its own) or
 * `chain` (each works for a moment, starts its successor and ends).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void work_until(clock_t end)
{
    while (clock() < end) {
    }
}

/* A child's clock starts at zero. */
static void work(const char *kind)
{
    if (strcmp(kind, "sessions") == 0 && setsid() < 0) {
        (void)!write(STDOUT_FILENO, "refused\n", 8);
    }
    if (strcmp(kind, "chain") != 0) {
        for (;;) {
        }
    }
    for (;;) {
        work_until(CLOCKS_PER_SEC / 500);
        if (fork() != 0) {
            _exit(0);
        }
    }
}

int main(int argc, char **argv)
{
    char line[64];
    if (argc < 3) {
        return 2;
    }
    for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
        if (fork() == 0) {
            work(argv[1]);
        }
    }
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        printf("got %s", line);
        fflush(stdout);
    }
    kill(0, SIGKILL);
    return 0;
}
