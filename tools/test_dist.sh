#!/bin/sh
# test_dist: the source archive is complete and reproducible.
#
# usage: tools/test_dist.sh [JOBS]
#
# Makes it here and in a clone elsewhere, compares the two, and builds one of them as on a machine
# without git, clang, npm and a network.
set -eu
jobs=${1:-2}
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

fail() { # fail WHAT
    echo "test_dist: $1" >&2
    exit 1
}

hash=$(git -c safe.directory='*' rev-parse --short=12 HEAD)
sh tools/dist.sh "$scratch/here.tar.gz"
mkdir "$scratch/another folder"
git -c safe.directory='*' clone -q . "$scratch/another folder/clone"
(umask 077 && cd "$scratch/another folder/clone" && TZ=Asia/Taipei sh tools/dist.sh "$scratch/there.tar.gz")
cmp "$scratch/here.tar.gz" "$scratch/there.tar.gz" || fail "two archives of one commit differ"

mkdir "$scratch/bin"
IFS=:
for folder in $PATH; do
    for program in "$folder"/*; do
        case ${program##*/} in
        git | git-* | clang* | wasm* | npm | npx | node | nodejs) ;;
        *) [ -e "$scratch/bin/${program##*/}" ] || ln -s "$program" "$scratch/bin" ;;
        esac
    done
done
unset IFS
offline=
if unshare -rn true 2>/dev/null; then
    offline='unshare -rn'
else
    echo "test_dist: this machine has no user namespaces: the build could reach the network" >&2
fi

tar -xzf "$scratch/here.tar.gz" -C "$scratch"
rm -rf "${scratch:?}/another folder"
cd "$scratch/plum-$(cat VERSION)"
# shellcheck disable=SC2086 # one word a program
PATH=$scratch/bin $offline make JOBS="$jobs"
build/plum --version | grep -F "(commit $hash)" || fail "the program does not know its commit"
[ "$(build/plum moves othello start | wc -l)" = 4 ] || fail "the program does not play"
cmp -s prebuilt/plum.wasm build/plum.wasm || fail "the archive's engine for browsers was not used"
echo "test_dist: passed"
