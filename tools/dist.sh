#!/bin/sh
# dist: a source archive of the last commit.
#
# usage: tools/dist.sh OUTFILE.tar.gz
#
# Contains what git knows, and rules and engine for browsers, prebuilt/*.wasm: with them the archive
# builds without clang, npm and a network. The same commit and the same clang make the same bytes,
# wherever and whenever. Files that are changed or new and not committed are left out.
set -eu
if [ $# != 1 ]; then
    echo "usage: tools/dist.sh OUTFILE.tar.gz" >&2
    exit 2
fi
mkdir -p "$(dirname "$1")"
out=$(realpath "$1")
cd "$(dirname "$0")/.."
if [ ! -e .git ]; then
    echo "dist: this folder is not a git checkout; an archive is made from a commit: clone the project" >&2
    exit 3
fi
case $(sh tools/commit.sh) in
*-dirty*) echo "dist: uncommitted changes are not in the archive" >&2 ;;
esac

# Files that this run makes must not depend on the user's umask.
umask 022
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
git -c safe.directory='*' -c tar.umask=0022 archive --format=tar HEAD >"$scratch/tree.tar"
mkdir "$scratch/tree"
tar -xf "$scratch/tree.tar" -C "$scratch/tree"
name=plum-$(cat "$scratch/tree/VERSION")
seconds=$(cut -d ' ' -f 2 "$scratch/tree/COMMIT")
mv "$scratch/tree" "$scratch/$name"

cmake -S "$scratch/$name" -B "$scratch/build" >/dev/null
cmake --build "$scratch/build" --target wasm >/dev/null
for module in plum rules; do
    install -D -m 644 "$scratch/build/$module.wasm" "$scratch/$name/prebuilt/$module.wasm"
done

tar -C "$scratch" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$seconds" \
    -cf "$scratch/out.tar" "$name"
gzip -9n <"$scratch/out.tar" >"$out"
echo "wrote $out"
