#!/bin/sh
# run.sh: one round of training on one machine: self-play on all cores, fits on the GPU, matches of the
# engine with its fitted tables against the engine as it is.
#
# usage: tools/train/run.sh SECONDS OUT [NODES]
#
# Needs gcc and a python3 with PyTorch. Takes SECONDS in all: PLAY percent of them (70) self-play at
# about NODES nodes a move (250), the rest fits, and matches meanwhile. OUT gets, renewed every few
# seconds: run.log, a .npz of models for each game (fit.py), and weights.tar.gz, the engine's own
# weights fitted on. Samples stay in build-train. PLAY, SEED, CORES and PYTHON can be set in the
# environment.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1 out=$2 nodes=${3:-250}
seed=${SEED:-1} cores=${CORES:-$(nproc)} python=${PYTHON:-python3}
work="build-train"
begun=$(date +%s)
rm -rf "$work"
mkdir -p "$work/samples" "$work/fits" "$out"
log=$work/run.log
: >"$log"

passed() { echo $(($(date +%s) - begun)); }
say() { echo "[$(passed) s] $*" | tee -a "$log"; }
collect() { # what is there so far, in at most six files
    {
        cat "$log"
        for f in "$work"/fits/*.log "$work"/fits/*.out "$work"/match.*; do
            [ -f "$f" ] && echo "== $f" && cat "$f"
        done
    } >"$work/all.log" 2>/dev/null || true
    cp "$work/all.log" "$out/run.log" || true
    cp "$work"/fits/*.npz "$out/" 2>/dev/null || true
    rm -f "$out"/*.new.npz
    (cd "$work/fits" && tar czf ../weights.tar.gz weights_* eval_weights_* ./*.json) 2>/dev/null || true
    cp "$work/weights.tar.gz" "$out/" 2>/dev/null || true
}

say "commit $(git rev-parse HEAD 2>/dev/null || echo unknown), seed $seed, $cores cores, $nodes nodes a move"
grep -m1 'model name' /proc/cpuinfo | tee -a "$log" || true
lab=tools/lab
sh $lab/build.sh "$work/selfplay" tools/train/selfplay.c tools/train/view.c tools/train/greedy.c -Itools/train \
    >>"$log" 2>&1 &
builds=$!
sh $lab/build.sh "$work/old.so" >>"$log" 2>&1 &
builds="$builds $!"
sh $lab/build.sh "$work/duel" $lab/duel.c $lab/versus.c tests/sparring.c >>"$log" 2>&1 &
builds="$builds $!"
"$python" -c 'import torch; print("torch", torch.__version__, torch.cuda.is_available())' >>"$log" 2>&1 || true
for build in $builds; do wait "$build"; done
say "built"

# Of sixteen processes: five and one for hop's editions, five for meichu, three for reversi, two for othello.
playing=$((seconds * ${PLAY:-70} / 100 - $(passed)))
[ "$playing" -ge 5 ] || playing=5
players=
i=0
while [ "$i" -lt "$cores" ]; do
    set -- hop meichu hop reversi meichu hop othello meichu hop-noloop reversi hop meichu othello hop meichu reversi
    shift $((i % 16))
    "$work/selfplay" "$1" "$nodes" "$playing" $((seed * 1000 + i)) "$work/samples/$1.$i" >>"$log" 2>&1 &
    players="$players $!"
    i=$((i + 1))
done
for player in $players; do
    wait "$player" || say "a player failed"
done
say "played; $(du -sm "$work/samples" | cut -f1) MB of samples"
df -m "$work" | tail -1 >>"$log"
collect

fitting=$((seconds - $(passed) - 12))
for game in hop meichu reversi othello; do
    "$python" tools/train/fit.py $game "$work/samples" "$work/fits" "$fitting" >"$work/fits/$game.out" 2>&1 &
    jobs="${jobs:-} $!"
done

# As soon as a game's table is fitted: a match against the engine as it is.
match() {
    game=$1
    while [ ! -f "$work/fits/$game.exported" ]; do
        sleep 1
        [ "$(passed)" -lt $((seconds - 25)) ] || return 0
    done
    cp -r src "$work/src.$game"
    case $game in
    hop | meichu) cp "$work/fits/eval_weights_$game.inc.h" "$work/src.$game/games/$game/eval_weights.inc.h" ;;
    *) cp "$work/fits/weights_$game.bin" "$work/src.$game/games/reversi/" ;;
    esac
    SRC=$work/src.$game sh $lab/build.sh "$work/$game.so" >>"$work/match.$game" 2>&1
    left=$((seconds - $(passed) - 14))
    [ "$left" -gt 2 ] || return 0
    sh $lab/duel.sh "$work/duel" "$game" "./$work/$game.so,nodes=5000" "./$work/old.so,nodes=5000" "$left" \
        $(((cores + 3) / 4)) "$seed" >>"$work/match.$game" 2>&1
}
for game in hop meichu reversi othello; do
    match $game &
    jobs="$jobs $!"
done
while [ "$(passed)" -lt $((seconds - 6)) ]; do
    sleep 5
    collect
    is_running=0
    for job in $jobs; do
        kill -0 "$job" 2>/dev/null && is_running=1
    done
    [ "$is_running" = 1 ] || break
done
say "over"
collect
grep -h 'held back\|lopsided\|distinct\|failed\|evaluation\|Error' "$work"/fits/*.out || true
cat "$work"/match.* || true
ls -l "$out"
