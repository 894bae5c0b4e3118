#!/bin/sh
# Builds and runs every measurement. Read ratios, not times: machines differ and are busy.
set -eu
cd "$(dirname "$0")/.."
cmake --log-level=WARNING -S . -B build-bench -DCMAKE_BUILD_TYPE=Release
cmake --build build-bench --target benches -j "$(nproc)" -- --no-print-directory
echo "perft, one thread, million positions a second (best of three)"
build-bench/bench/bench_perft
echo
sh bench/judge.sh build-bench
echo
build-bench/bench/bench_delay
echo
sh bench/crowd.sh build-bench
echo
sh bench/start.sh build-bench
echo
echo "Exact ends of reversi and othello, one thread, processor time"
build-bench/bench/bench_solve bench/ends.txt
echo
echo "Swiss pairing and ranking"
build-bench/bench/bench_pairing 100 9
build-bench/bench/bench_pairing 1000 12
echo
echo "Tournaments"
sh bench/tournament.sh build-bench
echo
echo "Workers"
python3 -B bench/workers.py build-bench overhead
echo
echo "Reports"
sh bench/report.sh build-bench
echo
echo "The web arena"
sh bench/web.sh build-bench
