#!/bin/sh
# embed: turns files into one C source, so that the program carries them along.
#
# usage: tools/embed.sh [-n NAME] FILE... >embedded.c
#
# A file's name inside the program is its path as given; NAME is the list's (embedded_files).
# See src/base/embedded.h.
set -eu
name=embedded_files
if [ "$1" = -n ]; then
    name=$2
    shift 2
fi

echo '#include "base/embedded.h"'
i=0
for file in "$@"; do
    printf '\nstatic const char file_%d[] =\n' "$i"
    od -An -v -to1 "$file" | sed 's/ /\\/g; s/^/    "/; s/$/"/'
    echo '    "";'
    i=$((i + 1))
done
printf '\nextern const struct embedded_file %s[];\nconst struct embedded_file %s[] = {\n' "$name" "$name"
i=0
for file in "$@"; do
    printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "$file" "$i" "$i"
    i=$((i + 1))
done
printf '    {NULL, NULL, 0},\n};\n'
