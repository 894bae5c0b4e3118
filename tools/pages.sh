#!/bin/sh
# pages: turns the pages of the web arena into one C source.
#
# usage: tools/pages.sh PAGES GAMES DOCS BUILD SCRATCH >pages.c
#
# PAGES is the folder web/, GAMES the folder src/games, DOCS the folder docs/, BUILD the folder with the modules plum.wasm and rules.wasm. Each file
# is followed by its compressed form, as src/web/web_pages.c wants it. SCRATCH is emptied first.
#
# A file in static/ has a checksum of its contents in its name, so that a browser may keep it forever: index.html, which it
# asks for each time, names the current ones.
set -eu
pages=$1
games=$2
docs=$3
build=$4
scratch=$5
tools=$(dirname "$0")
embed=$(realpath "$(dirname "$0")/embed.sh")

rm -rf "$scratch"
mkdir -p "$scratch/static" "$scratch/fonts" "$scratch/puzzles" "$scratch/demo" "$scratch/docs/images"
cp "$pages/index.html" "$scratch"
cp -R "$pages/api" "$scratch"
cp "$pages/fonts/LICENSE.txt" "$scratch/fonts"
for file in "$games"/*/puzzles/*.txt "$games"/*/demo/*.txt; do
    [ ! -e "$file" ] || cp "$file" "$scratch/$(basename "$(dirname "$file")")"
done
cp "$docs"/*.md "$scratch/docs"
# shellcheck disable=SC2013 # a name is one word
for image in $(grep -oh 'images/[a-z0-9.-]*\.[a-z]*' "$docs"/*.md | sort -u); do
    cp "$docs/$image" "$scratch/docs/images"
done
mkdir "$scratch/scripts"
sh "$tools/bundle.sh" "$pages" "$games" "$scratch/scripts"
cp "$pages/style.css" "$pages/icon.svg" "$pages/worker.js" "$pages"/fonts/*.woff2 "$build/plum.wasm" "$build/rules.wasm" "$scratch"
cd "$scratch"

# What is named by others comes first: their checksums depend on it.
for name in sans.woff2 serif.woff2 icon.svg worker.js rules.wasm plum.wasm style.css; do
    stem=${name%.*}
    ending=${name##*.}
    sum=$(sha256sum "$name" | cut -c 1-12)
    mv "$name" "static/$stem.$sum.$ending"
    sed -i -e "s|\"\(fonts/\)\{0,1\}$name\([\"#]\)|\"static/$stem.$sum.$ending\2|" index.html
    [ ! -e style.css ] || sed -i "s|url(\"fonts/$name\")|url(\"$stem.$sum.$ending\")|" style.css
    sed -i "s|'$name'|'static/$stem.$sum.$ending'|" scripts/*.js
done

# The scripts name each other: they have one checksum together.
sum=$(cat scripts/*.js | sha256sum | cut -c 1-12)
sed -i "s|\"app\.js\"|\"static/app.$sum.js\"|" index.html
sed -i "s|'\./\([a-z_]*\)\.js'|'./\1.$sum.js'|" scripts/*.js
for script in scripts/*.js; do
    mv "$script" "static/$(basename "$script" .js).$sum.js"
done
rmdir scripts
set --
for file in $(find . -type f | sed 's|^\./||' | LC_ALL=C sort); do
    case $file in
    *.png | *.woff2) : >"$file.gz" ;; # compressed already
    *) gzip -9 -n -c "$file" >"$file.gz" ;;
    esac
    set -- "$@" "$file" "$file.gz"
done
sh "$embed" -n page_files "$@"
