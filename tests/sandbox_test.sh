#!/bin/sh
# sandbox_test: runs a test of the sandbox from a place that every user can reach.
#
# usage: sandbox_test.sh WHO TEST RUDE_DIR [ARGUMENT...]
#
# WHO is `self`, or `user`: an ordinary user, when we are root (else 77: `self` tests that), or `delegated`: such a user
# with cgroups of its own, where cgroups have version 1 and root can make them (else 77).
set -eu
who=$1 test=$2 rude=$3
# A user of this test alone: limits of processes count for a user.
user=$((20000 + $$ % 20000))
shift 3
if [ "$who" != self ] && [ "$(id -u)" != 0 ]; then
    echo "skipped: this user is not root; as an ordinary user $(basename "$test") ran by itself"
    exit 77
fi
scratch=$(mktemp -d /tmp/plum-test-XXXXXX)
groups=
# shellcheck disable=SC2086 # several folders
trap 'rm -rf "$scratch"; [ -z "$groups" ] || rmdir $groups 2>/dev/null || true' EXIT
cp "$test" "$scratch/test"
helper=$(dirname "$test")/../plum-helper # where it was built, tests use it as plum does
[ ! -e "$helper" ] || cp "$helper" "$scratch"
cp -r "$rude" "$scratch/rude"
chmod -R go=u,go-w "$scratch"
if [ "$(id -u)" = 0 ]; then # a program with the rights of a third user; it does nothing but print them
    chown 4243:4243 "$scratch/rude/whose_rights"
    chmod u+s,g+s "$scratch/rude/whose_rights"
fi
cd "$scratch"
export HOME="$scratch" PLUM_RUDE_DIR="$scratch/rude"
if [ "$who" = delegated ]; then
    for controller in memory pids cpu freezer cpuacct; do
        path=$(sed -n "s/^[0-9]*:\([^:]*,\)*$controller\(,[^:]*\)*:\(.*\)/\3/p" /proc/self/cgroup)
        group=/sys/fs/cgroup/$controller${path%/}/plum-test-$$
        if [ -z "$path" ] || ! mkdir -p "$group" 2>/dev/null; then
            echo "skipped: root cannot make a $controller cgroup of version 1 here"
            exit 77
        fi
        groups="$groups $group"
        chown "$user" "$group"
    done
fi
if [ "$who" = delegated ]; then
    (
        for group in $groups; do
            sh -c 'echo $PPID' >"$group/cgroup.procs"
        done
        exec setpriv --reuid "$user" --regid "$user" --clear-groups ./test "$@"
    )
elif [ "$who" = user ]; then
    setpriv --reuid "$user" --regid "$user" --clear-groups ./test "$@"
else
    ./test "$@"
fi
