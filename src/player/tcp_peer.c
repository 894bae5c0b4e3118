#include "player/tcp_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { LINE_BYTES = 512, PAIR_BYTES = 96 };

/* The two ends as the kernel writes them: addresses as numbers in the order of this machine. */
static bool describe_pair(int descriptor, const char *mapping, char out[PAIR_BYTES])
{
    struct sockaddr_in own;
    struct sockaddr_in peer;
    socklen_t own_length = sizeof own;
    socklen_t peer_length = sizeof peer;
    if (getsockname(descriptor, (struct sockaddr *)&own, &own_length) != 0 ||
        getpeername(descriptor, (struct sockaddr *)&peer, &peer_length) != 0) {
        return false; /* it is gone already */
    }
    snprintf(out, PAIR_BYTES, " %s%08X:%04X %s%08X:%04X ", mapping, peer.sin_addr.s_addr,
             ntohs(peer.sin_port), mapping, own.sin_addr.s_addr, ntohs(own.sin_port));
    return true;
}

/* A line is NUMBER: OWN PEER STATE QUEUES TIMER RETRIES USER TIMEOUT INODE … */
#define FIELDS_BEFORE_INODE "%*x %*x:%*x %*x:%*x %*x %*u %*u "

static enum err find_inode(const char *list, const char *pair, uint64_t *out)
{
    char line[LINE_BYTES];
    FILE *file = fopen(list, "re");
    if (!file) {
        return errno == ENOENT ? ERR_NONE : ERR_ENVIRONMENT; /* without IPv6 it has no list */
    }
    while (!*out && fgets(line, sizeof line, file)) {
        const char *found = strstr(line, pair);
        if (found) {
            /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
            (void)!sscanf(found + strlen(pair), FIELDS_BEFORE_INODE "%" SCNu64, out);
        }
    }
    fclose(file);
    return ERR_NONE;
}

/* A program may use an IPv6 socket for an IPv4 address, as Java does; the kernel lists it under the
 * address ::ffff:ADDRESS. */
enum err tcp_peer_inode(int descriptor, uint64_t *out)
{
    char pair[PAIR_BYTES];
    char mapping[32];
    enum err err = ERR_NONE;
    uint64_t inode = 0;
    snprintf(mapping, sizeof mapping, "%08X%08X%08X", 0U, 0U, htonl(0xffff));
    if (describe_pair(descriptor, "", pair)) {
        err = find_inode("/proc/net/tcp", pair, &inode);
    }
    if (!err && !inode && describe_pair(descriptor, mapping, pair)) {
        err = find_inode("/proc/net/tcp6", pair, &inode);
    }
    if (!err) {
        *out = inode;
    }
    return err;
}
