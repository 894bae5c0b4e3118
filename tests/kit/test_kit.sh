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
    strict="-O1 -Wall -Wextra -Wno-unknown-pragmas -Werror"
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

# The kit of hop-noloop teaches files; over TCP with the one change that its README asks for.
check_source hop-noloop Sample
grep -q '^- The program polls `state_816001.txt`' hop-noloop/README.md || fail "the README begins with files"
sed -i 's/"FileClient.h"/"STcpClient.h"/; s/^import FileClient as STcpClient/import STcpClient/' \
    "hop-noloop/Sample.$ending"
check_source hop-noloop Sample
judge hop-noloop tcp 816001 plain
exit $failed
