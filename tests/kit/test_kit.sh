#!/bin/sh
# Does every kit of a language build as its README says, and play whole games?
#
# usage: test_kit.sh PLUM c|cpp|python
set -u
plum=$(realpath "$1")
language=$2
here=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
mkdir bin && ln -s "$plum" bin/plum
PATH=$scratch/bin:$PATH
PYTHONDONTWRITEBYTECODE=1
export PATH PYTHONDONTWRITEBYTECODE
team=0816001
failed=0

fail() { # fail CLAIM [FILE]
    echo "FAILED: $language: $1"
    [ -z "${2:-}" ] || sed 's/^/    /' "$2"
    failed=1
}

check() { # check CLAIM COMMAND...
    claim=$1
    shift
    "$@" >messages 2>&1 || fail "$claim" messages
}

case $language in
c) ending=c compile='gcc -std=gnu17' ;;
cpp) ending=cpp compile='g++ -std=c++14' ;;
python) ending=py ;;
esac

judge() { # judge GAME PROTOCOL WHO PROGRAM : in the game's folder, without .py
    program=$PWD/$1/$4
    [ "$language" != python ] || program="python3 $program.py"
    # shellcheck disable=SC2086 # words on purpose
    check "$1 plays through $2" python3 "$here/mini_judge.py" "$plum" "$1" "$2" "$3" $program
}

# Python that 3.6 understands; C and C++ without a warning, here and for Windows. Without plum
# and its headers, into a program called plain.
check_source() { # check_source FOLDER AGENT
    if [ "$language" = python ]; then
        cp "$1/$2.py" "$1/plain.py"
        for file in "$1"/*.py; do
            check "$file is Python 3.6" python3 -c \
                'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))' "$file"
        done
        return
    fi
    strict="-O1 -Wall -Wextra -Werror"
    # shellcheck disable=SC2086 # words on purpose
    check "$1 compiles without plum" $compile $strict "$1/$2.$ending" -o "$1/plain"
    # shellcheck disable=SC2086
    check "$1 compiles for Windows" x86_64-w64-mingw32-$compile $strict -static "$1/$2.$ending" \
        -o "$1/$2.exe" -lws2_32
}

# The assignments name the line of STcpClient in which idTeam is set.
client=STcpClient.h
[ "$language" != python ] || client=STcpClient.py
team_line() { # team_line GAME
    case $language-$1 in
    python-* | *-hop*) echo 11 ;;
    *) echo 18 ;;
    esac
}

for game in hop hop-noloop reversi othello meichu; do
    check "plum new $game" plum new $game "$language" $game --team $team
    sed -n 's/^  //p' messages >commands
    [ "$(wc -l <commands)" = 4 ] || fail "cd, build, check, match are shown" messages
    sed 1d commands | while read -r line; do
        grep -qxF "$line" $game/README.md || fail "README has: $line"
    done
    ! grep -rq '@[A-Z]*@\|idTeam = -1' $game || fail "$game: the templates are filled in"
    check "$game builds: $(sed -n 2p commands)" sh -c "$(sed -n 1p commands) && $(sed -n 2p commands)"
    if [ $game = meichu ]; then
        kind=c
        [ "$language" != python ] || kind=python
        judge meichu template $kind $team
    elif [ $game = hop-noloop ]; then
        judge $game file 816001 Sample
    else
        line=$(team_line $game)
        sed -n "${line}p" $game/$client | grep -qE '^(static int )?idTeam = 816001;?$' ||
            fail "$game: idTeam is set in line $line of $client" $game/$client
        judge $game tcp 816001 Sample
    fi
done
check_source hop Sample
check_source reversi Sample

# So little money that both sides have to pass.
sed -i 's/BUDGET = 150/BUDGET = 14/' meichu/"$team.$ending"
check_source meichu $team
judge meichu template "$kind=14" plain

# A function that was written for the course's own template of MeiChu.
if [ "$language" = python ]; then
    sed '/^if __name__/,$d' meichu/$team.py >meichu/pasted.py
    cat >>meichu/pasted.py <<'PASTED'
class Pasted(Meichu):
    def bid(self):
        return BLACK, min(3, MAX_PRICE)

    def make_decision(self, who):
        assert not self.game_over and self.color == who and 0 < self.n_pieces[who] <= 5
        assert len(self.get_barriers(who)) == self.n_barriers[who]
        mine = (1 + who, 3 + who)
        costs = {5 + who: SELF_BARRIER_COST, 6 - who: OPPONENT_BARRIER_COST}
        for begin_x, begin_y in self.get_pieces(who):
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                x, y = begin_x + dx, begin_y + dy
                if 0 <= x < 9 and 0 <= y < 9 and self.checkerboard[x][y] not in mine and \
                        self.budget[who] >= 2 + max(0, costs.get(self.checkerboard[x][y], 0)):
                    return [begin_x, begin_y, x, y]
        return self.get_moves(who)[0]


Pasted().start()
PASTED
    judge meichu template "$kind=14" pasted
fi

# What is not a move is named in one line before anything is sent.
says() { # says CODE WORDS COMMAND... : one line on standard error, without a judge
    code=$1 words=$2
    shift 2
    "$@" >answer 2>messages </dev/null
    got=$?
    if [ $got != "$code" ] || ! grep -qF -- "$words" messages || [ "$(wc -l <messages)" != 1 ]; then
        fail "exit $got, not $code with the line '$words': $*" messages
    fi
}

for client in STcpClient FileClient; do
    folder=hop
    [ $client = STcpClient ] || folder=hop-noloop
    # shellcheck disable=SC2086 # words on purpose
    [ "$language" = python ] ||
        check "wrong_step compiles" $compile -I "$folder" "-DCLIENT=\"$client.h\"" \
            "$here/wrong_step.$ending" -o wrong_step
    case $language in
    c)
        says 1 "$client: GetStep returned -1 as the number of squares; a move has 1 to 100" ./wrong_step -1
        says 1 "$client: GetStep returned 101 as" ./wrong_step 101
        says 0 "$client: GetStep returned 0 as" ./wrong_step 0
        ;;
    cpp)
        says 1 "$client: GetStep returned a square with 3 numbers; a square has two, {row, column}" ./wrong_step 3
        says 1 "$client: GetStep returned a square with 0 numbers" ./wrong_step 0
        says 0 "$client: GetStep returned no square" ./wrong_step 0 0
        ;;
    python)
        for step in None "'2030'" '[(2, 0), 3]' '{2: 0, 3: 0}' '[(2.5, 0), (3, 0)]' "[('2', '0'), ('3', '0')]" '[None, None]'; do
            says 1 "$client: GetStep returned $step, which is not a move; a move is a list of squares" \
                env PYTHONPATH=$folder python3 -c "import $client; $client.SendStep(1, $step)"
        done
        for step in '((2, 0), (3, 0))' '[[2.0, 0.0], [3.0, 0.0]]' "array('i', [2, 0]), array('i', [3, 0])"; do
            check "$client takes $step" env PYTHONPATH=$folder python3 -c "
from array import array
import $client as client
client.idTeam = 1
client._connection = type('Judge', (), {'sendall': lambda self, data: open('answer', 'wb').write(data)})()
client.SendStep(1, ($step))"
            sent=$(od -An -v -t d4 answer | xargs)
            [ $client = STcpClient ] || sent=$(xargs <move_1.txt)
            case $sent in
            '2 1 2 0 3 0' | 'move 1 2 0 3 0 end') ;;
            *) fail "$client sends $step as $sent" ;;
            esac
        done
        ;;
    esac
done
decision=None wrong=meichu/wrong
[ "$language" != c ] || decision='(struct move){9, 0, 9, 1}'
[ "$language" != cpp ] || decision='Move{9, 0, 9, 1}'
sed "s/= make_decision([^)]*)/= $decision/; s/? make_decision([^)]*)/? $decision/; s/self.make_decision(who)/$decision/" \
    "meichu/$team.$ending" >"meichu/wrong.$ending"
if [ "$language" = python ]; then
    wrong='python3 meichu/wrong.py'
    says 1 "make_decision returned None; it has to return [begin_x, begin_y, end_x, end_y]" \
        sh -c "echo 1 5 | $wrong"
    sed -i 's/return BLACK, 0/return BLACK, 2.5/' meichu/wrong.py
    says 1 "bid returned (0, 2.5); it has to return a color" sh -c "$wrong"
    sed -i 's/return BLACK, 2.5/return BLACK/' meichu/wrong.py
    says 1 "bid returned 0; it has to return a color, 0 or 1, and a price" \
        sh -c "$wrong"
else
    # shellcheck disable=SC2086 # words on purpose
    check "a wrong decision compiles" $compile "meichu/wrong.$ending" -o meichu/wrong
    says 1 "make_decision returned {9, 0, 9, 1}; rows and columns are 0 to 8" sh -c "echo 1 5 | $wrong"
fi

# The kit of hop-noloop teaches files; over TCP with the one change that its README asks for.
check_source hop-noloop Sample
grep -q '^- The program polls `state_816001.txt`' hop-noloop/README.md || fail "the README begins with files"
sed -i 's/"FileClient.h"/"STcpClient.h"/; s/^import FileClient as STcpClient/import STcpClient/' \
    "hop-noloop/Sample.$ending"
if [ "$language" = python ]; then
    check_source hop-noloop Sample
else # for Windows this text was compiled above, as hop
    # shellcheck disable=SC2086 # words on purpose
    check "hop-noloop compiles with STcpClient" $compile -O1 "hop-noloop/Sample.$ending" -o hop-noloop/plain
fi
judge hop-noloop tcp 816001 plain
exit $failed
