/* process_time: the processor time that a program and all that it started have used.
 *
 * Read from /proc, because the program's cgroup counts it on some systems only. The kernel shows
 * it in hundredths of a second.
 */
#ifndef SANDBOX_PROCESS_TIME_H
#define SANDBOX_PROCESS_TIME_H

#include <stdint.h>
#include <sys/types.h>

/* Of `root` and its descendants, together with those that have ended. -1: the system does not show
 * them, or there are none. */
int64_t process_time_ns(pid_t root);

#endif
