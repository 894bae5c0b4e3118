#!/bin/sh
# The command `plum replay`: what it prints, where, and how it exits.
#
# usage: tests/test_cmd_replay.sh PLUM
set -u
plum=$1
cd "$(dirname "$0")/records" || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME CODE STDOUT STDERR ARGUMENT...: the command's exit code and its whole output
expect() {
    name=$1 code=$2 out=$3 err=$4
    shift 4
    "$plum" replay "$@" >"$work/out" 2>"$work/err" <"$work/in"
    got=$?
    if [ "$got" -ne "$code" ] || [ "$(cat "$work/out")" != "$out" ] || [ "$(cat "$work/err")" != "$err" ]; then
        printf '%s: exit code %s instead of %s\n' "$name" "$got" "$code"
        cat "$work/out" "$work/err"
        failed=1
    fi
}

# contains NAME FILE WORDS
contains() {
    if ! grep -qF -- "$3" "$work/$2"; then
        printf '%s: not in %s: %s\n' "$1" "$2" "$3"
        cat "$work/$2"
        failed=1
    fi
}

: >"$work/in"

expect true_records_are_ok 0 '1  hop  alice - bob  9 plies  1-0  all-home  ok
2  hop-noloop  carol - dan "the hopper"  4 plies  *  -  ok
3  reversi  alice - bob  61 plies  1-0  no-moves  ok
4  othello  bob - alice  61 plies  1/2-1/2  no-moves  ok
5  meichu  alice - bob  48 plies  0-1  flag  ok
6  meichu  bob - alice  11 plies  1-0  invalid  ok
7  reversi  alice - bob  12 plies  0-1  malformed  ok
7 games, 7 ok, 0 failed' '' good.txt

mixed_error='plum replay: game 2: line 18: ply 3, Black 34: square 34 is not empty: it has a white disc'
expect games_behind_a_failed_one_are_checked 1 '1  reversi  alice - bob  2 plies  *  -  ok
2  reversi  bob - alice  3 plies  1-0  no-moves  failed
3  othello  bob - alice  1 ply  1-0  resigned  ok
3 games, 2 ok, 1 failed' "$mixed_error" mixed.txt

expect the_position_alone_stands_on_stdout 0 '#......#/......../......../...X..../......../......../......../#......# w' '' \
    one.txt --at 1
expect ply_zero_is_the_start 0 '#......#/......../......../......../......../......../......../#......# b' '' \
    --at 0 one.txt
expect a_game_that_is_too_short_has_no_such_position 2 '' \
    'plum replay: game 1: it has 2 plies, so there is no position after ply 3' one.txt --at 3

"$plum" replay mixed.txt --at 1 >"$work/out" 2>"$work/err"
[ "$(wc -l <"$work/out")" -eq 3 ] || { echo "a line per game with --at, and a failed game up to its lie"; failed=1; }
contains a_failure_is_told_with_at_too err "$mixed_error"

cp one.txt "$work/in"
expect minus_is_standard_input 0 '1  reversi  alice - bob  2 plies  *  -  ok' '' -
: >"$work/in"
expect no_game_is_malformed 2 '' 'plum replay: standard input contains no game (see plum replay --help)' -
expect no_game_is_an_empty_array 2 '[]' 'plum replay: standard input contains no game (see plum replay --help)' - --json

expect malformed_text_names_its_line 2 '1  reversi  ? - ?  1 ply  *  -  ok' \
    "plum replay: malformed.txt: line 10: a line is a tag, a ply such as '1. b MOVE', or empty, not 'second ply' (see plum replay --help)" \
    malformed.txt
expect a_missing_file_is_a_wrong_argument 2 '' \
    'plum replay: nowhere.txt: No such file or directory (see plum replay --help)' nowhere.txt
expect a_folder_is_no_file 2 '' 'plum replay: .: Is a directory (see plum replay --help)' .
expect a_bad_ply_is_a_wrong_argument 2 '' \
    "plum replay: --at must be a whole number from 0 to 1100, not 'x' (see plum replay --help)" one.txt --at x

printf '[Game "chess"]\n[Result "*"]\n\n1. b 10\n\n' >"$work/in"
"$plum" replay - <"$work/in" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || { echo "an unknown game is malformed input"; failed=1; }
contains an_unknown_game_is_named err "game 1: line 1: tag Game: there is no game called 'chess'"

"$plum" replay mixed.txt --json >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || { echo "json: a failed game is exit code 1"; failed=1; }
contains json_has_positions out '"position": "#......#/......../......../...X..../......../......../......../#......# w"'
contains json_has_the_error out '"ok": false, "error": "line 18: ply 3, Black 34:'
contains json_has_null_where_nothing_was_played out '"move": "34", "position": null'
contains json_has_tags out '"tags": {"Game": "othello", "Black": "bob"'
contains json_has_the_closing_turn out '"closing": {"side": "white", "time_ns": 2100000000}'
[ "$(head -c 1 "$work/out")$(tail -c 2 "$work/out")" = "[]" ] || { echo "json: no array"; failed=1; }

exit $failed
