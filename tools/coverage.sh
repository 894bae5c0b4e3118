#!/bin/sh
# coverage: a table of what the tests reached, per folder, and pages with every line.
#
# usage: tools/coverage.sh BUILD        BUILD: built for clang's coverage, its tests run
#
# llvm-cov and not gcov, because the rules are compiled once per processor level and
# some functions differ between the two: it adds them up by line.
set -eu
cd "$(dirname "$0")/.."
build=$1
profile=$build/coverage.profdata
pages=$build/pages

llvm-profdata merge -o "$profile" "$build"/profiles/*.profraw

# Every program that the build made, as the arguments of llvm-cov.
programs() {
    echo "$build/plum"
    find "$build/tests" -type f -perm -u+x -name '*_*' | LC_ALL=C sort | sed 's/^/-object=/'
}

# shellcheck disable=SC2046 # one word a program
llvm-cov show $(programs) -instr-profile="$profile" -format=html -output-dir="$pages" src

# Columns: file, then total, missed and share of regions, functions, lines and branches.
# shellcheck disable=SC2046
llvm-cov report $(programs) -instr-profile="$profile" src | awk '
function add(where) { lines[where] += $8; missed[where] += $9; branches[where] += $11; untaken[where] += $12 }
function share(part, whole) { return whole ? 100 * (whole - part) / whole : 100 }
NF == 13 && $1 ~ /\.[ch]$/ {
    folder = "src/" $1
    sub(/\/[^\/]*$/, "", folder)
    add(folder)
    add("~ all")
}
END {
    for (f in lines)
        printf "%-20s lines %5.1f %% of %5d   branches %5.1f %% of %5d\n",
            f, share(missed[f], lines[f]), lines[f], share(untaken[f], branches[f]), branches[f]
}' | LC_ALL=C sort | sed 's/^~ all  /all    /'
echo "line by line: $pages/index.html"
