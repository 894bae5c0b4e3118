#!/bin/sh
# guarantees: the table of guarantees in the documentation must be the one of the program.
#
# usage: guarantees.sh ATTACKS PAGE
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --table >"$scratch/program"
sed -n '/^| attack /,/^$/p' "$2" | sed '/^$/d' >"$scratch/page"
if ! diff -u "$scratch/page" "$scratch/program"; then
    echo "the table of guarantees in $2 is not that of src/sandbox/sandbox.c: copy the lines with +"
    exit 1
fi
