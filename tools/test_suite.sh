#!/bin/sh
# test_suite: runs the tests of a build folder, five on two cores; many of them wait more than they compute.
#
# usage: tools/test_suite.sh BUILD JOBS [CTEST OPTION]...
#
# Up to three tests that fail are run once more, alone: programs with time limits share the processor with four other
# tests here, and with whatever else the machine does. A test that fails again is a failure, and so is a report of a
# sanitizer: load does not explain it, and the next run may not meet it. tools/test_summary.sh names those that passed
# only alone, from BUILD/junit.xml: nothing of it is silent.
set -eu

build=$1
jobs=$2
shift 2

if ctest --test-dir "$build" --output-on-failure --no-tests=error -j $((jobs * 5 / 2)) \
    --output-junit junit.xml --test-output-size-passed 100000 "$@"; then
    exit 0
fi
failed=$build/Testing/Temporary/LastTestsFailed.log
if [ ! -s "$failed" ] || [ "$(wc -l <"$failed")" -gt 3 ]; then
    exit 1
fi
if grep -qE '(Thread|Address|Leak)Sanitizer:|:[0-9]+: runtime error: ' "$build/Testing/Temporary/LastTest.log"; then
    exit 1
fi
# By name: --rerun-failed goes by numbers, and these are others where -E or -R left tests out.
names=$(sed 's/^[0-9]*://' "$failed" | paste -sd '|')
echo "These tests failed beside others; they run once more, alone: $names"
ctest --test-dir "$build" --output-on-failure --no-tests=error -R "^($names)\$" -j 1
