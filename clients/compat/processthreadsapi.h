/* processthreadsapi.h: a part of windows.h here. */
#include "windows.h"
