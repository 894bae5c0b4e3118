#!/bin/sh
# attacks: runs every attack on the sandbox as this user and, for root, as an ordinary user without and with cgroups. A line for each attack and
# level: name, level, outcome, outcome of its control. Also compares the guarantees with the table of the documentation.
#
# usage: attacks.sh BUILD_DIR/tests DOCS/sandbox.md
#
# Exit code 0: every attack was refused and every control succeeded.
set -u
build=$1 page=$2
here=$(dirname "$0")
failures=0
sh "$here/guarantees.sh" "$build/attacks" "$page" || failures=$((failures + 1))
for who in self user delegated; do
    case $who in
    self) echo "== as $(id -un)" ;;
    user) echo "== as an ordinary user" ;;
    delegated) echo "== as an ordinary user with cgroups" ;;
    esac
    sh "$here/sandbox_test.sh" "$who" "$build/attacks" "$build/rude"
    code=$?
    if [ "$code" != 0 ] && [ "$code" != 77 ]; then
        failures=$((failures + 1))
    fi
done
[ "$failures" = 0 ]
