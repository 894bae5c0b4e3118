#!/bin/sh
# What keeping a tournament costs: 40 random players, everybody twice against everybody, beside the
# same number of games by plum match; then 100,172 games in one database, the memory that took, and
# how long their standings take to open.
# Usage: tournament.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
plum=$build/plum
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

roster() { # roster GAME TEAMS
    printf '[tournament]\ngame = %s\n' "$1"
    seq "$2" | sed 's/.*/[team &]\nplayer = random:seed=&/'
}

# The least milliseconds of five runs of a command.
best_ms() {
    least=
    for _ in 1 2 3 4 5; do
        rm -f small.db*
        start=$(date +%s%N)
        "$@" >out
        spent=$((($(date +%s%N) - start) / 1000000))
        if [ -z "$least" ] || [ "$spent" -lt "$least" ]; then
            least=$spent
        fi
    done
    echo "$least"
}

roster hop 40 >small.ini
tournament=$(best_ms "$plum" tournament run small.ini --concurrency 1)
match=$(best_ms "$plum" match hop --black random --white random:seed=2 --games 1560 --concurrency 1 \
    --record records)
compare() { # compare WHAT TOURNAMENT MATCH
    awk -v what="$1" -v t="$2" -v m="$3" 'BEGIN {
        printf "1,560 games of hop, %s: tournament %d, match %d, %+.0f %%\n", what, t, m, 100 * (t / m - 1)
    }'
}
compare milliseconds "$tournament" "$match"
rm -f small.db*
compare "CPU microseconds of the judge" \
    "$("$build/bench/bench_cost" "$plum" tournament run small.ini --concurrency 1 2>&1 >out)" \
    "$("$build/bench/bench_cost" "$plum" match hop --black random --white random:seed=2 --games 1560 \
        --concurrency 1 --record records 2>&1 >out)"

# Shows a process's memory in kB every second until it ends.
watch_memory() {
    while sed -n 's/^VmRSS:[ \t]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null; do
        sleep 1
    done
}

roster reversi 317 >large.ini
"$plum" tournament run large.ini --concurrency 1 >out &
watch_memory $! >memory
wait
echo "100,172 games of reversi, memory in MB: $(awk 'NR > 1 && $1 {
    low = !low || $1 < low ? $1 : low; high = $1 > high ? $1 : high
} END { printf "%.0f to %.0f", low / 1024, high / 1024 }' memory)"
echo "their standings, milliseconds: $(best_ms "$plum" tournament standings large.db)"
