#!/bin/sh
# Many games at once, and what the sandbox costs each program.
# Usage: crowd.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
agent=$build/bench/bench_instant
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Numbers of one player's table row: won drawn lost points moves median p99 max faults...
row() { # row PLAYER FILE
    sed -n "s/^$1  *\([0-9].*\)/\1/p" "$2"
}

games=200
echo "crowd, $games games at once with agents that sleep 100 ms a move, limit 0.5 s + 0.25 s, $(nproc) cores"
"$build/plum" match reversi --black "tcp:1:$agent tcp reversi 100" --white "tcp:1:$agent tcp reversi 100" \
    --games $games --no-swap --concurrency $games --time-limit 0.5 --startup-limit 60 >"$scratch/crowd"
for player in 1 2; do
    row "$player" "$scratch/crowd" | {
        read -r _ _ _ _ moves median p99 max faults
        printf 'player %s  %6s moves  median %6s ms  p99 %6s ms  max %6s ms  faults: %s\n' \
            "$player" "$moves" "$median" "$p99" "$max" "$faults"
    }
done

# A game of one move a side, so that nearly all of its time is the program's start and end.
echo '#OO.OOX#/XXOOOXX./XXXOXOXX/XOOXXXOX/XXXXXOXX/XXXXOXXX/OOOOXXX./#XOOXX.# b' >"$scratch/opening"
milliseconds_for() { # milliseconds_for SANDBOX: a game with one fresh native program
    start=$(date +%s%N)
    "$build/plum" match reversi --black "ugi:$agent ugi reversi" --white random --games 200 --concurrency 1 \
        --openings "$scratch/opening" --sandbox "$1" >/dev/null 2>&1
    end=$(date +%s%N)
    awk -v ns="$((end - start))" 'BEGIN { print ns / 200 / 1e6 }'
}

echo "a fresh native program for each game, milliseconds a game"
off=$(milliseconds_for off)
on=$(milliseconds_for auto)
awk -v on="$on" -v off="$off" 'BEGIN {
    printf "sandbox off %5.1f  on %5.1f  difference %4.1f (at most 10)\n", off, on, on - off
}'
