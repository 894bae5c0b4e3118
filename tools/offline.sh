#!/bin/sh
# offline: makes one HTML file of the arena that works without a server.
#
# usage: tools/offline.sh WEB GAMES DOCS BUILD >plum.html
#
# WEB is the folder web/, GAMES the folder src/games, DOCS the folder docs/, BUILD the folder with the modules plum.wasm and rules.wasm.
set -eu
web=$1
games=$2
docs=$3
build=$4
tools=$(dirname "$0")

# The fonts go into the style, with their licence.
style() {
    set --
    for font in sans serif; do
        set -- "$@" -e "s|url(\"fonts/$font\.woff2\")|url(data:font/woff2;base64,$(base64 -w 0 "$web/fonts/$font.woff2"))|"
    done
    echo '/*'
    cat "$web/fonts/LICENSE.txt"
    echo '*/'
    sed "$@" "$web/style.css"
}

icon=$(base64 -w 0 "$web/icon.svg")
sed -n '1,/<meta name="color-scheme"/p' "$web/index.html"
echo "<link rel=\"icon\" href=\"data:image/svg+xml;base64,$icon\">"
echo '<style>'
style
echo '</style></head>'
sed -n '/^<body>/,/^<footer/p' "$web/index.html" | sed "s|<svg viewBox=\"0 0 32 32\" aria-hidden=\"true\">.*</svg>|<img alt=\"\" width=\"30\" height=\"30\" src=\"data:image/svg+xml;base64,$icon\">|"
echo '<script type="text/plain" id="offline-worker">'
cat "$web/worker.js"
for module in rules plum; do
    echo "</script><script type=\"text/plain\" id=\"offline-$module\">"
    base64 "$build/$module.wasm"
done
for file in "$games"/*/puzzles/*.txt "$games"/*/demo/*.txt; do
    [ -e "$file" ] || continue
    echo "</script><script type=\"text/plain\" id=\"offline-$(basename "$(dirname "$file")")-$(basename "$file" .txt)\">"
    cat "$file"
done
for document in "$docs"/*.md; do
    echo "</script><script type=\"text/plain\" id=\"offline-docs-$(basename "$document" .md)\">"
    cat "$document"
done
echo '</script><script type="module">'
sh "$tools/bundle.sh" "$web" "$games"
echo '</script></body></html>'
