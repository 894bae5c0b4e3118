#!/bin/sh
# baseline: the engine that matches are played against, built once and kept.
#
# usage: tools/lab/baseline.sh FOLDER [COMMIT]
#
# COMMIT is 253cc7e, the last one of version 0.1.0, unless given. Builds FOLDER/baseline.so for duel, and
# FOLDER/baseline, a UGI engine: plum match reversi builtin:10 "ugi:FOLDER/baseline reversi". A FOLDER that already
# has both is left alone.
set -eu
folder=$1 commit=${2:-253cc7e}
lab=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [ -f "$folder/baseline" ] && [ -f "$folder/baseline.so" ]; then
    exit 0
fi
rm -rf "$folder/sources"
mkdir "$folder/sources"
git -C "$lab/../.." archive "$commit" | tar -x -C "$folder/sources"
SRC=$folder/sources/src sh "$lab/build.sh" "$folder/baseline.so"
cmake -S "$folder/sources" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$folder/build" --target plum -j2 >/dev/null
printf '#!/bin/sh\nexec "%s" engine "$@"\n' "$folder/build/plum" >"$folder/baseline"
chmod +x "$folder/baseline"
