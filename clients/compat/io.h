/* io.h: low-level files. */
#ifndef COMPAT_IO_H
#define COMPAT_IO_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define _O_TEXT 0x4000
#define _O_BINARY 0x8000
#define _O_U16TEXT 0x20000
#define _O_U8TEXT 0x40000

#define _access access
#define _isatty isatty
#define _close close
#define _setmode(file, mode) ((void)(file), (void)(mode), 0)

#endif
