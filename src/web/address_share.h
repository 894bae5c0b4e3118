/* address_share: how much each address has of something that all clients share, such as
 * connections.
 *
 * One address may have a part of it. The last ones are only for addresses that have none, so that a
 * few addresses cannot take all. Headers in which a proxy names its clients are not trusted: the
 * address is that of the connection.
 */
#ifndef WEB_ADDRESS_SHARE_H
#define WEB_ADDRESS_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/socket.h>

enum { ADDRESS_SHARE_MAX = 4000 };

struct address_holder {
    uint64_t address;
    size_t count; /* at least 1 */
};

/* The limits are the owner's; with them and otherwise zeroed it is ready. Only one thread uses it,
 * but any may read the total. */
struct address_share {
    size_t most;      /* in all, at most ADDRESS_SHARE_MAX */
    size_t most_each; /* of one address */
    size_t reserve;   /* of `most`: the last ones, for addresses that have none */
    atomic_size_t total;
    size_t holder_count;
    struct address_holder holders[ADDRESS_SHARE_MAX]; /* in any order */
};

/* Names an address. Of IPv6 the first half counts: one household has all addresses of a network.
 * An IPv4 address is the same one on a socket of IPv6. */
uint64_t address_share_key(const struct sockaddr *address);

bool address_share_has_room(const struct address_share *share, uint64_t address);

/* False: there is no room. */
bool address_share_take(struct address_share *share, uint64_t address);

/* Returns one that was taken. */
void address_share_give(struct address_share *share, uint64_t address);

#endif
