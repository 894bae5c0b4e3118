#!/bin/sh
# fuzz: every fuzz target for a while, as many at a time as there are cores. A crash is kept in the
# target's corpus, where the test suite replays it from then on.
#
# usage: tools/fuzz.sh BUILD SECONDS [TARGET]     BUILD: a folder built with PLUM_FUZZERS
#
# What libFuzzer learns stays in BUILD/corpus, so that the next run continues from there.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
seconds=$2
shift 2

# Some targets write files for each input. One of them needs 200 MB for a moment.
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -w /dev/shm ] && [ "${room:-0}" -gt 1000000 ]; then
    export TMPDIR=/dev/shm
fi

# run_target TARGET: its report is printed in one piece, since other targets print at the same time.
run_target() {
    learnt=$build/corpus/$1
    seeds=tests/fuzz/corpus/$1
    log=$build/fuzz_$1.log
    mkdir -p "$learnt" || exit 3
    status=0
    "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=10 -max_len=8192 \
        -dict="tests/fuzz/$1.dict" -artifact_prefix="$seeds/" -print_final_stats=1 "$learnt" "$seeds" \
        >"$log" 2>&1 || status=1
    printf 'fuzz: %s, %s s\n%s\n' "$1" "$seconds" \
        "$(grep -E '^(SUMMARY|stat::number_of_executed_units|artifact_prefix)|broken claim' "$log")"
    return $status
}

if [ $# = 1 ]; then
    run_target "$1"
    exit
fi
for dictionary in tests/fuzz/*.dict; do
    basename "$dictionary" .dict
done | xargs -n 1 -P "$(nproc)" sh tools/fuzz.sh "$build" "$seconds" || {
    echo "fuzz: a target crashed (logs: $build/fuzz_*.log)" >&2
    exit 1
}
