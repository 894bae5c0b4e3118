#include "cluster/queue_url.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "cluster/queue.h"

const char *queue_url_place(const char *url)
{
    const char *at = strrchr(url, '@');
    const char *scheme = strstr(url, "://");
    return at ? at + 1 : scheme ? scheme + 3 : url;
}

enum err queue_url_check(const char *url, struct note *why)
{
    bool has_scheme = strncmp(url, "nats://", 7) == 0 || strncmp(url, "tls://", 6) == 0;
    const char *place = queue_url_place(url);
    const char *bracket = strrchr(place, ']'); /* of an IPv6 address */
    const char *colon = strrchr(bracket ? bracket : place, ':');
    int64_t port = 0;
    bool is_good = has_scheme && *place && colon != place && strlen(url) < QUEUE_URL_BYTES &&
                   !strpbrk(url, " \t\n\"\\") && !strpbrk(place, "/,");
    if (is_good && colon) {
        is_good = !number_read(colon + 1, "", 1, 65535, &port, why);
    }
    return is_good ? ERR_NONE
                   : note_fail(why, ERR_INPUT,
                               "'%.100s' is not the address of a NATS server, such as "
                               "nats://HOST:4222 or tls://USER:PASSWORD@HOST:4222",
                               has_scheme ? place : url);
}
