#!/bin/sh
# test: `make test-fresh`: both commands of the README on a bare Debian, three times.
#
# usage: tools/fresh/test.sh [SUITE [RUN...]]     SUITE: bookworm (the default), trixie
#
#   a   as root, in root's home, with umask 077, and with ports 8080 and 8888 taken
#   b   as an ordinary user without sudo, after root ran `make deps-test`, in a path
#       with a space and non-ASCII letters
#   c   in a plain chroot, with user namespaces off and npm's registry unreachable
#
# Tests the last commit, not uncommitted changes. The runs continue after one that failed.
set -eu
cd "$(dirname "$0")/../.."
suite=${1:-bookworm}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- a b c

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/plum-fresh.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
# A shell handles a signal only after the command that it waits for; so a run is a job, and is ended here.
job=
# shellcheck disable=SC2317 # the traps call it
end() { # end STATUS
    [ -z "$job" ] || { kill -TERM "$job" 2>/dev/null && wait "$job"; } || true
    exit "$1"
}
trap 'end 130' INT
trap 'end 143' TERM HUP
: "${FRESH_CACHE:=$scratch/cache}"
export FRESH_CACHE

commit=$(git rev-parse --short HEAD)
# shellcheck disable=SC2046 # no branch or one
git bundle create -q "$scratch/plum.bundle" HEAD $(git symbolic-ref -q HEAD)
chmod 755 "$scratch"
chmod 644 "$scratch/plum.bundle"
if [ -n "$(git status --porcelain)" ]; then
    echo "test-fresh: uncommitted changes are not tested"
fi
failed=
for run in "$@"; do
    case $run in
        a | b) mode= ;;
        c) mode=-c ;;
        *) echo "test-fresh: no run '$run'; the runs are: a b c" >&2; exit 2 ;;
    esac
    echo "== test-fresh: $suite, run $run, commit $commit"
    # shellcheck disable=SC2086 # no word or one
    tools/fresh/root.sh -s "$suite" $mode -f "$scratch/plum.bundle" -f tools/fresh/inside.sh \
        bash inside.sh "$run" &
    job=$!
    wait "$job" || failed="$failed $run"
    job=
done
if [ -n "$failed" ]; then
    echo "test-fresh: failed on $suite:$failed" >&2
    exit 1
fi
echo "test-fresh: passed on $suite: $*"
