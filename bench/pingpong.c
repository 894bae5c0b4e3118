/* The least that a question and an answer can cost: 268 bytes there and 16 back between two
 * processes, over TCP on loopback and over pipes. Prints the asking side's CPU microseconds.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUESTION = 268, ANSWER = 16, ROUNDS = 100000 };

static void read_exactly(int descriptor, char *bytes, size_t count)
{
    while (count) {
        ssize_t got = read(descriptor, bytes, count);
        if (got <= 0) {
            _exit(EXIT_SUCCESS);
        }
        bytes += got;
        count -= (size_t)got;
    }
}

static void write_exactly(int descriptor, const char *bytes, size_t count)
{
    if (write(descriptor, bytes, count) != (ssize_t)count) {
        _exit(EXIT_FAILURE);
    }
}

static double cpu_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void measure(const char *name, int asks, int hears, int answers, int listens)
{
    char buffer[QUESTION] = {0};
    pid_t child = fork();
    if (child == 0) {
        close(asks);
        for (;;) {
            read_exactly(listens, buffer, QUESTION);
            write_exactly(answers, buffer, ANSWER);
        }
    }
    double begin = cpu_us();
    for (int i = 0; i < ROUNDS; i++) {
        write_exactly(asks, buffer, QUESTION);
        read_exactly(hears, buffer, ANSWER);
    }
    printf("%s %.2f\n", name, (cpu_us() - begin) / (double)ROUNDS);
    shutdown(asks, SHUT_RDWR);
    close(asks);
    waitpid(child, NULL, 0);
}

int main(void)
{
    int there[2];
    int back[2];
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int near = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&address, &length) ||
        connect(near, (struct sockaddr *)&address, sizeof address)) {
        perror("bench_pingpong");
        return EXIT_FAILURE;
    }
    int far = accept(listener, NULL, NULL);
    setsockopt(near, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(far, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    measure("tcp", near, near, far, far);
    if (pipe(there) || pipe(back)) {
        return EXIT_FAILURE;
    }
    measure("pipe", there[1], back[0], back[1], there[0]);
    return EXIT_SUCCESS;
}
