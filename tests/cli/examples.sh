#!/bin/sh
# examples: the examples in the commands' help run as they stand, each in a folder that is
# empty but for `tests`, this project's tests; and no line of any help is wider than a terminal.
#
# usage: examples.sh PLUM TESTS
set -eu
plum=$(realpath "$1")
tests=$(realpath "$2")
# shellcheck source=tools/scratch.sh
. "$tests/../tools/scratch.sh"

run_example() { # run_example LINE
    rm -rf "$scratch/here"
    mkdir "$scratch/here"
    ln -s "$tests" "$scratch/here/tests"
    cd "$scratch/here"
    if ! sh -c "$1" </dev/null >"$scratch/out" 2>"$scratch/err"; then
        echo "this example fails: $1"
        cat "$scratch/err"
        exit 1
    fi
}

export LC_ALL=C.UTF-8
plum completion bash |
    sed -n "/^_plum_options/,/^}/s/^    '\([a-z ]*\)') words=.*/\1/p" >"$scratch/commands"
if [ "$(wc -l <"$scratch/commands")" -lt 40 ]; then
    echo "the completion lists fewer commands than plum has"
    exit 1
fi

# Plum itself and every command, but for those that need an agent, a compiler, a tournament or a
# judge or a report, do not end, or take long.
needy='agent|analyze|bench|build|check|new|serve|solve|submission|tournament|worker'
{
    echo
    grep -Ev "^($needy)( |\$)" "$scratch/commands"
} >"$scratch/with_examples"
while IFS= read -r command; do
    # shellcheck disable=SC2086 # nothing, for plum's own help
    plum help $command | sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' |
        sed -n '/^Examples:/,/^$/s/^  \(\(plum\|printf\) .*\)/\1/p' >"$scratch/lines"
    if [ ! -s "$scratch/lines" ]; then
        echo "plum help $command has no example"
        exit 1
    fi
    while IFS= read -r line; do
        run_example "$line"
    done <"$scratch/lines"
done <"$scratch/with_examples"

while IFS= read -r command; do
    # shellcheck disable=SC2086 # "tournament run" is two words
    plum $command --help >>"$scratch/helps" </dev/null
done <"$scratch/commands"
plum help >>"$scratch/helps"
if grep -nE '.{81}' "$scratch/helps"; then
    echo "these lines of a help text are wider than 80 columns"
    exit 1
fi
