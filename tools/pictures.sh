#!/bin/sh
# pictures: draws the boards in docs/images, or checks that they are what plum draws today.
#
# usage: tools/pictures.sh PLUM draw|check
#
# docs/images/positions.txt has a game and a position in each line; each was reached in a game.
set -eu
plum=$(realpath "$1")
cd "$(dirname "$0")/../docs/images"
failed=0

picture() { # picture MODE FILE GAME POSITION
    if [ "$1" = draw ]; then
        "$plum" show "$3" "$4" --svg "$2"
    elif ! "$plum" show "$3" "$4" --svg - | cmp -s - "$2"; then
        echo "docs/images/$2 is not what plum draws; run 'make pictures'" >&2
        failed=1
    fi
}

while read -r game position; do
    picture "$2" "$game.svg" "$game" "$position"
done <positions.txt
exit $failed
