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

agent_of() { # agent_of GAME : the name of its program
    if [ "$1" = meichu ]; then echo $team; else echo Sample; fi
}

# The command line that runs the agent of a kit: ./Sample, or python3 Sample.py.
run_command() { # run_command FOLDER AGENT
    if [ $language = python ]; then echo "python3 $PWD/$1/$2.py"; else echo "$PWD/$1/$2"; fi
}

judge() { # judge GAME PROTOCOL WHO FOLDER AGENT
    # shellcheck disable=SC2046 # words on purpose
    check "$1 plays through $2" python3 "$here/mini_judge.py" "$plum" "$1" "$2" "$3" $(run_command "$4" "$5")
}

# Python that 3.6 understands; C and C++ without a warning, here and for Windows.
check_source() { # check_source FOLDER AGENT
    if [ $language = python ]; then
        for file in "$1"/*.py; do
            check "$file is Python 3.6" python3 -c \
                'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))' "$file"
        done
        return
    fi
    strict="-O3 -Wall -Wextra -Wno-unknown-pragmas -Werror"
    # shellcheck disable=SC2086 # words on purpose
    check "$1 compiles without plum" $compile $strict "$1/$2.$ending" -o "$1/plain"
    # shellcheck disable=SC2086
    check "$1 compiles for Windows" x86_64-w64-mingw32-$compile $strict -static "$1/$2.$ending" \
        -o "$1/$2.exe" -lws2_32
}

rebuild() { # rebuild FOLDER GAME AGENT : after a change of the source
    [ $language = python ] || check "$1 builds" plum build "$2" "$1/$3.$ending" -o "$1/$3"
}

for game in hop hop-noloop reversi othello meichu; do
    agent=$(agent_of $game)
    check "plum new $game" plum new $game $language $game --team $team
    sed -n 's/^  //p' messages >commands
    [ "$(wc -l <commands)" = 4 ] || fail "cd, build, check, match are shown" messages
    sed 1d commands | while read -r line; do
        grep -qxF "$line" $game/README.md || fail "README has: $line"
    done
    ! grep -rq '@[A-Z]*@\|idTeam = -1' $game || fail "$game: the templates are filled in"
    check "$game builds: $(sed -n 2p commands)" sh -c "$(sed -n 1p commands) && $(sed -n 2p commands)"
    if [ $game = meichu ]; then
        kind=c
        [ $language != python ] || kind=python
        judge meichu template $kind meichu $team
        sed -i 's/BUDGET = 150/BUDGET = 14/' meichu/$team.$ending
        rebuild meichu meichu $team
        judge meichu template $kind=14 meichu $team
        sed -i 's/BUDGET = 14/BUDGET = 150/' meichu/$team.$ending
    else
        judge $game tcp 816001 $game Sample
    fi
done

check_source hop-noloop Sample
check_source reversi Sample
check_source meichu $team

# Through files, with the one change that FileClient asks for.
sed -i 's/"STcpClient.h"/"FileClient.h"/; s/^import STcpClient/import FileClient as STcpClient/' \
    hop-noloop/Sample.$ending
rebuild hop-noloop hop-noloop Sample
check_source hop-noloop Sample
judge hop-noloop file 816001 hop-noloop Sample
exit $failed
