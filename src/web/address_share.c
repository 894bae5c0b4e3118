#include "web/address_share.h"

#include <string.h>

#include <netinet/in.h>

#include "base/hash.h"

uint64_t address_share_key(const struct sockaddr *address)
{
    uint32_t host = 0;
    uint64_t network = 0;
    if (address->sa_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof four);
        return hash_word(four.sin_addr.s_addr);
    }
    struct sockaddr_in6 six;
    memcpy(&six, address, sizeof six);
    if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
        memcpy(&host, six.sin6_addr.s6_addr + sizeof six.sin6_addr - sizeof host, sizeof host);
        return hash_word(host);
    }
    memcpy(&network, &six.sin6_addr, sizeof network);
    return hash_pair(network, AF_INET6);
}

/* Its place in the list; holder_count: it has none. */
static size_t find_holder(const struct address_share *share, uint64_t address)
{
    size_t at = 0;
    while (at < share->holder_count && share->holders[at].address != address) {
        at++;
    }
    return at;
}

static bool has_room_for(const struct address_share *share, size_t holder)
{
    size_t own = holder < share->holder_count ? share->holders[holder].count : 0;
    size_t most = own ? share->most - share->reserve : share->most;
    return own < share->most_each && atomic_load(&share->total) < most;
}

bool address_share_has_room(const struct address_share *share, uint64_t address)
{
    return has_room_for(share, find_holder(share, address));
}

bool address_share_take(struct address_share *share, uint64_t address)
{
    size_t at = find_holder(share, address);
    if (!has_room_for(share, at)) {
        return false;
    }
    if (at == share->holder_count) {
        share->holders[share->holder_count++] = (struct address_holder){.address = address};
    }
    share->holders[at].count++;
    atomic_fetch_add(&share->total, 1);
    return true;
}

void address_share_give(struct address_share *share, uint64_t address)
{
    size_t at = find_holder(share, address);
    if (at == share->holder_count) {
        return;
    }
    if (--share->holders[at].count == 0) {
        share->holders[at] = share->holders[--share->holder_count];
    }
    atomic_fetch_sub(&share->total, 1);
}
