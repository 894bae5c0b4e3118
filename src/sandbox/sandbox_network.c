#include "sandbox/sandbox_network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 16 };

static enum err refuse(struct note *why, const char *what)
{
    note_set(why, "%s: %s", what, strerror(errno));
    return ERR_ENVIRONMENT;
}

enum err sandbox_network_raise_loopback(struct note *why)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return refuse(why, "no socket");
    }
    enum err err = ERR_NONE;
    if (ioctl(fd, SIOCSIFFLAGS, &request) != 0) {
        err = refuse(why, "no loopback");
    }
    close(fd);
    return err;
}

enum err sandbox_network_listen(int port, int *out, struct note *why)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return refuse(why, "no socket");
    }
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0) {
        enum err err = refuse(why, "no listener");
        close(fd);
        return err;
    }
    *out = fd;
    return ERR_NONE;
}
