#include "cluster/cluster_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    HEAD_BYTES = 4, /* the size before compression, little-endian; 0: it is not compressed */
    /* What the usual result has is sent as it is: to compress it takes longer than to play some
     * games (bench/workers.py overhead). */
    LEAST_BYTES = 1 << 16,
};

enum err cluster_pack(struct cluster_bytes *bytes)
{
    bool is_small = bytes->count < LEAST_BYTES;
    uLongf count = is_small ? (uLongf)bytes->count : compressBound((uLong)bytes->count);
    uint8_t *packed = malloc(count + HEAD_BYTES);
    if (!packed) {
        return ERR_ENVIRONMENT;
    }
    if (is_small) {
        memcpy(packed + HEAD_BYTES, bytes->data, count);
    } else if (compress2(packed + HEAD_BYTES, &count, bytes->data, (uLong)bytes->count,
                         Z_BEST_SPEED) != Z_OK) {
        free(packed);
        return ERR_ENVIRONMENT;
    }
    for (int i = 0; i < HEAD_BYTES; i++) {
        packed[i] = is_small ? 0 : (uint8_t)(bytes->count >> 8 * i);
    }
    free(bytes->data);
    *bytes = (struct cluster_bytes){packed, count + HEAD_BYTES};
    return ERR_NONE;
}

enum err cluster_unpack(const void *data, size_t count, struct cluster_bytes *out, struct note *why)
{
    const uint8_t *head = data;
    size_t rest = count > HEAD_BYTES ? count - HEAD_BYTES : 0;
    size_t size = 0;
    for (int i = 0; rest && i < HEAD_BYTES; i++) {
        size |= (size_t)head[i] << 8 * i;
    }
    uLongf got = (uLongf)(size ? size : rest);
    uint8_t *bytes = rest && got <= CLUSTER_MAX_BYTES ? malloc(got) : NULL;
    if (bytes && !size) {
        memcpy(bytes, head + HEAD_BYTES, rest);
    } else if (!bytes || uncompress(bytes, &got, head + HEAD_BYTES, (uLong)rest) != Z_OK ||
               got != size) {
        free(bytes);
        return note_fail(why, ERR_INPUT, "a message that is not compressed as Plum does");
    }
    *out = (struct cluster_bytes){bytes, got};
    return ERR_NONE;
}
