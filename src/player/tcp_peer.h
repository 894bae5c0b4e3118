/* tcp_peer: which socket of this machine is the other end of a connection.
 *
 * Knows nothing of processes: see sandbox/process_tree.h for the one that holds it.
 */
#ifndef PLAYER_TCP_PEER_H
#define PLAYER_TCP_PEER_H

#include <stdint.h>

#include "base/err.h"

/* The number (inode) of that socket; 0 if it is closed or on another machine. `descriptor` is a
 * connected IPv4 socket. ERR_ENVIRONMENT, with errno: the kernel's list cannot be read. */
MUST_USE enum err tcp_peer_inode(int descriptor, uint64_t *out);

#endif
