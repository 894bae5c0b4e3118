#!/bin/sh
# game_pages: prints the module games.js of the pages, with the entries of all games.
#
# usage: tools/game_pages.sh WEB GAMES >games.js
#
# WEB is the folder web/, GAMES the folder src/games. A game's web.js has no imports and ends in
# `export default {…};`; each becomes a block of its own.
set -eu
cat "$1/games.js"
for file in "$2"/*/web.js; do
    [ -e "$file" ] || continue
    printf '\n{\n'
    sed -e 's/^export default {$/addGames({/' -e '$s/^};$/});/' "$file"
    printf '}\n'
done
