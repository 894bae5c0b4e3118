/* agent_umask: the files of an agent stay readable when root writes them under a strict umask.
 *
 * An agent that root starts runs as another user. With umask 077 that user could not read what
 * `plum new`, `plum build` and the intake of submissions write.
 */
#ifndef COURSE_AGENT_UMASK_H
#define COURSE_AGENT_UMASK_H

#include <sys/types.h>

/* Root's files and folders become readable to all until the umask is set back to the value that
 * this returns. For other users nothing changes. */
mode_t agent_umask_loosen(void);

#endif
