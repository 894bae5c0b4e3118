#!/bin/sh
# coverage: a table of the lines that the tests reach, per layer, and pages with every line.
#
# usage: tools/coverage.sh BUILD        BUILD: built for clang's coverage, its tests run
#
# Exit code 1: less than 90 % of the lines of a layer below cli are reached.
#
# llvm-cov and not gcov, because the rules are compiled once per processor level and
# some functions differ between the two: it adds them up by line.
# As in check_layers.sh, engine* and eval* of a game belong to layer engine, the rest to layer game.
set -eu
cd "$(dirname "$0")/.."
build=$1
profile=$build/coverage.profdata
pages=$build/pages

llvm-profdata merge -o "$profile" "$build"/profiles/*.profraw

# Every program that the build made, as the arguments of llvm-cov.
programs() {
    echo "$build/plum"
    find "$build/tests" -type f -perm -u+x -name '*_*' | LC_ALL=C sort | sed 's/^/-object=/'
}

# shellcheck disable=SC2046 # one word a program
llvm-cov show $(programs) -instr-profile="$profile" -format=html -output-dir="$pages" src
echo "line by line: $pages/index.html"

# shellcheck disable=SC2046
llvm-cov export $(programs) -instr-profile="$profile" -format=lcov src >"$build/lines.info"
awk -F '[:,]' -v list="$(sh tools/check_layers.sh --list)" '
BEGIN {
    aim = 90
    count = split(list, layers, " ")
}
function add(layer, is_reached) { lines[layer]++; reached[layer] += is_reached }
function row(layer) {
    printf "%-12s %7d %7d %6.1f %%\n", layer, lines[layer], reached[layer], 100 * reached[layer] / lines[layer]
}
$1 == "SF" {
    layer = $2
    sub(/.*\/src\//, "", layer)
    is_of_a_game = sub(/^games\/[^\/]*\//, "", layer)
    if (is_of_a_game) layer = layer ~ /^(engine|eval)/ ? "engine" : "game"
    sub(/\/.*/, "", layer)
}
$1 == "DA" {
    add(layer, $3 > 0)
    add("all", $3 > 0)
    if (layer != "cli") add("below cli", $3 > 0)
}
END {
    printf "%-12s %7s %7s %8s\n", "layer", "lines", "reached", "share"
    for (i = 1; i <= count; i++) row(layers[i])
    row("below cli")
    row("all")
    for (i = 1; i < count; i++)
        if (reached[layers[i]] < lines[layers[i]] * aim / 100) {
            printf "layer %s: less than %d %% of its lines are reached\n", layers[i], aim
            is_low = 1
        }
    exit is_low
}' "$build/lines.info"
