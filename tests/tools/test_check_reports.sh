#!/bin/sh
# Does tools/reports/make.py notice a report that is wrong? Are ours right, with their boards?
#
# usage: test_check_reports.sh PLUM
set -eu
plum=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
python=$(python3 -c 'import sys; print(sys.executable)') # that of a version manager is a slow script
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p docs src/games/go
cat >docs/engine.md <<'END'
## Levels, 1.0
| level | go | chess |
|---|---|---|
| 1 | 51.0 % | – |
| 2 | +354 ± 73 | −40 ± 12 |

Then 1,234 games.
END
failed=0

report() { # report LINE...
    printf '%s\n' '# Go' "$@" >src/games/go/report.md
}

check() { "$python" "$root/tools/reports/make.py" check . "$plum" 2>got; }

accepts() { # accepts CLAIM
    if ! check; then
        echo "should be accepted: $1"
        cat got
        failed=1
    fi
}

refuses() { # refuses CLAIM MESSAGE
    if check || ! grep -qF -- "$2" got; then
        echo "should be refused: $1 (with: $2)"
        cat got
        failed=1
    fi
}

refuses "no report" "there is no src/games/*/report.md"

report 'In 1,234 games +354 ± 73 Elo, or 354, and 51.0 %; 8×8 squares, 7 moves, Figure 2.' \
    '```chart' 'kind: bars' 'from: docs/engine.md#levels-10' 'series: go, chess > Chess' 'caption: C' '```' \
    '```table' 'from: docs/engine.md#levels-10' 'rows: 2' 'columns: level, go' 'caption: T' '```' \
    '```board' 'othello start' 'caption: B' '```'
accepts "numbers of the sources, small numbers, figures"

report 'After 4,321 games'
refuses "a number that was not measured" "src/games/go/report.md:2: 4,321 is in none of the sources"

report 'It gained +354 ± 37 Elo'
refuses "a wrong error" "report.md:2: +354 ± 37 is in none"

report 'See Figure 1.'
refuses "a figure that does not exist" "there is no Figure 1"

report '```table' 'from: docs/engine.md#level' 'caption: T' '```'
refuses "a section that does not exist" "line 2: docs/engine.md has no heading with the anchor level"

report '```table' 'from: docs/nothing.md#level' 'caption: T' '```'
refuses "a file that does not exist" "docs/nothing.md: No such file"

report '```table' 'from: docs/engine.md#levels-10' 'columns: level, shogi' 'caption: T' '```'
refuses "a column that does not exist" "there is no column 'shogi'"

report '```chart' 'kind: lines' 'from: docs/engine.md#levels-10' 'rows: 9' 'caption: C' '```'
refuses "rows that do not exist" "has no row 9"

report '```chart' 'kind: bars' 'from: docs/engine.md#levels-10' '```'
refuses "a figure without a caption" "a chart needs a line 'caption: …'"

report '```board' 'othello nonsense' 'caption: B' '```'
refuses "a board that is no position" "line 2: plum show:"

"$python" "$root/tools/reports/make.py" check "$root" "$plum" || failed=1
exit $failed
