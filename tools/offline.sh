#!/bin/sh
# offline: makes one HTML file of the arena that works without a server.
#
# usage: tools/offline.sh WEB GAMES WASM >plum.html
#
# WEB is the folder web/, GAMES the folder src/games, WASM the module that the build made. The pages' modules are joined into
# one, in the order in which they need each other; so no two of them may give the same name to
# something at their top, which the browser would refuse.
set -eu
web=$1
games=$2
wasm=$3
tools=$(dirname "$0")

# What a module imports comes before it.
seen=
order=
visit() { # visit MODULE
    case " $seen " in *" $1 "*) return ;; esac
    seen="$seen $1"
    # shellcheck disable=SC2013 # a module's name is one word
    for needed in $(sed -n "s|^import .* from '\./\([a-z_]*\)\.js';\$|\1|p" "$web/$1.js"); do
        visit "$needed"
    done
    order="$order $1"
}
visit main

script() {
    for module in $order; do
        if [ "$module" = games ]; then
            sh "$tools/game_pages.sh" "$web" "$games"
        else
            cat "$web/$module.js"
        fi | sed -e '/^import .* from /d' -e 's/^export //'
    done
}

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
echo '</script><script type="text/plain" id="offline-module">'
base64 "$wasm"
echo '</script><script type="module">'
script
echo '</script></body></html>'
