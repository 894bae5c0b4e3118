#include "cluster/cluster_pack.h"

#include <stdlib.h>
#include <zlib.h>

enum { HEAD_BYTES = 4 }; /* the size before compression, little-endian */

enum err cluster_pack(struct cluster_bytes *bytes)
{
    uLongf count = compressBound((uLong)bytes->count);
    uint8_t *packed = malloc(count + HEAD_BYTES);
    if (!packed || compress2(packed + HEAD_BYTES, &count, bytes->data, (uLong)bytes->count,
                             Z_BEST_SPEED) != Z_OK) {
        free(packed);
        return ERR_ENVIRONMENT;
    }
    for (int i = 0; i < HEAD_BYTES; i++) {
        packed[i] = (uint8_t)(bytes->count >> 8 * i);
    }
    free(bytes->data);
    *bytes = (struct cluster_bytes){packed, count + HEAD_BYTES};
    return ERR_NONE;
}

enum err cluster_unpack(const void *data, size_t count, struct cluster_bytes *out, struct note *why)
{
    const uint8_t *head = data;
    size_t size = 0;
    for (int i = 0; count > HEAD_BYTES && i < HEAD_BYTES; i++) {
        size |= (size_t)head[i] << 8 * i;
    }
    uint8_t *bytes = size && size <= CLUSTER_MAX_BYTES ? malloc(size) : NULL;
    uLongf got = (uLongf)size;
    if (!bytes || uncompress(bytes, &got, head + HEAD_BYTES, (uLong)(count - HEAD_BYTES)) != Z_OK ||
        got != size) {
        free(bytes);
        return note_fail(why, ERR_INPUT, "a message that is not compressed as Plum does");
    }
    *out = (struct cluster_bytes){bytes, size};
    return ERR_NONE;
}
