/* process_socket: does a program, or anything that it started, hold a given socket?
 *
 * Read from /proc: the kernel has no other way to show the owner of a TCP connection.
 */
#ifndef SANDBOX_PROCESS_SOCKET_H
#define SANDBOX_PROCESS_SOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* `inode` is the number of the socket. Looks at `root` and its descendants, and at a bounded number
 * of their descriptors: a program cannot make this slow. */
bool process_socket_is_held(pid_t root, uint64_t inode);

#endif
