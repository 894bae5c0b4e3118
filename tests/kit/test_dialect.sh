#!/bin/sh
# Does `plum build` accept what Visual Studio accepts? One hand-in for each difference, in
# sources/dialect: each compiles, but not as the course does, and then prints ok.
#
# usage: test_dialect.sh PLUM
set -u
plum=$(realpath "$1")
sources=$(realpath "$(dirname "$0")")/sources/dialect
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
failed=0

for source in "$sources"/*; do
    name=$(basename "$source")
    rm -f agent
    : >answer
    if ! "$plum" build reversi -o agent "$source" >messages 2>&1; then
        reason="does not compile"
    elif ! { ./agent </dev/null >answer 2>&1; [ "$(tail -n 1 answer)" = ok ]; }; then
        reason="runs, but wrongly"
    elif ! grep -q "compiled as a Windows program in GNU .*, because 'g.* -O3' refuses it: .*error: " messages; then
        reason="needs no dialect, or that is not said"
    else
        continue
    fi
    echo "FAILED: $name $reason"
    sed 's/^/    /' messages answer
    failed=1
done
exit $failed
