#!/bin/sh
# lint: static analysis of all files. `make checks` has the quick checks, the test `docs` the documents.
#
# usage: tools/lint.sh BUILD LOGS [quick]   BUILD: a folder built with clang, for its compile_commands.json
#                                           LOGS: an existing folder for what the checks write
#
# quick: clang-tidy without its path-sensitive analyzer, which takes two thirds of the time.
#
# Runs every check, then fails if one of them did.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
logs=$2
tidy_checks=
[ "${3:-}" != quick ] || tidy_checks='--checks=-clang-analyzer-*'
jobs=$(nproc)
failed=

check() { # check NAME COMMAND...
    name=$1
    shift
    printf 'lint: %s\n' "$name"
    "$@" || failed="$failed $name"
}

layout() {
    find src tests bench tools -name '*.[ch]' ! -path '*/kit/*' -exec clang-format --dry-run -Werror {} + 2>"$logs/layout.log" &&
        return
    sed -n 's/:.*code should be clang-formatted.*/: run make format/p' "$logs/layout.log" | sort -u
    return 1
}

# SC2016, SC1003: awk programs and test data are in single quotes on purpose.
shell_scripts() {
    find tools tests bench .ci \( -name '*.sh' -o -name run \) ! -path '*/node_modules/*' \
        -exec shellcheck --exclude=SC2016,SC1003 {} +
}

# unknownEvaluationOrder: gcc's -Wsequence-point is exact where cppcheck guesses.
static_analysis() {
    find src -name '*.c' ! -path '*/kit/*' | cppcheck --quiet -j "$jobs" --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
        --inline-suppr --suppress=unknownEvaluationOrder -D_GNU_SOURCE -DPLUM_CPU_SUFFIX=baseline \
        -I src -I tests -I "$build/generated" --file-list=-
}

# One file a run: with several, clang-tidy 14 takes the second's va_list for uninitialized. Each file once: those of
# the games are compiled for two processor levels. The longest first. What is
# compiled for browsers only has no command in the database.
tidy() {
    log=$logs/clang-tidy.log
    python3 -c 'import json, sys; print(json.dumps(list({c["file"]: c for c in json.load(sys.stdin)}.values())))' \
        <"$build/compile_commands.json" >"$logs/compile_commands.json"
    # shellcheck disable=SC2086 # one word or none
    find src/games/*/*.c src/engine bench src -name '*.c' ! -path '*/kit/*' ! -path '*/browser/*' | awk '!seen[$0]++' | tr '\n' '\0' |
        xargs -0 -P "$jobs" -n 1 clang-tidy --quiet $tidy_checks -p "$logs" >"$log" 2>&1 && return
    grep -v 'warnings\? generated\.$' "$log"
    return 1
}

# The page is generated with every build, so it has no date.
manual() { ! "$build/plum" man | mandoc -T lint -W warning | grep -v 'missing date'; }

# Every package that we install has its reason written down, and no other.
dependencies() {
    sed -n 's/^\(run\|web\|workers\|test\|windows\|vm\|bench\|deb\|fonts\|reports\)  *\([^ ]*\) .*/\2/p' tools/deps.sh | sort -u >"$logs/packages"
    sed -n 's/^| `\([^`]*\)`.*/\1/p' docs/dependencies.md | sort -u >"$logs/packages-explained"
    diff -U 0 --label docs/dependencies.md --label tools/deps.sh "$logs/packages-explained" "$logs/packages"
}

# What these tools report, and how clang-format lays out a file, changes with their version. The files are checked with
# those of Debian 12; elsewhere the check is skipped.
check_with() { # check_with VERSION TOOL NAME COMMAND...
    wanted=$1
    tool=$2
    shift 2
    if "$tool" --version | grep -qE " $wanted(\.|\$)"; then
        check "$@"
    else
        echo "lint: skipped: $1 needs $tool $wanted, the version of Debian 12"
        echo "$1 needs $tool $wanted, the version of Debian 12" >>"$logs/skipped"
    fi
}

rm -f "$logs/skipped"
check_with 14 clang-format layout layout
check_with 0.9 shellcheck shell shell_scripts
check_with 2.10 cppcheck cppcheck static_analysis
check_with 14 clang-tidy clang-tidy tidy
check manual manual
check dependencies dependencies

if [ -n "$failed" ]; then
    echo "lint: failed:$failed" >&2
    exit 1
fi
