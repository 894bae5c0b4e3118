#!/bin/sh
# sandbox_test: runs a test of the sandbox from a place that every user can reach.
#
# usage: sandbox_test.sh WHO TEST RUDE_DIR [ARGUMENT...]
#
# WHO is `self`, or `user`: an ordinary user, when we are root (else 77: `self` tests that).
set -eu
who=$1 test=$2 rude=$3
shift 3
if [ "$who" = user ] && [ "$(id -u)" != 0 ]; then
    echo "skipped: this user is not root; as an ordinary user $(basename "$test") ran by itself"
    exit 77
fi
scratch=$(mktemp -d /tmp/plum-test-XXXXXX)
trap 'rm -rf "$scratch"' EXIT
cp "$test" "$scratch/test"
cp -r "$rude" "$scratch/rude"
chmod -R go=u,go-w "$scratch"
cd "$scratch"
export HOME="$scratch" PLUM_RUDE_DIR="$scratch/rude"
if [ "$who" = user ]; then
    setpriv --reuid 4242 --regid 4242 --clear-groups ./test "$@"
else
    ./test "$@"
fi
