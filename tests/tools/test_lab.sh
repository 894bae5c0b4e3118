#!/bin/sh
# The laboratory's tools build with gcc alone, without a warning, and do what they say on a
# small scale: a match between two builds, openings, depths, levels, bids.
set -eu
cd "$(dirname "$0")/../.."
lab=tools/lab
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strict="-O1 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror"

fail() {
    echo "test_lab: $1" >&2
    exit 1
}

# shellcheck disable=SC2086 # one word a flag
build() { sh $lab/build.sh "$scratch/$1" $2 -O1 $strict; } # -O1: they run for a moment only
build engine.o -fPIC &
sh $lab/build.sh "$scratch/b.so" -O1 '-DSEARCH_TRIAL=.late_move_depth=0' &
wait
export ENGINE="$scratch/engine.o"
build a.so "-shared -fPIC -Wl,-Bsymbolic" &
build duel "$lab/duel.c $lab/versus.c tests/sparring.c" &
build bids $lab/bids.c &
build openings "$lab/openings.c $lab/versus.c tests/sparring.c" &
build parallel bench/parallel.c &
build deepen "$lab/deepen.c $lab/versus.c tests/sparring.c" &
build ladder $lab/ladder.c &
wait

lab_path=$PWD/$lab
cd "$scratch"
pairs() { # pairs GAME A B: how many pairs were played, and games
    ./duel "$1" "$2" "$3" 60 1 2 | awk '{ print $1 + $2 + $3 + $4 + $5, $6 + $7 + $8 }'
}
[ "$(pairs hop ./a.so,nodes=100 ./b.so,nodes=100)" = "2 4" ] || fail "duel hop"
[ "$(pairs reversi ./a.so,level=1 sparring,nodes=100)" = "2 4" ] || fail "duel with the sparring partner"
./duel meichu ./a.so,nodes=300 sparring,nodes=300 60 1 4 | awk '{ exit !($6 > $8) }' || fail "the engine lost"
! ./duel hop ./none.so ./a.so 1 1 2>/dev/null || fail "a build that is not there"
! ./duel hop ./a.so,nodes=9 sparring 1 1 2>/dev/null || fail "a sparring partner without a limit"

./openings reversi ./a.so 5 1 >openings.txt
./openings reversi ./a.so 5 1 | cmp - openings.txt || fail "the same seed gives other openings"
[ "$(grep -v '^# ' openings.txt | sort -u | wc -l)" = 5 ] || fail "five different openings"
sh "$lab_path/duel.sh" ./duel reversi ./a.so,nodes=100 ./a.so,nodes=100 60 2 openings.txt >match.txt
awk '{ exit !($5 + substr($6, 2) - $7 == 10) }' match.txt || fail "each opening twice: $(cat match.txt)"
grep -q ' 50.0%' match.txt || fail "equal players are not equal: $(cat match.txt)"
! echo 'no position' | ./duel hop ./a.so ./a.so 1 - 2>/dev/null || fail "an opening that is not a position"

./deepen hop ./a.so,threads=2 3 2 1 | grep -q 'depth 3: .* s, .* million nodes$' || fail "deepen"
./parallel ends othello empty=12 count=4 repeat=1 side=1 threads=1,4 | grep -q '^ *4 ' || fail "parallel ends"
./parallel depth meichu depth=6 count=2 repeat=1 threads=1,2 | grep -q '^ *2 ' || fail "parallel depth"
! ./parallel ends othello threads=0 2>/dev/null || fail "no threads"

# Levels 1 to 4 play alike on every machine, so that the result is known.
echo 'reversi 2 1 2000 0 0 0 1' >rules
./ladder --games reversi --levels 1-2 --pairs 15 --seed 3 --seconds 60 --rules rules >ladder.txt || fail "ladder"
[ "$(grep -c '^reversi  *level .* ok$' ladder.txt)" = 2 ] || fail "ladder: two steps"
[ "$(tail -n 1 ladder.txt)" = PASS ] || fail "ladder: PASS"
echo 'reversi 2 1 2000 990 990 900 1' >rules
! ./ladder --games reversi --levels 2-2 --pairs 15 --seconds 60 --rules rules >ladder.txt || fail "ladder finds no step"
[ "$(tail -n 1 ladder.txt)" = FAIL ] || fail "ladder: FAIL"
! ./ladder --levels 0-3 2>/dev/null || fail "ladder: level 0"
! ./ladder --games chess 2>/dev/null || fail "ladder: an unknown game"

[ "$(./bids 30 1 1 | wc -l)" = 20 ] || fail "bids"
