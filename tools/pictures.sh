#!/bin/sh
# pictures: draws the boards in docs/images, or checks that they are what plum draws today.
#
# usage: tools/pictures.sh PLUM draw|check
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

# All three were reached in a game.
picture "$2" hop.svg hop \
    '......../.X.....O/...XX.../.X...O.O/X..XXOO./.X.....O/X.OO..../.......O b 6 6'
picture "$2" reversi.svg reversi \
    '#OOXXXX#/XXXOXXOO/.O.OXXO./.O.XXOOO/...XXOX./.O..O.../...OX.../#......# w'
picture "$2" meichu.svg meichu \
    '...bfb.../.b..b..b./.b..ss.b./..bsbb.../...s..s../..BBSSB../.B.SS..B./.B...S.B./...BFB... b 129 126'
exit $failed
