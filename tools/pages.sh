#!/bin/sh
# pages: turns the pages of the web arena into one C source.
#
# usage: tools/pages.sh PAGES GAMES WASM SCRATCH >pages.c
#
# PAGES is the folder web/, GAMES the folder src/games, WASM the module that goes with it. Each file is followed by its
# compressed form, as src/web/web_pages.c wants it. SCRATCH is emptied first.
set -eu
pages=$1
games=$2
wasm=$3
scratch=$4
tools=$(dirname "$0")
embed=$(realpath "$(dirname "$0")/embed.sh")

rm -rf "$scratch"
mkdir -p "$scratch"
cp -R "$pages/." "$scratch"
rm "$scratch/package.json" # for Node only
sh "$tools/game_pages.sh" "$pages" "$games" >"$scratch/games.js"
cp "$wasm" "$scratch/plum.wasm"
cd "$scratch"
set --
for file in $(find . -type f | sed 's|^\./||' | LC_ALL=C sort); do
    gzip -9 -n -c "$file" >"$file.gz"
    set -- "$@" "$file" "$file.gz"
done
sh "$embed" -n page_files "$@"
