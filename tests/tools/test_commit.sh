#!/bin/sh
# Does tools/commit.sh know the commit, wherever the sources are, and is the version written once?
set -eu
project=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! command -v git >/dev/null; then
    echo "skipped: there is no git"
    exit 77
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_COMMITTER_DATE='1700000000 +0000'
failed=0

is() { # is CLAIM PRINTED WANTED
    [ "$2" = "$3" ] && return
    echo "$1: '$2' instead of '$3'"
    failed=1
}

# Git's own switch for its tests: every folder belongs to somebody else.
as_another_user() { GIT_TEST_ASSUME_DIFFERENT_OWNER=1 sh tools/commit.sh; }

mkdir -p "$scratch/repo/tools"
cd "$scratch/repo"
cp "$project/tools/commit.sh" tools
cp "$project/COMMIT" "$project/.gitattributes" .
is "without git and without an archive's COMMIT" "$(sh tools/commit.sh)" 'unknown 0'

git init -q
is "a repository without a commit" "$(sh tools/commit.sh)" 'unknown 0'
git add .
git commit -q -m first
first=$(git rev-parse --short=12 HEAD)
is "a clean checkout" "$(sh tools/commit.sh)" "$first 1700000000"
is "a checkout of another user" "$(as_another_user)" "$first 1700000000"
touch new
is "a file that git does not know" "$(sh tools/commit.sh)" "$first 1700000000"

echo >>COMMIT
is "a changed file" "$(sh tools/commit.sh)" "$first-dirty 1700000000"
is "a changed file of another user" "$(as_another_user)" "$first-dirty 1700000000"
sh tools/commit.sh "$scratch/commit.c"
touch -d @1 "$scratch/commit.c"
sh tools/commit.sh "$scratch/commit.c"
is "the same answer leaves the C file alone" "$(stat -c %Y "$scratch/commit.c")" 1
git checkout -q COMMIT
sh tools/commit.sh "$scratch/commit.c"
is "another answer is written" "$(grep -c "\"$first\"" "$scratch/commit.c")" 1

mkdir unpacked
git archive HEAD | tar -x -C unpacked
git commit -q --allow-empty -m second
is "the next commit" "$(sh tools/commit.sh)" "$(git rev-parse --short=12 HEAD) 1700000000"
is "an archive of the first in the repository of the second" "$(sh unpacked/tools/commit.sh)" "$first 1700000000"

# The file VERSION is the one place; the changelog begins with the same.
is "the changelog's first version" "$(sed -n 's/^## //p' "$project/CHANGELOG.md" | head -n 1 | cut -d ' ' -f 1)" \
    "$(cat "$project/VERSION")"
exit "$failed"
