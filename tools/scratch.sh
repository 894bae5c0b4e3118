# shellcheck shell=sh
# scratch: sourced by scripts that run agents; gives them a folder that every user can enter.
#
# Before: plum is the path of the program. After: the folder is $scratch, a copy of the program is
# the `plum` of PATH, and what is written is readable to all. The folder is removed at the end.
#
# Agents that root starts run as another user. In root's home or under umask 077 that user could
# read neither their files nor the program.
#
# The python3 of a version manager is a script that takes half a second to find the interpreter: the
# interpreter itself comes first in PATH.
umask 022
scratch=$(mktemp -d /tmp/plum-test-XXXXXX) || exit 3
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$scratch"
mkdir "$scratch/bin"
cp "${plum:?}" "$scratch/bin/plum"
chmod 755 "$scratch/bin/plum"
PATH=$scratch/bin:$PATH
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && ln -s "$python" "$scratch/bin/python3"
