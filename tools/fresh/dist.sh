#!/bin/sh
# dist: builds the source archive inside the bare root of `make test-dist`.
#
# usage: tools/fresh/dist.sh ARCHIVE COMMIT
#
# Installs make and what `make deps` wants, then builds without a network. git, clang and npm are not
# on this system.
set -eu
archive=$1 commit=$2

fail() { # fail WHAT
    echo "dist: $1" >&2
    exit 1
}

apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
    make >/dev/null 2>&1
tar -xzf "$archive"
cd plum-*/
make deps >/dev/null 2>&1 || fail "make deps failed"
for program in git clang npm node; do
    ! command -v "$program" >/dev/null || fail "$program is installed: the build could use it"
done
unshare --net make || fail "the archive does not build"
build/plum --version | grep -F "(commit $commit)" || fail "the program does not know its commit"
[ "$(build/plum moves othello start | wc -l)" = 4 ] || fail "the program does not play"
for module in plum rules; do
    cmp -s prebuilt/$module.wasm build/$module.wasm || fail "the archive's $module.wasm was not used"
done
echo "dist: built without git, clang, npm and a network on Debian $(cat /etc/debian_version)"
