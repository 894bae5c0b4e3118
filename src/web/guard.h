/* guard: which requests a browser may have been tricked into sending.
 *
 * A page of another site can point its own name at our address and then speak to us as if it were
 * ours. Such a request names that site in Host; one that comes straight from the other site names
 * it in Origin.
 */
#ifndef WEB_GUARD_H
#define WEB_GUARD_H

#include <stdbool.h>

/* Whether a Host header is one we answer to: an address, localhost, or one of the names (up to a
 * NULL), with or without a port. */
bool guard_knows_host(const char *host, const char *const *names);

/* Whether the request comes from our own pages; `origin` is NULL when none was sent. */
bool guard_knows_origin(const char *origin, const char *host);

#endif
