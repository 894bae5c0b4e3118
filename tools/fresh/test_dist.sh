#!/bin/sh
# test_dist: `make test-dist`: the source archive is complete and reproducible.
#
# usage: tools/fresh/test_dist.sh [SUITE]        SUITE: bookworm (the default), trixie
#
# Makes it here and in a clone elsewhere, compares the two, and builds it in a bare Debian.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

commit=$(git -c safe.directory='*' rev-parse --short=12 HEAD)
sh tools/dist.sh "$scratch/plum.tar.gz"
mkdir "$scratch/another folder"
git -c safe.directory='*' clone -q . "$scratch/another folder/clone"
(umask 077 && cd "$scratch/another folder/clone" && TZ=Asia/Taipei sh tools/dist.sh "$scratch/again.tar.gz")
if ! cmp "$scratch/plum.tar.gz" "$scratch/again.tar.gz"; then
    echo "test_dist: two archives of one commit differ" >&2
    exit 1
fi
rm -rf "${scratch:?}/another folder"
tools/fresh/root.sh -s "${1:-bookworm}" -f "$scratch/plum.tar.gz" -f tools/fresh/dist.sh \
    sh dist.sh plum.tar.gz "$commit"
echo "test_dist: passed"
