/* process_memory: the memory that a program and all that it started use together.
 *
 * For machines without memory cgroups, where the kernel limits each process only. Read from /proc.
 */
#ifndef SANDBOX_PROCESS_MEMORY_H
#define SANDBOX_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Do the descendants of `root` use more than that, in memory and swap? What several of them share
 * counts once. What the kernel keeps for them also counts: page tables and the buffers of sockets.
 * `has_own_network`: every connection in their network namespace is theirs. */
bool process_memory_exceeds(pid_t root, int64_t limit_bytes, bool has_own_network);

#endif
