#!/bin/sh
# Whether the engine keeps its time on a busy machine: games at 200 ms a move beside twice as many spinning processes as
# cores, against a program that answers at once. Late moves are listed in the column of faults; where that program is
# late as well, the machine is too busy to say anything.
# Usage: time.sh BUILD_FOLDER [GAMES OF EACH]
set -eu
build=$(cd "$1" && pwd)
games=${2:-50}
spinning=
# shellcheck disable=SC2086 # one word a process
trap 'kill $spinning' EXIT
trap 'exit 130' INT TERM
for _ in $(seq $(($(nproc) * 2))); do
    sh -c 'while :; do :; done' &
    spinning="$spinning $!"
done
for game in hop reversi othello meichu; do
    "$build/plum" match $game --black builtin --white "ugi:$build/bench/bench_instant ugi $game" --games "$games" \
        --openings 4 --time-limit 0.2 --concurrency 1
done
