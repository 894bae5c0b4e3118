#!/bin/sh
# build: compiles the engine, or a tool of the laboratory, with nothing but gcc.
#
# usage: tools/lab/build.sh OUT.so [FLAG...]       a build of the engine that duel can load
#        tools/lab/build.sh OUT.o [FLAG...]        the engine as one object file
#        tools/lab/build.sh OUT TOOL.c [FLAG...]   a tool with the engine inside; it is compiled
#                                                  unless ENGINE in the environment names an OUT.o
#
# SRC in the environment names other sources than this project's, for instance those of an
# older version. FLAGs go to the compiler; docs/engine.md lists some worth trying.
set -eu
lab=$(dirname "$0")
src=${SRC:-$lab/../../src}
out=$1
shift
set -- -std=gnu17 -O3 -march=x86-64-v3 -DNDEBUG -D_GNU_SOURCE -DPLUM_CPU_SUFFIX=baseline \
    -I"$src" -I"$out.d" -I"$lab" -I"$lab/../../tests" "$@"
if [ -n "${ENGINE:-}" ]; then
    exec gcc "$@" "$ENGINE" -o "$out" -lpthread -ldl -lm
fi
mkdir -p "$out.d"
folders=
for folder in "$src"/games/*/; do
    folders="$folders X($(basename "$folder"))"
done
echo "#define REGISTRY_FOLDERS(X)$folders" >"$out.d/registry_folders.h"
set -- "$@" "$src"/base/clock.c "$src"/base/cpu.c "$src"/base/note.c "$src"/base/number.c \
    "$src"/base/rng.c "$src"/game/*.c "$src"/games/*/*.c "$src"/engine/*.c
if [ -f "$src/games/reversi/eval_weights.h" ]; then
    if [ -d "$src/games/reversi/unpack" ]; then
        gcc -I"$src" "$src"/games/reversi/unpack/*.c -o "$out.d/reversi_weights"
    else # version 0.1.0
        gcc -I"$src" "$src"/../tools/reversi_weights.c "$src"/../tools/reversi_twins.c -o "$out.d/reversi_weights"
    fi
    for game in reversi othello; do
        "$out.d/reversi_weights" $game "$src/games/reversi/weights_$game.bin" >"$out.d/weights_$game.c"
        set -- "$@" "$out.d/weights_$game.c"
    done
fi
for net in "$src"/games/*/net.bin; do
    [ -f "$net" ] || continue
    folder=$(basename "$(dirname "$net")")
    [ -f "$out.d/net_weights" ] || gcc "$lab/../net_weights.c" -o "$out.d/net_weights"
    "$out.d/net_weights" "$folder" "$net" >"$out.d/net_$folder.c"
    set -- "$@" "$out.d/net_$folder.c"
done
case $out in
*.so) set -- "$@" -shared -fPIC -Wl,-Bsymbolic ;;
*.o) exec gcc "$@" -r -o "$out" ;;
esac
gcc "$@" -o "$out" -lpthread -ldl -lm
