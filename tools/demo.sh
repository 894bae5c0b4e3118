#!/bin/sh
# demo: plays the tournament that the arena shows where no other is followed, and writes its records.
#
# usage: tools/demo.sh PLUM GAME >src/games/FOLDER/demo/GAME.txt
#
# PLUM is the program. Four levels of our engine, everybody twice against everybody: some seconds. Of each turn only the
# score is kept: they take no time worth showing.
set -eu
plum=$(realpath "$1")
game=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

{
    printf '[tournament]\nname = Demonstration\ngame = %s\nformat = double-round-robin\nconcurrency = 1\n' "$game"
    for level in 5 6 7 8; do
        name=$("$plum" levels | sed -n "s/^ *$level  \(.*[a-z]\)   *[A-Z].*/\1/p")
        printf '[team %s]\nname = %s, level %s\nplayer = builtin:%s\n' "$level" "$name" "$level" "$level"
    done
} >class.ini
"$plum" tournament run class.ini >&2
"$plum" tournament export class.db |
    sed -e '/^\[\(Event\|Date\|Seed\|TimeLimit\|Grace\|Sandbox\) /d' -e 's/ [dn]=[0-9]*//g' -e 's/t=[0-9.]* //'
