/* direct.h: folders. */
#ifndef COMPAT_DIRECT_H
#define COMPAT_DIRECT_H

#include <sys/stat.h>
#include <unistd.h>

#define _mkdir(path) mkdir((path), 0777)
#define _rmdir rmdir
#define _chdir chdir
#define _getcwd getcwd

#endif
