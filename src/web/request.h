/* request: one HTTP request to the arena, from its first byte to its answer.
 *
 * Everything here runs in the server's one thread; only a thinker's job comes back from another,
 * while the connection sleeps.
 */
#ifndef WEB_REQUEST_H
#define WEB_REQUEST_H

#include <stdatomic.h>
#include <stddef.h>

#include <microhttpd.h>

#include "web/answer.h"
#include "web/deadline.h"
#include "web/live.h"
#include "web/page.h"
#include "web/rate.h"
#include "web/thinker.h"

enum {
    REQUEST_MAX_BODY = 1 << 20,
    REQUEST_MAX_POSTS = 32, /* at a time: a body and its answer are kept until the last is read */
};

/* What all requests share. */
struct arena {
    struct answerer answerer; /* for what needs no thought */
    struct pages pages;
    struct rate rate;
    struct deadline *deadline;
    struct thinker *thinker;
    int post_count;      /* that are held now */
    struct live **lives; /* the tournaments that are followed */
    size_t live_count;
    atomic_int stream_count;  /* of all of them */
    const char *const *hosts; /* names we answer to besides addresses, up to a NULL */
};

struct request;

/* The connection's, as the server put it into its socket context. */
struct deadline_clock *request_clock(struct MHD_Connection *connection);

/* NULL without memory. */
struct request *request_make(struct arena *arena, struct MHD_Connection *connection);
void request_free(struct request *request);

/* The server's access handler from the second call on; *size bytes of the body have come. */
enum MHD_Result request_go_on(struct request *request, const char *method, const char *path,
                              const char *body, size_t *size);

#endif
