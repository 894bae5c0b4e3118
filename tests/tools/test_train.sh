#!/bin/sh
# Self-play for the trainer builds with gcc alone, without a warning, is the same for the same seed,
# and its samples are read by the trainer as the engine wrote them.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strict="-O1 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror"
# shellcheck disable=SC2086 # one word a flag
sh tools/lab/build.sh "$scratch/selfplay" tools/train/selfplay.c tools/train/view.c tools/train/greedy.c \
    -Itools/train $strict
for game in hop meichu reversi othello hop-noloop; do
    "$scratch/selfplay" $game 40 1 1 "$scratch/$game" >/dev/null
done
"$scratch/selfplay" hop 40 1 1 "$scratch/again" >/dev/null
cmp -n 30000 "$scratch/hop" "$scratch/again"
if "$scratch/selfplay" chess 40 1 1 "$scratch/none" 2>/dev/null; then
    echo "test_train: a game that is not known was played" >&2
    exit 1
fi
PYTHONDONTWRITEBYTECODE=1 python3 tests/tools/test_train_games.py "$scratch"
PYTHONDONTWRITEBYTECODE=1 python3 -c '
import ast, sys
ast.parse(open("tools/train/fit.py").read())'
