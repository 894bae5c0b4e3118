/* completion: what a shell needs to complete plum's command lines, written from the rows. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "base/cpu.h"

/* Each prints a script on stdout. */
void completion_bash(enum cpu_level cpu);
void completion_zsh(enum cpu_level cpu);
void completion_fish(enum cpu_level cpu);

#endif
