/* token_bucket: how many requests one address may send.
 *
 * Each address has a bucket of tokens that fills at a steady rate up to a maximum. A request to the
 * API takes one token; without a token it is refused. Pages are ready in memory and cost nothing. A
 * class of students with one address shares a bucket, so it is a large one. Memory is fixed: a
 * new address replaces the one, among a few, that was away longest.
 */
#ifndef WEB_TOKEN_BUCKET_H
#define WEB_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

enum { TOKEN_BUCKET_SLOTS = 1024, TOKEN_BUCKET_PER_S = 400, TOKEN_BUCKET_MAX = 4000 };

struct token_bucket {
    uint64_t address;
    int64_t seen_ns;
    double tokens;
};

/* A zeroed struct knows no address. */
struct token_buckets {
    struct token_bucket list[TOKEN_BUCKET_SLOTS];
};

/* Takes a token of `address`; false: there is none. */
bool token_bucket_take(struct token_buckets *buckets, uint64_t address, int64_t now_ns);

#endif
