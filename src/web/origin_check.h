/* origin_check: recognises requests that another site made a browser send.
 *
 * A page of another site can let its own name point at our address and then send requests as if it
 * were ours. Such a request has that site in Host; one that comes directly from the other site has
 * it in Origin or, if it is a GET and our address is a safe one to the browser, in Sec-Fetch-Site.
 */
#ifndef WEB_ORIGIN_CHECK_H
#define WEB_ORIGIN_CHECK_H

#include <stdbool.h>

/* Whether a Host header is one we answer to: an address, localhost, or one of the names (up to a
 * NULL), with or without a port. */
bool origin_check_host(const char *host, const char *const *names);

/* Whether the request comes from our own pages; `origin` is NULL when none was sent. */
bool origin_check_origin(const char *origin, const char *host);

/* As Origin; `site` is the header Sec-Fetch-Site, NULL when none was sent. */
bool origin_check_site(const char *site);

#endif
