/* program_files: the files of a player's program on their way to other machines.
 *
 * A file is stored under its hash (SHA-256), and so is the list of a program's files. What a worker
 * receives is compared with the hash, and kept while the worker runs.
 */
#ifndef CLUSTER_PROGRAM_FILES_H
#define CLUSTER_PROGRAM_FILES_H

#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "cluster/queue.h"
#include "sandbox/sandbox_folder.h"

/* Copies the files that a sandbox shows of `folder` into the folder `blobs`; `hash` becomes that of
 * their list. ERR_INPUT: too many, or too large. */
MUST_USE enum err program_files_pack(const char *folder, const struct sandbox_folder *shown,
                                     const char *blobs, char hash[CLUSTER_HASH_BYTES],
                                     struct note *why);

/* Makes the folder ROOT/HASH with the files of a program, unless it exists. `subject` answers
 * requests for blobs. ERR_ENVIRONMENT: the server does not answer, the disk is full, or a file is
 * not what its hash says. */
MUST_USE enum err program_files_fetch(struct queue *queue, const char *subject, const char *hash,
                                      const char *root, struct note *why);

/* Answers a request of program_files_fetch, "HASH OFFSET", with bytes of that file in the folder
 * `blobs`; a request that makes no sense is not answered. */
void program_files_answer(struct queue *queue, const char *blobs, const void *data, size_t count,
                          const char *reply);

#endif
