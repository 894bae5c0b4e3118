#!/bin/sh
# Does `plum new` refuse what it should, and touch nothing then?
#
# usage: test_new.sh PLUM
set -u
plum=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
failed=0

refuses() { # refuses CODE MESSAGE ARGUMENT...
    code=$1 words=$2
    shift 2
    "$plum" new "$@" >answer 2>messages
    got=$?
    if [ $got != "$code" ] || ! grep -qF -- "$words" messages || [ -s answer ]; then
        echo "FAILED: exit $got, not $code with '$words': $*"
        cat messages
        failed=1
    fi
}

mkdir full empty && touch full/file plain
refuses 2 "full is not empty" hop c full --team 1
refuses 2 "plain: Not a directory" hop c plain --team 1
refuses 3 "cannot write nowhere/agent" hop c nowhere/agent --team 1
refuses 2 "--team N is missing: your team's number; in meichu your student number" hop c agent
refuses 2 "must be c, cpp or python, not 'java'" hop java agent --team 1
refuses 2 "no game" chess c agent --team 1
for team in 0 -1 1000000000 x 1.5 0x7 0000000000007 ''; do
    refuses 2 "team" hop c agent --team="$team"
done
[ ! -e agent ] || { echo "FAILED: a refused kit left a folder" && failed=1; }
[ "$(ls full)" = file ] || { echo "FAILED: a full folder was touched" && failed=1; }

"$plum" new hop c empty --team 1 >/dev/null || { echo "FAILED: an empty folder is fine" && failed=1; }
"$plum" new hop c "it's
mine" --team 1 >answer || failed=1
(eval "$(sed -n '/^  cd/,/mine/p' answer)" && [ -f Sample.c ]) || { echo "FAILED: the cd can be pasted" && failed=1; }

if ! { "$plum" new hop c kit.zip --team 1 >answer && python3 -m zipfile -e kit.zip . && diff -r empty hop-c; }; then
    echo "FAILED: a zip has the files of the folder"
    failed=1
fi
refuses 2 "kit.zip exists; choose another name" hop c kit.zip --team 1
refuses 3 "cannot write nowhere/kit.zip" hop c nowhere/kit.zip --team 1

# The README of MeiChu's kit describes its own language.
for language in c cpp python; do
    "$plum" new meichu $language "meichu-$language" --team 0816001 >/dev/null || failed=1
done
if grep -q 'checkerboard\|My move' meichu-c/README.md meichu-cpp/README.md ||
    ! grep -qF 'Move (r, c) to (r, c).' meichu-c/README.md || ! grep -qF 'checkerboard' meichu-python/README.md ||
    grep -q '@' meichu-*/README.md; then
    echo "FAILED: a README explains another language" && failed=1
fi
exit $failed
