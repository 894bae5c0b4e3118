#!/bin/sh
# Does tools/check_layers.sh refuse what it must, and nothing else?
set -eu
checker=$(realpath "$(dirname "$0")/../../tools/check_layers.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0

file() { # file PATH INCLUDE... : writes a source file with these include lines
    path=src/$1
    shift
    mkdir -p "$(dirname "$path")"
    for include in "$@"; do echo "#include $include"; done >"$path"
}

clean_tree() {
    rm -rf src
    file base/err.h '<stdint.h>'
    file base/log.h '<stdio.h>'
    file game/game.h '"base/err.h"' '<stdbool.h>'
    file engine/search.inc.h '"game/game.h"'
    file judge/judge.h '"game/game.h"'
    file games/hop/rules.h '"game/game.h"'
    file games/hop/rules.c '"games/hop/rules.h"' '<string.h>'
    file games/hop/engine.h '"engine/search.inc.h"' '"rules.h"'
    file games/meichu/rules.c '"game/game.h"'
    file cli/main.c '"judge/judge.h"' '"registry_folders.h"' '<stdio.h>'
}

accepts() { # accepts CLAIM
    if ! sh "$checker" . 2>got; then
        echo "should be accepted: $1"
        cat got
        failed=1
    fi
}

refuses() { # refuses CLAIM MESSAGE
    if sh "$checker" . 2>got || ! grep -qF -- "$2" got; then
        echo "should be refused: $1 (with: $2)"
        cat got
        failed=1
    fi
    clean_tree
}

clean_tree
accepts "includes that point down or sideways"

file game/game.h '"judge/judge.h"'
refuses "an upward include" "src/game/game.h:1: layer game may not include judge/judge.h"

file judge/judge.h '"game/game.h"' '<cli/args.h>'
file cli/args.h
refuses "an upward include in angle brackets" "src/judge/judge.h:2: layer judge may not include cli/args.h"

file games/hop/rules.c '"games/hop/engine.h"'
refuses "rules that include their engine" "layer game may not include games/hop/engine.h"

file games/hop/notation.c '"engine.h"'
refuses "an upward include by the bare name" "layer game may not include engine.h"

file games/meichu/rules.c '"games/hop/rules.h"'
refuses "one game that includes another" "only files in src/games/hop may include games/hop/rules.h"

file judge/judge.c '"games/hop/rules.h"'
refuses "a judge that knows one game" "only files in src/games/hop may include games/hop/rules.h"

file base/loop.h '<uv.h>'
file store/store.c '"judge/judge.h"' '"base/log.h"'
file base/log.h '"base/loop.h"'
refuses "a store that reaches libuv through two headers" "src/store/store.c: layer store may not use <uv.h>"

file course/build.h '"base/loop.h"'
file base/loop.h '<uv.h>'
refuses "a course that reaches libuv" "src/course/build.h: layer course may not use <uv.h>"

file games/hop/rules.c '<stdlib.h>'
refuses "rules that use stdlib" "src/games/hop/rules.c: rules may not use <stdlib.h>"

file games/hop/rules.c '"base/log.h"'
refuses "rules that use stdio through a header" "rules may not use <stdio.h>, it comes with src/base/log.h"

file judge/judge.c '"../cli/args.h"'
refuses "an include that climbs out of its folder" "include by the path from src/"

file judge/judge.c 'WHATEVER'
refuses "an include that cannot be read" "an include must name its file"

file helpers/a.c '"game/game.h"'
refuses "a folder that is no layer" "src/helpers is none of the layers"

accepts "the clean tree again"
exit $failed
