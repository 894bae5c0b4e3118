#!/bin/sh
# fuzz: every fuzz target for a while. A crash is kept in the target's corpus, where the test
# suite replays it from then on.
#
# usage: tools/fuzz.sh BUILD SECONDS        BUILD: a folder built with PLUM_FUZZERS
#
# What libFuzzer learns stays in BUILD/corpus, so that the next run goes on from there.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
seconds=$2
failed=

for dictionary in tests/fuzz/*.dict; do
    target=$(basename "$dictionary" .dict)
    learnt=$build/corpus/$target
    seeds=tests/fuzz/corpus/$target
    mkdir -p "$learnt" || exit 3
    printf 'fuzz: %s, %s s\n' "$target" "$seconds"
    "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 -max_len=8192 \
        -dict="$dictionary" -artifact_prefix="$seeds/" -print_final_stats=1 "$learnt" "$seeds" \
        >"$build/fuzz_$target.log" 2>&1 || failed="$failed $target"
    grep -E '^(SUMMARY|stat::number_of_executed_units|artifact_prefix)|broken claim' "$build/fuzz_$target.log"
done

if [ -n "$failed" ]; then
    echo "fuzz: crashed:$failed (logs: $build/fuzz_*.log)" >&2
    exit 1
fi
