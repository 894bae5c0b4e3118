#!/bin/sh
# Does `plum build` compile what was written for Windows, and say clearly what it will not?
#
# usage: test_build.sh PLUM
set -u
plum=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
sources=$here/sources
scratch=$(mktemp -d)
chmod 711 "$scratch"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
mkdir tmp
TMPDIR=$scratch/tmp
export TMPDIR
failed=0

fail() { # fail CLAIM [FILE]
    echo "FAILED: $1"
    [ -z "${2:-}" ] || sed 's/^/    /' "$2"
    failed=1
}

build() { # build SOURCE... : the program ./agent
    rm -f agent
    "$plum" build reversi -o agent "$@" >all 2>&1
    built=$?
    grep -v "the sandbox is not complete here" all >messages
    return $built
}

runs() { # runs CLAIM SOURCE... : it compiles, and prints ok
    claim=$1
    shift
    if ! build "$@"; then
        fail "$claim" messages
    elif ! ./agent </dev/null >answer 2>&1 || [ "$(tail -n 1 answer)" != ok ]; then
        fail "$claim" answer
    fi
}

plays() { # plays CLAIM SOURCE... : it compiles, and plays Reversi as team 816001
    claim=$1
    shift
    if ! build "$@"; then
        fail "$claim" messages
    elif ! python3 "$here/mini_judge.py" "$plum" reversi tcp 816001 ./agent >answer 2>&1; then
        fail "$claim" answer
    fi
}

refuses() { # refuses CODE MESSAGE COMMAND... : the exit code, and the words on stderr
    code=$1 words=$2
    shift 2
    "$@" >answer 2>messages
    got=$?
    if [ $got != "$code" ] || ! grep -qF -- "$words" messages || [ -s answer ]; then
        fail "exit $got, not $code with '$words': $*" messages
    fi
}

# --- Encodings. Rules.H is asked for, another case is there, in another folder's encoding. ---
mkdir utf16 bom big5 && cp "$sources/rules.h" utf16/RULES.h
{ printf '\377\376' && iconv -f UTF-8 -t UTF-16LE "$sources/winsock_agent.cpp"; } >utf16/agent.cpp
cksum utf16/* >before
plays "UTF-16 with a mark" utf16/agent.cpp
cksum utf16/* | cmp -s - before || fail "the sources stay as they are"

{ printf '\357\273\277' && sed 's/$/\r/' "$sources/winsock_agent.cpp"; } >bom/agent.cpp
{ printf '\376\377' && iconv -f UTF-8 -t UTF-16BE "$sources/rules.h"; } >bom/rules.h
plays "UTF-8 with a mark, CRLF, a header in UTF-16BE" bom/agent.cpp

for file in winsock_agent.cpp rules.h; do
    iconv -f UTF-8 -t CP950 "$sources/$file" | sed 's/$/\r/' >"big5/$file"
done
plays "Big-5 with a backslash inside a comment's last letter" big5/winsock_agent.cpp

# --- What Microsoft's headers offer. ---
runs "Microsoft's library, C++" "$sources/crt.cpp"
runs "Microsoft's library, C" "$sources/crt.c"
runs "headers that only Visual Studio brings along" "$sources/missing_includes.cpp"

mkdir -p mixed/include
printf '#include "Include\\Answer.H"\nextern "C" int half(int);\nint main() { return half(ANSWER) == 21 ? puts("ok") < 0 : 1; }\n' >mixed/main.CPP
printf '#include "deep.h"\n#include <stdio.h>\n' >mixed/include/answer.h
printf '#define ANSWER 42\n' >mixed/deep.h
printf 'int half(int n);\nint half(int n) { int new = n; return new / 2; }\n' >mixed/half.c
runs "C and C++ together, folders, a header next to the source that includes it" mixed/main.CPP mixed/half.c

# --- The hand-in's own headers: in angle brackets, in any letter case, in a folder next to it. ---
mkdir -p brackets/Headers
cat >brackets/agent.cpp <<'END'
#include <stcpCLIENT.h>
#include <Board.h>
#include <TIME.H>
#include <Vector>
#include <sys\types.h>
int main() { std::vector<time_t> v(1, idTeam + BOARD - 8); return v[0] || TIME_H ? 1 : puts("ok") < 0; }
END
printf '#include <cstdio>\nstatic int idTeam = 3;\n#define TIME_H 0\n' >brackets/STcpClient.h
printf '#define BOARD 5\n' >brackets/Headers/board.h
printf '#error an installed header comes first\n' >brackets/Time.h
runs "own headers in angle brackets" brackets/agent.cpp
[ ! -s messages ] || fail "the course's command is enough, and nothing is said" messages

# --- The course's command comes first: its names are the program's own. ---
printf '#include <cstdio>\nstatic int pipe = 1, link = 2, errno_t = 3;\nint main() { int linux = 4; return pipe + link + errno_t + linux == 10 ? puts("ok") < 0 : 1; }\n' >names.cpp
runs "names that only Windows or GNU know" names.cpp
[ ! -s messages ] || fail "no other command is needed" messages

odd="a b;touch pwned;\$(touch pwned) 'q\"\`touch pwned\`.cpp"
cp "$sources/missing_includes.cpp" "$odd"
runs "a name that a shell would trip over" "$odd"
cp "$sources/missing_includes.cpp" ./-dash.cpp
runs "a name that looks like an option" -- -dash.cpp
[ ! -e pwned ] || fail "no shell sees the names"

# --- What does not compile. ---
rm -f agent
mkdir -p broken/sub
printf '#include "sub/Head.h"\n\nint main() { return missing; }\n' >broken/agent.cpp
{ printf '\377\376' && printf 'int x;\nint x = "\033[31mred";\n' | iconv -t UTF-16LE; } >broken/sub/head.h
refuses 1 "broken/agent.cpp:3:" "$plum" build hop broken/agent.cpp -o agent
for words in "broken/sub/head.h:2:" "plum build: broken/agent.cpp does not compile"; do
    grep -qF -- "$words" messages || fail "no '$words'" messages
done
if grep -q "$TMPDIR" messages || grep -q "$(printf '\033')" messages; then
    fail "messages name the original files and cannot steer the terminal" messages
fi
[ ! -e agent ] || fail "no program without success"
printf '#include <Missing.H>\nint main() { return 0; }\n' >missing.cpp
refuses 1 "missing.cpp:1:10: fatal error: Missing.H: No such file" "$plum" build hop missing.cpp -o agent
{ printf '\377\376' && printf '#include <Windows.h>\r\n#include "Own.H"\r\n\r\nvoid main() { wrong = OWN; } // \345\260\217\r\n' | iconv -f UTF-8 -t UTF-16LE; } >spelling.cpp
printf '#define OWN undeclared\n' >own.h
refuses 1 "spelling.cpp:4:15: error" "$plum" build hop spelling.cpp -o agent
grep -qF "void main() { wrong = OWN; } // 小" messages || fail "the author's lines are shown" messages
printf '#include "Own.H"\nint main() { return OWN; }\n' >spelling2.cpp
refuses 1 "own.h:1:13: error" "$plum" build hop spelling2.cpp -o agent
grep -qE 'from spelling2.cpp:1|spelling2.cpp:2:' messages || fail "where it is used" messages
printf 'int f(void);\nint main(void) { return f(); }\n' >unlinked.c
refuses 1 "undefined reference to" "$plum" build hop unlinked.c -o agent

# --- What makes no sense. ---
printf 'int main(void) { return 0; }\n' >good.c
refuses 2 "no game" "$plum" build chess good.c -o agent
refuses 2 "--output FILE is missing" "$plum" build hop good.c
refuses 2 "FILE is missing" "$plum" build hop -o agent
refuses 2 "none.c: No such file" "$plum" build hop none.c -o agent
refuses 2 "Python is not built" "$plum" build hop agent.py -o agent
refuses 2 "is not a source" "$plum" build hop notes.txt -o agent
refuses 2 "given twice" "$plum" build hop good.c ./good.c -o agent
refuses 2 "overwrite the source" "$plum" build hop good.c -o ./good.c
refuses 2 "is a folder" "$plum" build hop good.c -o mixed
mkfifo pipe.c
refuses 2 "not a file" "$plum" build hop pipe.c -o agent
printf 'int a;\0int b;\n' >binary.c
refuses 2 "binary.c: this is not a text file" "$plum" build hop binary.c -o agent
refuses 3 "cannot write nowhere/agent" "$plum" build hop good.c -o nowhere/agent

# --- What gcc cannot be made to accept: the message says what to change. ---
printf '#include <stdio.h>\nint main() { for (int i = 0; i < 3; i++) {} return i; }\n' >for.cpp
refuses 1 "hint: a variable of a 'for' ends with its loop" "$plum" build hop for.cpp -o agent
printf 'struct A { template <int N> int f() { return N; } template <> int f<3>() { return 7; } };\nint main() { return A().f<3>(); }\n' >special.cpp
refuses 1 "move it after the class" "$plum" build hop special.cpp -o agent

# --- A signal ends the compiler with its processes, and nothing is left. ---
cat >slow.cpp <<'END'
constexpr long work()
{
    long sum = 0;
    for (long i = 0; i < 200000; i++)
        for (long j = 0; j < 100; j++)
            sum += j;
    return sum;
}
static_assert(work() != 1, "");
END
compilers() { # those that work on our copy of the source
    pgrep -f "[c]c1plus.*$TMPDIR/plum-"
}

for signal in INT TERM HUP KILL; do
    SIGNAL=$signal python3 -B "$here/../cli/ctrl_c.py" "pgrep -f '[c]c1plus.*$TMPDIR/plum-' >/dev/null" \
        "$plum" build hop slow.cpp -o agent >/dev/null 2>messages
    got=$?
    for _ in $(seq 400); do
        [ -n "$(compilers)" ] || break
        sleep 0.05
    done
    [ -z "$(compilers)" ] || fail "SIG$signal: the compiler still runs"
    if [ $signal = KILL ]; then
        rm -rf tmp/*
        continue
    fi
    [ $got = 130 ] || fail "SIG$signal: exit $got, not 130" messages
    grep -q interrupted messages || fail "SIG$signal: it reports that it was interrupted" messages
    [ -z "$(ls tmp)" ] || fail "nothing is left in TMPDIR: $(ls tmp)"
done

mkdir subs
cp slow.cpp subs/Team_1.cpp
printf '[tournament]\ngame = reversi\n[team 1]\nsource = slow.cpp\n[team 2]\nplayer = random\n' >class.ini
for words in "init reversi subs -o new.ini" "run class.ini"; do
    # shellcheck disable=SC2086
    python3 -B "$here/../cli/ctrl_c.py" "pgrep -f '[c]c1plus.*$TMPDIR/plum-' >/dev/null" \
        "$plum" tournament $words >/dev/null 2>messages
    got=$?
    [ $got = 130 ] || fail "tournament $words: exit $got, not 130" messages
    grep -q interrupted messages || fail "tournament $words reports that it was interrupted" messages
    [ -z "$(compilers)" ] || fail "tournament $words: the compiler still runs"
    [ -z "$(ls tmp)" ] || fail "nothing is left in TMPDIR: $(ls tmp)"
done
grep -qF "continue with: plum tournament run class.ini" messages || fail "run names the command" messages
[ -z "$(ls -d new.* class.db* 2>/dev/null)" ] || fail "no file is left: $(ls -d new.* class.db*)"

# --- A compiler that this machine ends: not the source's failure. ---
refuses 3 "CPU time limit exceeded" sh -c 'ulimit -St 1; exec "$@"' sh "$plum" build hop slow.cpp -o agent
printf '#line 1 "g++: fatal error: Killed signal terminated program cc1plus"\n#include "none.h"\n' >pretend.cpp
refuses 1 "does not compile" "$plum" build hop pretend.cpp -o agent

# --- The sandbox: tests/test_build.c has the attacks. Here is what a user sees of it. ---
echo 'the secret is 4711' >secret.txt
mkdir program
printf '#include "%s/secret.txt"\nint main() { return 0; }\n' "$scratch" >program/thief.cpp
"$plum" build hop program/thief.cpp -o agent >messages 2>&1 && fail "a file that is not there for it"
grep -q 4711 messages && fail "a file of the judge is in the messages" messages
"$plum" build hop program/thief.cpp -o agent --sandbox off >messages 2>&1
grep -q 4711 messages || fail "without a sandbox it reads every file" messages
grep -q "plum build: the sandbox is off: a source can make the compiler read every file" messages || fail "the warning" messages
mkdir -p project/src project/include
printf '#include "../include/answer.h"\n#include <stdio.h>\nint main() { return ANSWER == 42 ? puts("ok") < 0 : 1; }\n' >project/src/main.cpp
printf '#define ANSWER 42\n' >project/include/answer.h
refuses 1 "hint: a header that is not installed must be in the program's folder" "$plum" build hop project/src/main.cpp -o agent
runs "the program's folder can be given" --folder project project/src/main.cpp
refuses 2 "/mixed: give a --folder that contains it" "$plum" build hop --folder mixed project/src/main.cpp -o agent
refuses 2 "the program's folder nowhere: No such file" "$plum" build hop --folder nowhere good.c -o agent
umask 077
runs "a closed umask" mixed/main.CPP mixed/half.c
mkdir closed && chmod 700 closed
TMPDIR=$scratch/closed runs "a temporary folder that other users cannot enter" mixed/main.CPP mixed/half.c
mkdir "tmp/a folder with 'quotes' \"and\" 小"
TMPDIR="$TMPDIR/a folder with 'quotes' \"and\" 小" runs "an odd temporary folder" "$sources/missing_includes.cpp"

# --- A class: no team gets another team's source, from init or from run. ---
mkdir class
printf '#error the secret is 4711\n' >class/Team_1.c
printf '#include "../Team_1/Team_1.c"\nint main(void) { return 0; }\n' >class/Team_2.c
printf '#include "%s/thieves.files/Team_1/Team_1.c"\nint main(void) { return 0; }\n' "$scratch" >class/Team_3.c
printf '[team 4]\nplayer = random\n' >more.ini
leaks() { # leaks SANDBOX : the folders of the teams that got the secret, at init and at run
    rm -rf thieves.*
    "$plum" tournament init reversi class -o thieves.ini --sandbox "$1" >/dev/null 2>messages || fail "init" messages
    grep -q "^sandbox = $1" thieves.ini || fail "the roster has the sandbox" thieves.ini
    cat more.ini >>thieves.ini
    "$plum" tournament run thieves.ini >/dev/null 2>>messages || fail "run" messages
    for team in 2 3; do
        ! grep -q 4711 thieves.files/Team_$team/build.log || echo "$team at init"
    done
    python3 -c 'import sqlite3
for team, log in sqlite3.connect("thieves.db").execute("SELECT team, messages FROM build ORDER BY team"):
    if team > 0 and "4711" in log:
        print(team + 1, "at run")'
}
[ -z "$(leaks auto)" ] || fail "a team got another one's source: $(leaks auto)"
[ "$(leaks off)" = "3 at init
3 at run" ] || fail "without a sandbox it does: $(leaks off)"
grep -q "plum tournament init: the sandbox is off" messages || fail "init warns" messages
grep -q "plum tournament run: the sandbox is off" messages || fail "run warns" messages
exit $failed
