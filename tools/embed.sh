#!/bin/sh
# embed: turns files into one C source, so that the program carries them along.
#
# usage: tools/embed.sh FILE... >embedded.c
#
# A file's name inside the program is its path as given. See src/base/embedded.h.
set -eu

echo '#include "base/embedded.h"'
i=0
for file in "$@"; do
    printf '\nstatic const char file_%d[] =\n' "$i"
    od -An -v -to1 "$file" | sed 's/ /\\/g; s/^/    "/; s/$/"/'
    echo '    "";'
    i=$((i + 1))
done
printf '\nconst struct embedded_file embedded_files[] = {\n'
i=0
for file in "$@"; do
    printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "$file" "$i" "$i"
    i=$((i + 1))
done
printf '    {NULL, NULL, 0},\n};\n'
