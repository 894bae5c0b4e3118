/* Talks as to a person: a question without an end of line, then an answer. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char line[64];
    printf("%s %s ", isatty(0) ? "tty" : "pipe", isatty(1) ? "tty" : "pipe");
    printf("your name? ");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        printf("hello %s", line);
    }
    printf("bye\n");
    return 0;
}
