#!/bin/sh
# place: what `make test-vm` does in one place of the virtual machine; a line `vm: PLACE: ...` for each result.
#
# usage: tools/vm/place.sh PLACE
set -u
place=$1
here=/opt/tools/vm
parts=$(cat /opt/parts)
plum=/opt/build/plum
rude=/opt/build/tests/rude
cd /tmp || exit 1

say() { echo "vm: $place: $*"; }

part() { # part NAME COMMAND...
    name=$1
    shift
    case " $parts " in
    *" $name "*) ;;
    *) return ;;
    esac
    start=$(date +%s)
    "$@"
    code=$?
    took="$(($(date +%s) - start)) s"
    case $code in
    0) say "$name passed in $took" ;;
    77) say "$name skipped" ;;
    *) say "$name FAILED with status $code in $took" ;;
    esac
}

reach() {
    $plum sandbox >"$scratch/sandbox" || return
    sed '/^An agent/,$d' "$scratch/sandbox"
    level=$(sed -n 's/^Level: //p' "$scratch/sandbox")
    cpu=$(sed -n 's/^  cpu-cgroup  *\(yes\|no\) .*/\1/p' "$scratch/sandbox")
    say "reached: $level, cpu cgroup: $cpu"
    [ "$level $cpu" = "$expected" ] || { say "expected: $expected"; return 1; }
}

# Attacks whose protection depends on the place, at the level that it reaches.
cgroup_attacks() {
    failures=0
    for attack in memory processes processor-share pondering; do
        sh /opt/tests/sandbox_test.sh self /opt/build/tests/attacks $rude $attack best || failures=$((failures + 1))
    done
    [ "$failures" = 0 ]
}

# Two agents of the kit in Python and a builtin play each other. Every game is played, without a fault, at this level.
tournament() (
    chmod 755 "$scratch" && cd "$scratch" || exit
    $plum new reversi python one --team 7 >/dev/null && $plum new reversi python two --team 8 >/dev/null || exit
    cat >class.ini <<'ROSTER'
[tournament]
game = reversi
[team 7]
player = tcp:7:python3 one/Sample.py
[team 8]
player = tcp:8:python3 two/Sample.py
[team 9]
player = builtin:1
ROSTER
    $plum tournament run class.ini || exit
    $plum tournament games class.db --json >games.json
    [ "$(grep -o '"status": "played"' games.json | wc -l)" = 6 ] &&
        [ "$(grep -o '"faults": \[{}, {}\]' games.json | wc -l)" = 6 ] &&
        $plum tournament games class.db 1 | grep -F "\"${expected% *}\""
)

line=$(sed -n "s/^$place   *//p" $here/places.txt | tr -s ' ')
group=${line##* }
line=${line% *}
much=${line##* }
expected=${line% *}
own=$(sed -n 's/^0:://p' /proc/self/cgroup)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
say "user $(id -un), group $own"
# shellcheck disable=SC2254 # a pattern
case $own in
$group) ;;
*) say "FAILED: this is not the place: the group should be $group" ;;
esac
part reach reach
if [ "$much" = cgroups ]; then
    part attacks cgroup_attacks
else
    part attacks sh /opt/tests/sandbox_test.sh self /opt/build/tests/attacks $rude
    part sandbox sh /opt/tests/sandbox_test.sh self /opt/build/tests/test_sandbox $rude
    part pace sh /opt/tests/sandbox_test.sh self /opt/build/tests/test_pace $rude
    part ponder sh /opt/tests/own_port.sh $plum python3 -B /opt/tests/match/test_ponder.py $plum
fi
part tournament tournament
say "ended"
