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

# Attacks whose protection depends on the place.
cgroup_attacks() {
    failures=0
    for attack in memory processes processor-share pondering; do
        sh /opt/tests/sandbox_test.sh self /opt/build/tests/attacks $rude $attack || failures=$((failures + 1))
    done
    [ "$failures" = 0 ]
}

line=$(sed -n "s/^$place   *//p" $here/places.txt | tr -s ' ')
much=${line##* } expected=${line% *}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
say "user $(id -un), group $(sed -n 's/^0:://p' /proc/self/cgroup)"
part reach reach
if [ "$much" = cgroups ]; then
    part attacks cgroup_attacks
else
    part attacks sh /opt/tests/sandbox_test.sh self /opt/build/tests/attacks $rude
    part sandbox sh /opt/tests/sandbox_test.sh self /opt/build/tests/test_sandbox $rude
    part pace sh /opt/tests/sandbox_test.sh self /opt/build/tests/test_pace $rude
    part ponder sh /opt/tests/own_port.sh $plum python3 -B /opt/tests/match/test_ponder.py $plum
fi
