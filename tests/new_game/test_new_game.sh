#!/bin/sh
# A game is one folder: a copy of the tree with one more folder in src/games builds, and the game is
# played by every command, in a match and in the browser's worker. What the folder does not change is taken from
# BUILD, a folder in which ROOT was built with gcc and without sanitizers.
#
# usage: test_new_game.sh ROOT [BUILD]
set -eu
root=$(realpath "$1")
build=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
mkdir -p "$tree/tests"
for part in CMakeLists.txt VERSION src web docs clients tools bench; do
    cp -R "$root/$part" "$tree/"
done
cp -R "$root/tests/naive" "$tree/tests/"
# Under this name the game is the first of the list, and no course has agents for it.
game=crossesandnoughts
cp -R "$root/tests/new_game/tictactoe" "$tree/src/games/$game"
sed -i "s/tictactoe/$game/g" "$tree/src/games/$game"/*
sh "$tree/tools/check_layers.sh"

{
    cmake -S "$tree" -B "$tree/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DCMAKE_EXE_LINKER_FLAGS=-fno-lto \
        -DPLUM_WASM_FLAGS=-O0 -DPLUM_WERROR=ON "-DCMAKE_C_COMPILER_LAUNCHER=sh;$root/tests/new_game/reuse.sh;$root;$build"
    cmake --build "$tree/build" -j 2 --target plum
} >"$scratch/build.log" 2>&1 || {
    tail -30 "$scratch/build.log"
    exit 1
}
plum=$tree/build/plum

expect() { # expect TEXT COMMAND...: the output has this line
    text=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || {
        echo "fails: $*"
        cat "$scratch/err"
        exit 1
    }
    grep -qF -- "$text" "$scratch/out" || {
        echo "$*: no '$text' in:"
        cat "$scratch/out"
        exit 1
    }
}

expect "$game  Three in a row" "$plum" games
expect '22' "$plum" moves "$game" start
expect '.../.X./... w' "$plum" apply "$game" start 11
expect '02' "$plum" bestmove "$game" 'XX./OO./... b' --depth 4
expect '9' "$plum" perft "$game" start 1
expect "$game" "$plum" help
expect "plum match hop --black 'tcp:" "$plum" match --help
stones='*.X/.*./... w' # a kind of piece that no other game has, and that belongs to neither side
expect '  0 * . X' "$plum" show "$game" "$stones"
expect 'Black: 1 cross' "$plum" show "$game" "$stones"
expect '◢◆◣' env LC_ALL=C.UTF-8 "$plum" show "$game" "$stones" --color always
expect '0 ◆ · ✕' script -qec "TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 '$plum' show '$game' '$stones'" /dev/null
expect '<path d="M0-24L24 0 0 24-24 0z" fill="#a8794a" stroke="#5e4226"/>' "$plum" show "$game" "$stones" --svg -
expect 'builtin' "$plum" match "$game" --black random --white builtin:depth=9 --games 2
grep -qF "Tic-tac-toe" "$tree"/build/pages/static/app.*.js || { echo "the pages do not have the game"; exit 1; }
if command -v node >/dev/null; then
    node "$root/tests/new_game/worker.mjs" "$tree/web/worker.js" "$tree/build" "$game"
fi
