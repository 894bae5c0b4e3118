/* sandbox_links: a program's own files, seen from another working directory. */
#ifndef SANDBOX_SANDBOX_LINKS_H
#define SANDBOX_SANDBOX_LINKS_H

#include <stdbool.h>

/* Links everything in `folder` that is not hidden into the current folder, where nothing of that
 * name is. What cannot be linked is left out: the program will say what it misses. Only a shortage
 * of our own makes it return false, with errno. */
bool sandbox_links_make(const char *folder);

#endif
