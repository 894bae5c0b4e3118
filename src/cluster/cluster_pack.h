/* cluster_pack: long messages are compressed: a server accepts a megabyte, and records are long. */
#ifndef CLUSTER_CLUSTER_PACK_H
#define CLUSTER_CLUSTER_PACK_H

#include "base/note.h"
#include "cluster/cluster_codec.h"

/* Replaces the bytes. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err cluster_pack(struct cluster_bytes *bytes);

/* ERR_INPUT: malformed, or more than CLUSTER_MAX_BYTES. The caller frees out->data. */
MUST_USE enum err cluster_unpack(const void *data, size_t count, struct cluster_bytes *out,
                                 struct note *why);

#endif
