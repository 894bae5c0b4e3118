/* process.h: threads and the process's number. */
#ifndef COMPAT_PROCESS_H
#define COMPAT_PROCESS_H

#include "windows.h"

#define _getpid getpid

#endif
