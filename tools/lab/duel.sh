#!/bin/sh
# duel.sh: a match on many cores.
#
# usage: tools/lab/duel.sh DUEL GAME A B SECONDS PROCESSES [SEED|OPENINGS]
#
# DUEL is the program made of duel.c, the rest as there. With OPENINGS, a file such as bench/openings/hop.txt,
# each of its openings is played once, in the order of the file as far as the seconds last. Prints one line: games won, drawn
# and lost by A, points in percent, and the difference in Elo with twice its standard error,
# taken from the pairs.
set -eu
duel=$1 game=$2 a=$3 b=$4 seconds=$5 processes=$6 seed=${7:-1}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
i=0
while [ "$i" -lt "$processes" ]; do
    if [ -f "$seed" ]; then
        grep -v '^# ' "$seed" | awk -v i="$i" -v n="$processes" 'NR % n == i' |
            "$duel" "$game" "$a" "$b" "$seconds" - >"$results/$i" &
    else
        "$duel" "$game" "$a" "$b" "$seconds" $((seed * 1000 + i)) >"$results/$i" &
    fi
    i=$((i + 1))
done
wait
cat "$results"/* | awk -v game="$game" -v a="$a" -v b="$b" '
function elo(p) { p = p < 0.001 ? 0.001 : p > 0.999 ? 0.999 : p; return -400 * log(1 / p - 1) / log(10) }
{ for (i = 0; i < 5; i++) pairs[i] += $(i + 1); won += $6; drawn += $7; lost += $8 }
END {
    for (i = 0; i < 5; i++) { n += pairs[i]; sum += pairs[i] * i / 4; squares += pairs[i] * i * i / 16 }
    if (!n) { print game, a, b, "no games"; exit 1 }
    mean = sum / n
    error = 2 * sqrt((squares / n - mean * mean) / n)
    printf "%-10s %s - %s: +%d =%d -%d  %.1f%%  %+.0f Elo +-%.0f\n", game, a, b, won, drawn, lost,
        100 * mean, elo(mean), (elo(mean + error) - elo(mean - error)) / 2
}'
