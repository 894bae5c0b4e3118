#!/bin/sh
# run: runs one test file of the web arena, or prints what the machine lacks for it (77: skipped).
#
# usage: run.sh FILE
set -eu
version=$(node --version 2>/dev/null) || version=none
major=${version#v}
major=${major%%.*}
if [ "$version" = none ] || [ "$major" -lt 18 ]; then
    echo "skipped: these tests need node 18 or newer, found: $version; run 'make deps-test'"
    exit 77
fi
exec node "$1"
