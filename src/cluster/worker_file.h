/* worker_file: what a worker needs to know to take part in a tournament.
 *
 * An INI file of one section, with the address of the server, a user of it, and the certificate
 * that the server must prove. It is secret, as a password is: mode 0600.
 */
#ifndef CLUSTER_WORKER_FILE_H
#define CLUSTER_WORKER_FILE_H

#include <stdbool.h>

#include "base/note.h"
#include "cluster/queue.h"

MUST_USE enum err worker_file_write(const char *path, const struct queue_address *address,
                                    struct note *why);
/* ERR_INPUT: it is not one, or is damaged; *why names the line. */
MUST_USE enum err worker_file_read(const char *path, struct queue_address *out, struct note *why);

/* False: other users of this machine can read it. */
bool worker_file_is_private(const char *path);

#endif
