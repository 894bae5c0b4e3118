#!/bin/sh
# web: the arena beside a plain libmicrohttpd that answers every request with the same page.
#
# usage: bench/web.sh BUILD
#
# Needs wrk. Read the ratio: both are measured in turn, three times, on
# whatever else the machine is doing.
set -eu
build=$1
scratch=$(mktemp -d)
trap 'kill $plain $arena 2>/dev/null; rm -rf "$scratch"' EXIT
plain=
arena=
"$build/bench/bench_plain_http" web/index.html >"$scratch/plain" &
plain=$!
"$build/plum" serve --port 0 >"$scratch/arena" &
arena=$!
sleep 1
plain_url="http://127.0.0.1:$(cat "$scratch/plain")/"
arena_url=$(sed -n 's/.*open: //p' "$scratch/arena")

rate() { wrk -t1 -c32 -d3s "$1" | awk '/Requests\/sec/ { print int($2) }'; }

echo "the first page, requests a second, one wrk thread and 32 connections"
for _ in 1 2 3; do
    a=$(rate "$plain_url")
    b=$(rate "$arena_url")
    echo "plain libmicrohttpd $a, arena $b: $((b * 100 / a)) %"
done
awk '/VmRSS/ { printf "memory of the arena: %.1f MB\n", $2 / 1024 }' "/proc/$arena/status"
