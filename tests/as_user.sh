#!/bin/sh
# as_user: runs a test of the sandbox as an ordinary user, when we are root.
#
# usage: as_user.sh TEST RUDE_DIR [ARGUMENT...]        77: not root, the test runs as a user anyway
set -eu
if [ "$(id -u)" != 0 ]; then
    exit 77
fi
test=$1 rude=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cp "$test" "$scratch/test"
cp -r "$rude" "$scratch/rude"
chmod -R go=u,go-w "$scratch"
cd "$scratch"
HOME=$scratch PLUM_RUDE_DIR=$scratch/rude \
    setpriv --reuid 4242 --regid 4242 --clear-groups "$scratch/test" "$@"
