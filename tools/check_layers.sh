#!/bin/sh
# check_layers: an include may only point down.
#
# usage: tools/check_layers.sh [ROOT]        ROOT holds src/; default: this project
#        tools/check_layers.sh --list        prints the layers, the lowest first: the only list
#
# Reads every #include in src/ and refuses
#   - one that points to a higher layer,
#   - one that reaches into a game's folder from outside it,
#   - in rules*.[ch], directly or through a header: any of the C library but
#     stdint, stdbool, stddef and string,
#   - in judge, tournament, store, report and course, likewise: libuv.
# In src/games/*/, engine* and eval* belong to layer engine, the rest to layer game.
set -eu
layers='base game engine sandbox protocol player judge tournament store report course cluster play app web cli'
if [ "${1-}" = --list ]; then
    echo "$layers"
    exit
fi
root=${1:-$(dirname "$0")/..}
cd "$root"

find src -name '*.[ch]' | LC_ALL=C sort | xargs awk -v layers="$layers" '
BEGIN {
    count = split(layers, name, " ")
    for (i = 1; i <= count; i++) rank[name[i]] = i
    split("judge tournament store report course", without_loop)
    for (i in without_loop) has_no_loop[without_loop[i]] = 1
    split("stdint.h stdbool.h stddef.h string.h", allowed)
    for (i in allowed) pure[allowed[i]] = 1
}

function basename(path) { sub(/.*\//, "", path); return path }
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function game_folder(path) { return match(path, /^src\/games\/[^\/]*/) ? substr(path, 1, RLENGTH) : "" }

function layer(path,    part) {
    split(path, part, "/")
    if (part[2] != "games") return part[2]
    return basename(path) ~ /^(engine|eval)/ ? "engine" : "game"
}

function exists(path,    line, found) {
    if (!(path in known)) {
        found = (getline line < path) >= 0
        close(path)
        known[path] = found
    }
    return known[path]
}

function refuse(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; bad = 1 }

FNR == 1 {
    files[++file_count] = FILENAME
    if (!(layer(FILENAME) in rank)) refuse("src/" layer(FILENAME) " is none of the layers")
}

/^[ \t]*#[ \t]*include/ {
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    if (target !~ /^["<]/) { refuse("an include must name its file"); next }
    target = substr(target, 2)
    sub(/[">].*/, "", target)
    if (target ~ /\.\./) { refuse("include by the path from src/, not \"" target "\""); next }

    if (exists("src/" target)) path = "src/" target
    else if (exists(folder(FILENAME) "/" target)) path = folder(FILENAME) "/" target
    else { system_header[FILENAME, ++system_count[FILENAME]] = target; next }

    own_header[FILENAME, ++own_count[FILENAME]] = path
    from = layer(FILENAME); to = layer(path)
    if (rank[to] > rank[from]) refuse("layer " from " may not include " target ": layer " to " is above it")
    if (game_folder(path) != "" && game_folder(path) != game_folder(FILENAME))
        refuse("only files in " game_folder(path) " may include " target)
}

# Everything that a rules file reaches, itself first.
function check_rules(rules, path,    i, header) {
    if (visited[rules, path]++) return
    for (i = 1; i <= system_count[path]; i++) {
        header = system_header[path, i]
        if (header in pure) continue
        printf "%s: rules may not use <%s>%s\n", rules, header, path == rules ? "" : ", it comes with " path
        bad = 1
    }
    for (i = 1; i <= own_count[path]; i++) check_rules(rules, own_header[path, i])
}

# Whether it reaches libuv; each file of its layers is named that includes it, or a header with it.
function check_loop(file, path,    i) {
    if (visited[file, "loop", path]++) return 0
    for (i = 1; i <= system_count[path]; i++)
        if (system_header[path, i] == "uv.h") return 1
    for (i = 1; i <= own_count[path]; i++)
        if (check_loop(file, own_header[path, i])) return 1
    return 0
}

END {
    for (f = 1; f <= file_count; f++)
        if (layer(files[f]) in has_no_loop && check_loop(files[f], files[f])) {
            printf "%s: layer %s may not use <uv.h>, also not through a header\n", files[f], layer(files[f])
            bad = 1
        }
    for (f = 1; f <= file_count; f++)
        if (files[f] ~ /^src\/games\/[^\/]*\/rules[^\/]*$/) check_rules(files[f], files[f])
    exit bad
}' >&2
