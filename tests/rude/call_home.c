/* call_home PORT WORD: connects to its own 127.0.0.1, sends WORD, prints what comes back. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    char answer[64];
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((unsigned short)strtol(argv[1], NULL, 10)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        return 1;
    }
    (void)!write(fd, argv[2], strlen(argv[2]));
    ssize_t count = read(fd, answer, sizeof answer);
    printf("%.*s\n", (int)(count < 0 ? 0 : count), answer);
    return 0;
}
