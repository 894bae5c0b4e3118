#!/bin/sh
# What the judge itself costs, beside the bare exchange of the same bytes in the same run. All of it
# runs on one core: waking another core has a price of its own, which is not the judge's.
# Usage: judge.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
agent=$build/bench/bench_instant
core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
alone="taskset -c $core"
records=$(mktemp)
trap 'rm -f "$records"' EXIT

# The judge's CPU microseconds for each ply of a match.
per_ply() {
    us=$($alone "$build/bench/bench_cost" "$build/plum" match "$@" --record "$records" --concurrency 1 2>&1 >/dev/null)
    awk -v us="$us" '/^[0-9]+\. / { plies++ } END { print us / plies }' "$records"
}

echo "judge, CPU microseconds for each question and answer"
bare_tcp=$($alone "$build/bench/bench_pingpong" | sed -n 's/^tcp //p')
bare_pipe=$($alone "$build/bench/bench_pingpong" | sed -n 's/^pipe //p')
tcp=$(per_ply hop --black "tcp:1:$agent tcp hop" --white "tcp:1:$agent tcp hop" --games 40)
pipe=$(per_ply hop --black "ugi:$agent ugi hop" --white "ugi:$agent ugi hop" --games 40 --restart pairing)
awk -v tcp="$tcp" -v bare_tcp="$bare_tcp" -v pipe="$pipe" -v bare_pipe="$bare_pipe" 'BEGIN {
    printf "TCP    %5.1f  bare exchange %4.1f  ratio %.1f\n", tcp, bare_tcp, tcp / bare_tcp
    printf "pipes  %5.1f  bare exchange %4.1f  ratio %.1f\n", pipe, bare_pipe, pipe / bare_pipe
}'
