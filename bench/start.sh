#!/bin/sh
# What a start in the sandbox costs, next to bubblewrap: as this user and, for root, as an ordinary user.
# Usage: start.sh BUILD_FOLDER [ROUNDS]
set -eu
build=$(cd "$1" && pwd)
rounds=${2:-200}
scratch=$(mktemp -d /tmp/plum-start-XXXXXX) # every user can reach it
trap 'rm -rf "$scratch"' EXIT
cp "$build/plum" "$build/plum-helper" "$build/bench/bench_start" "$scratch"
mkdir "$scratch/agent"
chmod 755 "$scratch" "$scratch/agent"
cd "$scratch"
echo "start and end of sh -c 'exec /bin/true', medians of $rounds in turn"
./bench_start ./plum "$scratch/agent" "$rounds"
if [ "$(id -u)" = 0 ]; then
    echo "the same as an ordinary user"
    setpriv --reuid 12345 --regid 12345 --clear-groups ./bench_start ./plum "$scratch/agent" "$rounds"
fi
