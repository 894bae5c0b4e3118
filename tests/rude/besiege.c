/* besiege PORT COUNT: connects to its own 127.0.0.1 that often, each time as a new client that
 * sends as much as its socket takes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { KEPT = 16 }; /* connections at a time */

int main(int argc, char **argv)
{
    int kept[KEPT];
    if (argc < 3) {
        return 2;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((unsigned short)strtol(argv[1], NULL, 10)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    for (long i = 0; i < strtol(argv[2], NULL, 10); i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
            return 1;
        }
        (void)!send(fd, "\7", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (i >= KEPT) {
            close(kept[i % KEPT]);
        }
        kept[i % KEPT] = fd;
    }
    return 0;
}
