/* Bytes that another machine sent: the first chooses the message.
 *
 * What can be read is written and read again to the same bytes. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/cluster_codec.h"
#include "cluster/cluster_pack.h"

/* A message is the bytes that it was read from. */
static void compare(enum err err, const struct cluster_bytes *again, const uint8_t *data,
                    size_t size)
{
    CLAIM(!err && again->count == size && memcmp(again->data, data, size) == 0);
    free(again->data);
}

#define ROUND_TRIP(name)                                                         \
    do {                                                                         \
        static struct cluster_##name message;                                    \
        if (!cluster_read_##name(data, size, &message, &why)) {                  \
            compare(cluster_write_##name(&message, &bytes), &bytes, data, size); \
        }                                                                        \
    } while (0)

static void try_result(const uint8_t *data, size_t size)
{
    struct cluster_result result;
    struct cluster_bytes bytes;
    struct note why;
    if (!cluster_read_result(data, size, &result, &why)) {
        compare(cluster_write_result(&result, &bytes), &bytes, data, size);
        cluster_result_free(&result);
    }
}

static void try_files(const uint8_t *data, size_t size)
{
    struct cluster_files files;
    struct cluster_bytes bytes;
    struct note why;
    if (!cluster_read_files(data, size, &files, &why)) {
        for (size_t i = 0; i < files.count; i++) {
            CLAIM(files.list[i].path[0] && files.list[i].path[0] != '/');
            CLAIM(!strstr(files.list[i].path, "/../") &&
                  strncmp(files.list[i].path, "../", 3) != 0);
        }
        compare(cluster_write_files(&files, &bytes), &bytes, data, size);
        cluster_files_free(&files);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cluster_bytes bytes;
    struct note why;
    if (!size) {
        return 0;
    }
    int kind = *data++ % 8;
    size--;
    switch (kind) {
    case 0:
        ROUND_TRIP(hello);
        break;
    case 1:
        ROUND_TRIP(welcome);
        break;
    case 2:
        ROUND_TRIP(job);
        break;
    case 3:
        ROUND_TRIP(report);
        break;
    case 4:
        try_result(data, size);
        break;
    case 5:
        try_files(data, size);
        break;
    case 6:
        ROUND_TRIP(plies);
        break;
    default:
        if (!cluster_unpack(data, size, &bytes, &why)) {
            try_result(bytes.data, bytes.count);
            free(bytes.data);
        }
        break;
    }
    return 0;
}
