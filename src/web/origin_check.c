#include "web/origin_check.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES = 256 };

/* Copies what precedes the port, without the brackets of an IPv6 address. */
static bool split_host(const char *host, char out[HOST_BYTES])
{
    bool is_bracketed = host[0] == '[';
    size_t length = is_bracketed ? strcspn(++host, "]") : strcspn(host, ":");
    const char *port = host + length;
    if (length == 0 || length >= HOST_BYTES || (is_bracketed && *port++ != ']') ||
        (*port && *port != ':') || strspn(port + (*port == ':'), "0123456789") > 5 ||
        (*port && port[1 + strspn(port + 1, "0123456789")])) {
        return false;
    }
    memcpy(out, host, length);
    out[length] = '\0';
    return true;
}

static bool is_address(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

bool origin_check_host(const char *host, const char *const *names)
{
    char name[HOST_BYTES];
    if (!host || !split_host(host, name)) {
        return false;
    }
    if (is_address(name) || strcasecmp(name, "localhost") == 0) {
        return true;
    }
    for (; *names; names++) {
        if (strcasecmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

bool origin_check_origin(const char *origin, const char *host)
{
    if (!origin) {
        return true;
    }
    return (strncmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0) ||
           (strncmp(origin, "https://", 8) == 0 && strcasecmp(origin + 8, host) == 0);
}

bool origin_check_site(const char *site)
{
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}
