/* phone PORT NAME: tries to connect to something outside: a listener on this machine's
 * loopback, one in the abstract socket namespace, a route to the world. Names what it finds.
 * Sends nothing. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int is_reached(const struct sockaddr *address, socklen_t size, int type)
{
    int fd = socket(address->sa_family, type, 0);
    int result = fd >= 0 && connect(fd, address, size) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return result;
}

static int is_internet_reached(const char *host, int port, int type)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    return is_reached((struct sockaddr *)&address, sizeof address, type);
}

static int is_name_reached(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    return is_reached((struct sockaddr *)&address, size, SOCK_STREAM);
}

int main(int argc, char **argv)
{
    if (argc > 2 && is_internet_reached("127.0.0.1", (int)strtol(argv[1], NULL, 10), SOCK_STREAM)) {
        printf("reached the machine's loopback\n");
    }
    if (argc > 2 && is_name_reached(argv[2])) {
        printf("reached an abstract socket\n");
    }
    /* Connecting a datagram socket only asks for a route. */
    if (is_internet_reached("192.0.2.1", 9, SOCK_DGRAM)) {
        printf("found a route to the world\n");
    }
    printf("done\n");
    return 0;
}
