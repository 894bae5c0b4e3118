#!/bin/sh
# bundle: joins the modules of the pages into one script.
#
# usage: tools/bundle.sh WEB GAMES >app.js
#
# WEB is the folder web/, GAMES the folder src/games. The modules come in the order in which they need each other, without
# their imports and the comments that fill a line. No two of them may give the same name to something at their top, which
# the browser would refuse.
set -eu
web=$1
games=$2
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

for module in $order; do
    if [ "$module" = games ]; then
        sh "$tools/game_pages.sh" "$web" "$games"
    else
        cat "$web/$module.js"
    fi | sed -e '/^import .* from /d' -e 's/^export //' -e '/^ *\/\/ /d'
done
