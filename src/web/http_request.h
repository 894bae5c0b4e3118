/* http_request: one HTTP request, from its first byte to its response.
 *
 * Everything here runs in the server's one thread. Only a job of the search worker comes back from
 * another, while the connection is suspended.
 */
#ifndef WEB_HTTP_REQUEST_H
#define WEB_HTTP_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <microhttpd.h>

#include "web/address_share.h"
#include "web/api.h"
#include "web/deadline.h"
#include "web/live.h"
#include "web/web_pages.h"
#include "web/token_bucket.h"
#include "web/search_worker.h"
#include "web/session_hub.h"

enum {
    HTTP_REQUEST_MAX_BODY = 1 << 20,
    HTTP_REQUEST_MAX_POSTS =
        32, /* at a time: a body and its response are kept until the last byte is read */
    HTTP_REQUEST_MAX_POSTS_EACH = 16, /* of one address */
    HTTP_REQUEST_RESERVED_POSTS = 4,  /* the last ones, for addresses that have none */
};

/* The server: what all requests share. */
struct web_server {
    struct api_context context; /* for endpoints that do not search */
    struct web_pages pages;
    struct token_buckets buckets;
    struct deadline *deadline;
    struct search_worker *worker;
    struct address_share connections;
    struct address_share streams; /* of all tournaments */
    struct address_share posts;   /* whose bodies are held now */
    struct live **lives;          /* the tournaments that are followed */
    size_t live_count;
    struct session_hub hub;   /* games with agents */
    const char *const *hosts; /* names of this server besides its addresses, up to a NULL */
    struct MHD_Daemon *daemon;
    int port;
};

struct http_request;

/* The connection's, as the server put it into its socket context. */
struct deadline_clock *http_request_clock(struct MHD_Connection *connection);

/* As address_share_key. */
uint64_t http_request_address(struct MHD_Connection *connection);

/* NULL without memory. */
struct http_request *http_request_make(struct web_server *server,
                                       struct MHD_Connection *connection);
void http_request_free(struct http_request *request);

/* The server's access handler from the second call on; *size bytes of the body have come. */
enum MHD_Result http_request_continue(struct http_request *request, const char *method,
                                      const char *path, const char *body, size_t *size);

#endif
