#!/bin/sh
# check_games: a game is one folder.
#
# usage: tools/check_games.sh [ROOT]        ROOT holds src/; default: this project
#
# Refuses the name of a game, also as a part of an identifier, in src/ outside src/games, in the
# pages of web/, in CMakeLists.txt and in tools/*.sh. The names are those of the folders in
# src/games and of the entries in their web.js.
set -eu
cd "${1:-$(dirname "$0")/..}"

names() {
    for folder in src/games/*/; do
        basename "$folder"
        [ ! -e "$folder/web.js" ] ||
            sed -n "/^export default/,\$s/^  '\\{0,1\\}\\([a-z0-9-]*\\)'\\{0,1\\}: {\$/\\1/p" "$folder/web.js"
    done | sort -u | tr '\n' ' '
}

{
    find src -type f \( -name '*.[ch]' -o -name '*.html' -o -name '*.css' -o -name '*.js' \) ! -path 'src/games/*'
    find web -type f \( -name '*.js' -o -name '*.html' -o -name '*.css' \)
    ls CMakeLists.txt tools/*.sh
} 2>/dev/null | LC_ALL=C sort | xargs awk -v names="$(names)" '
BEGIN { count = split(names, name) }

# Whether the text from `at` is a word of its own: not a part of another word, but also a plural, nameText and NAME_MS.
function is_word(line, at, length_,    before, first, last, after) {
    before = substr(line, at - 1, 1); first = substr(line, at, 1)
    if (at > 1 && before ~ /[A-Za-z]/ && !(before ~ /[a-z]/ && first ~ /[A-Z]/)) return 0
    last = substr(line, at + length_ - 1, 1); after = substr(line, at + length_)
    sub(last ~ /[A-Z]/ ? "^S" : "^s", "", after)
    return after !~ (last ~ /[A-Z]/ ? "^[A-Za-z]" : "^[a-z]")
}

{
    for (i = 1; i <= count; i++) {
        lower = tolower($0)
        for (from = 1; (at = index(substr(lower, from), name[i])); from = at + 1) {
            at += from - 1
            if (is_word($0, at, length(name[i]))) {
                printf "%s:%d: names the game %s; the folder of the game should provide this\n", FILENAME, FNR, name[i]
                bad = 1
                break
            }
        }
    }
}

END { exit bad }'
