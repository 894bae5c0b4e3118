#include "web/token_bucket.h"

#include "base/clock.h"
#include "base/hash.h"

enum { WAYS = 4 };

static struct token_bucket *find_bucket(struct token_buckets *buckets, uint64_t address)
{
    struct token_bucket *first =
        &buckets->list[hash_word(address) % (TOKEN_BUCKET_SLOTS / WAYS) * WAYS];
    struct token_bucket *oldest = first;
    for (int i = 0; i < WAYS; i++) {
        if (first[i].address == address && first[i].seen_ns) {
            return &first[i];
        }
        if (first[i].seen_ns < oldest->seen_ns) {
            oldest = &first[i];
        }
    }
    *oldest = (struct token_bucket){.address = address};
    return oldest;
}

bool token_bucket_take(struct token_buckets *buckets, uint64_t address, int64_t now_ns)
{
    struct token_bucket *bucket = find_bucket(buckets, address);
    double away_s = (double)(now_ns - bucket->seen_ns) / (double)CLOCK_NS_PER_S;
    const double most = (double)TOKEN_BUCKET_MAX;
    bucket->tokens += bucket->seen_ns ? away_s * (double)TOKEN_BUCKET_PER_S : most;
    bucket->tokens = bucket->tokens < most ? bucket->tokens : most;
    bucket->seen_ns = now_ns;
    if (bucket->tokens < 1) {
        return false;
    }
    bucket->tokens -= 1;
    return true;
}
