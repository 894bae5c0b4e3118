#!/bin/sh
# match: the engine as it is against the engine of version 0.1.0, from the openings of bench/openings.
#
# usage: tools/lab/match.sh GAME MS SECONDS [CORES]
#
# Both have MS milliseconds a move and one thread; each opening is played twice, with colours swapped. Stops
# early after SECONDS. Prints the line of duel.sh. The sources of the older engine are those of
# build-baseline/sources, where tools/lab/baseline.sh puts them; without them it is called first.
set -eu
cd "$(dirname "$0")/../.."
game=$1 ms=$2 seconds=$3 cores=${4:-$(nproc)}
work="build-match"
[ -d build-baseline/sources/src ] || sh tools/lab/baseline.sh build-baseline
mkdir -p "$work"
sh tools/lab/build.sh "$work/new.so" &
builds=$!
SRC=build-baseline/sources/src sh tools/lab/build.sh "$work/old.so" &
builds="$builds $!"
sh tools/lab/build.sh "$work/duel" tools/lab/duel.c tools/lab/versus.c tests/sparring.c &
builds="$builds $!"
for build in $builds; do wait "$build"; done
sh tools/lab/duel.sh "$work/duel" "$game" "./$work/new.so,time=$ms" "./$work/old.so,time=$ms" "$seconds" "$cores" \
    "bench/openings/$game.txt"
