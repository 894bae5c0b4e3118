#!/bin/sh
# run: checks the real program against a file of cases.
#
# usage: run.sh PLUM CASES
#
# A case begins with its command line, run by sh in a scratch folder where `plum` is the
# program, `tests` this project's tests and `../agents` a copy of tests/agents that every user
# can read. What follows says what must happen:
#
#   $ plum show hop start      the command line
#   < text                     a line of its standard input (without any: /dev/null)
#   > text                     a line of its standard output, exactly; without any: silence
#   ~ regex                    instead of `>`: some line of the output matches (may repeat)
#   ! regex                    standard error is one line and matches; without: silence
#   ? 2                        the exit code (without: 0)
#   % strict                   only in a strict sandbox; elsewhere the case is skipped
#
# Other lines that begin with # are comments; regexes are those of grep -E.
set -u
plum=$(realpath "$1")
CASES=$(realpath "$2")
TESTS=$(dirname "$(dirname "$CASES")")
if [ ! -x "$plum" ]; then
    echo "run: there is no program $1" >&2
    exit 3
fi
unset NO_COLOR COLORTERM PLUM_CPU LC_ALL LC_CTYPE LANG
export TERM=dumb

# shellcheck source=tools/scratch.sh
. "$TESTS/../tools/scratch.sh"
mkdir "$scratch/here"
ln -s "$TESTS" "$scratch/here/tests"
cp -R "$TESTS/agents" "$scratch/agents"
chmod -R go+rX "$scratch/agents"
cd "$scratch/here" || exit 3

cases=0
failures=0

fail() { # fail WHAT
    if [ "$failed" -eq 0 ]; then
        printf '%s:%d: $ %s\n' "$CASES" "$line_of_case" "$command"
    fi
    printf '    %s\n' "$1"
    failed=1
}

check_stdout() {
    if [ -s "$scratch/patterns" ]; then
        while IFS= read -r pattern; do
            grep -Eq -e "$pattern" "$scratch/out" || fail "no line of the output matches: $pattern"
        done <"$scratch/patterns"
    elif ! cmp -s "$scratch/wanted" "$scratch/out"; then
        fail 'the output differs (-: wanted, +: printed):'
        diff -u "$scratch/wanted" "$scratch/out" | sed '1,3d; s/^/    /'
    fi
}

check_stderr() {
    if [ -z "$complaint" ]; then
        [ ! -s "$scratch/err" ] || fail "unwanted complaint: $(cat "$scratch/err")"
    elif [ "$(wc -l <"$scratch/err")" -ne 1 ]; then
        fail "the complaint is not one line: $(cat "$scratch/err")"
    elif ! grep -Eq -e "$complaint" "$scratch/err"; then
        fail "the complaint '$(cat "$scratch/err")' does not match: $complaint"
    fi
}

run_case() {
    [ -n "$command" ] || return 0
    if [ -n "$needs_strict" ] && [ "${PLUM_TEST_SANDBOX:-strict}" != strict ]; then
        echo "skipped: $CASES:$line_of_case: the sandbox is only partial here: there are no namespaces"
        return 0
    fi
    cases=$((cases + 1))
    failed=0
    input=/dev/null
    [ ! -s "$scratch/in" ] || input=$scratch/in
    sh -c "$command" <"$input" >"$scratch/out" 2>"$scratch/err"
    code=$?
    sed -i '/: the sandbox is not complete here: no [a-z]* cgroup: /d' "$scratch/err" # an ordinary user may not make any
    [ "${PLUM_TEST_SANDBOX:-}" = strict ] || sed -i '/: the sandbox is not complete here: /d' "$scratch/err"
    [ "$code" -eq "$wanted_code" ] || fail "exit code $code instead of $wanted_code: $(head -c 300 "$scratch/err")"
    check_stdout
    check_stderr
    failures=$((failures + failed))
}

begin_case() { # begin_case COMMAND
    command=$1
    line_of_case=$line_number
    complaint=
    needs_strict=
    wanted_code=0
    : >"$scratch/in"
    : >"$scratch/wanted"
    : >"$scratch/patterns"
}

line_number=0
begin_case ''
while IFS= read -r line; do
    line_number=$((line_number + 1))
    text=${line#?}
    text=${text# }
    case $line in
    '$ '*) run_case && begin_case "$text" ;;
    '<'*) printf '%s\n' "$text" >>"$scratch/in" ;;
    '>'*) printf '%s\n' "$text" >>"$scratch/wanted" ;;
    '~ '*) printf '%s\n' "$text" >>"$scratch/patterns" ;;
    '! '*) complaint=$text ;;
    '? '*) wanted_code=$text ;;
    '% strict') needs_strict=yes ;;
    '#'* | '') ;;
    *)
        echo "$CASES:$line_number: this line begins with none of \$ < > ~ ! ? % #" >&2
        exit 2
        ;;
    esac
done <"$CASES"
run_case

echo "$((cases - failures)) of $cases cases passed"
[ "$cases" -gt 0 ] && [ "$failures" -eq 0 ]
