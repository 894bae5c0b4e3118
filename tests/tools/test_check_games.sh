#!/bin/sh
# Does tools/check_games.sh refuse what it must, and nothing else?
set -eu
checker=$(realpath "$(dirname "$0")/../../tools/check_games.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0

clean_tree() {
    rm -rf src web tools CMakeLists.txt
    mkdir -p src/base src/games/hop web tools
    printf 'export default {\n  hop: {\n  },\n  %s: {\n  },\n};\n' "'hop-noloop'" >src/games/hop/web.js
    echo 'static const char name[] = "hop";' >src/games/hop/rules.c
    echo 'int is_hopeless, shop; /* chopped, hopping */' >src/base/a.c
    echo 'const workshop = 1;' >web/main.js
    echo 'project(plum)' >CMakeLists.txt
    echo 'echo shopper' >tools/a.sh
}

expect() { # expect STATUS CLAIM
    status=0
    sh "$checker" . >got 2>&1 || status=1
    if [ "$status" != "$1" ]; then
        echo "wrong: $2"
        cat got
        failed=1
    fi
}

clean_tree
expect 0 'other words, and the folder itself'
for text in 'char *game = "hop";' '/* Hops are jumps. */' 'int HOP_MS;' 'int hopText;' 'int isHop;' 'int is_hop_square;' '"hop-noloop"'; do
    for file in src/base/a.c web/main.js CMakeLists.txt tools/a.sh; do
        clean_tree
        echo "$text" >>"$file"
        expect 1 "$text in $file"
    done
done
exit $failed
