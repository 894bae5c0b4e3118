#!/bin/sh
# commit: from which commit these files are, and when it was made.
#
# usage: tools/commit.sh [C_FILE]
#
# Prints one line: the hash, 12 digits, with -dirty when a tracked file was changed; then the
# commit's time in seconds. A source archive has both in the file COMMIT, where git archive wrote
# them. Without git and without that file the line is "unknown 0"; that is not an error.
# With C_FILE the hash is written there as C, see cli_commit in src/cli/cli.h. The file is touched only when
# its text changes, because every build calls this.
set -u
cd "$(dirname "$0")/.." || exit 3

# The folder may belong to another user. Git refuses such folders because their configuration can
# start programs; but the build runs what is in this folder anyway. The index is not written: it
# would then belong to the wrong user.
trusting_git() {
    git --no-optional-locks -c safe.directory='*' -c core.fsmonitor=false "$@" 2>/dev/null
}

hash=unknown
seconds=0
if [ -e .git ] && line=$(trusting_git log -1 --no-show-signature --format='%H %ct'); then
    [ -z "$(trusting_git status --porcelain --untracked-files=no)" ] || dirty=-dirty
else # a repository around an unpacked archive says nothing about the archive
    line=$(grep -Ex '[0-9a-f]{40,64} [0-9]+' COMMIT 2>/dev/null)
fi
if [ -n "$line" ]; then
    hash=$(printf '%.12s' "$line")${dirty-}
    seconds=${line#* }
fi

if [ $# = 0 ]; then
    echo "$hash $seconds"
    exit
fi
code="#include \"cli/cli.h\"

const char cli_commit[] = \"$hash\";"
if [ "$(cat "$1" 2>/dev/null)" != "$code" ]; then
    printf '%s\n' "$code" >"$1"
fi
