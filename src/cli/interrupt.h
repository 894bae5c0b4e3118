/* interrupt: what Ctrl-C does. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>

/* From now on Ctrl-C ends the program at once with exit code 130, also if the process was started
 * with the signal ignored: a shell starts so what a script runs in the background, and the commands
 * with an event loop end all the same. */
void interrupt_ends_program(void);

/* From now on the first Ctrl-C, SIGTERM or SIGHUP only makes the flag true, and the next one ends
 * the program. A SIGHUP that was ignored at the start stays so: nohup does that. */
const atomic_bool *interrupt_sets_flag(void);

/* Bytes that put the terminal right before such an end: "\033[?25h" shows a hidden cursor
 * again. "" when nothing needs to be put right. Static storage. */
void interrupt_writes(int descriptor, const char *farewell);

#endif
