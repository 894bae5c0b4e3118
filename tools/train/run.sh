#!/bin/sh
# run.sh: one round of training on one machine: self-play on all cores, fits on the GPU, and matches of the new
# weights against the old ones at equal time.
#
# usage: tools/train/run.sh SECONDS OUT [GAME:NODES...]
#
# Needs gcc and a python3 with PyTorch. Takes at most SECONDS in all, in three stages:
#
#   PLAY seconds (half of SECONDS)   self-play: the games are dealt out to the cores, one process each, with NODES nodes
#                                    a move; a game that is listed twice gets twice the cores
#   FIT seconds (a quarter)          the models in FITS are fitted, from the weights that the engine has (see fit.py;
#                                    hop's and MeiChu's networks, reversi's and othello's patterns)
#   the rest                         matches of what was fitted against OLD, at equal time
#
# OUT gets run.log, recipe.json (how this round was made), and fits.tar.gz: for each game the engine's weights (.bin), the losses (.json)
# and the models before rounding (.npz). Samples stay in build-train.
#
# Set in the environment: PLAY, FIT, FITS, SEED, CORES, PYTHON; MS, milliseconds a move in matches (20); OLD, the sources of
# the engine to play against (src: the engine as it is).
set -eu
cd "$(dirname "$0")/../.."
seconds=$1 out=$2
shift 2
[ $# -gt 0 ] || set -- hop:500 meichu:700 hop:500 reversi:250 meichu:700 hop-noloop:500 othello:250 meichu:700
mix=$*
seed=${SEED:-1} cores=${CORES:-$(nproc)} python=${PYTHON:-python3} ms=${MS:-20}
fits=${FITS:-net256@100 net256}
old=${OLD:-src} play=${PLAY:-$((seconds / 2))} fitting=${FIT:-$((seconds / 4))}
work="build-train"
begun=$(date +%s)
rm -rf "$work"
mkdir -p "$work/samples" "$work/fits" "$out"
log=$work/run.log
: >"$log"

passed() { echo $(($(date +%s) - begun)); }
left() { echo $((seconds - $(passed) - $1)); }
say() { echo "[$(passed) s] $*" | tee -a "$log"; }
collect() { # what is there so far, in few files
    {
        cat "$log"
        for f in "$work"/fits/*.out "$work"/match.*; do
            [ -f "$f" ] && echo "== $f" && cat "$f"
        done
    } >"$work/all.log" 2>/dev/null || true
    cp "$work/all.log" "$out/run.log" || true
    (cd "$work/fits" && tar czf ../fits.tar.gz ./*.bin ./*.json ./*.npz) 2>/dev/null || true
    cp "$work/fits.tar.gz" "$out/" 2>/dev/null || true
}

games=
for entry in $mix; do
    game=${entry%:*}
    [ "$game" = hop-noloop ] && game=hop
    case " $games " in *" $game "*) ;; *) games="$games $game" ;; esac
done
commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
say "commit $commit, seed $seed, $cores cores, $mix, against $old"
cksum src/games/*/net.bin src/games/reversi/weights_*.bin | tee -a "$log"
cat >"$out/recipe.json" <<END
{"commit": "$commit", "seed": $seed, "cores": $cores, "games_and_nodes": "$mix", "seconds": $seconds,
 "play_seconds": $play, "fit_seconds": $fitting, "fits": "$fits", "match_ms": $ms, "against": "$old"}
END
grep -m1 'model name' /proc/cpuinfo | tee -a "$log" || true
lab=tools/lab
sh $lab/build.sh "$work/selfplay" tools/train/selfplay.c tools/train/view.c tools/train/greedy.c -Itools/train \
    >>"$log" 2>&1 &
builds=$!
SRC=$old sh $lab/build.sh "$work/old.so" >>"$log" 2>&1 &
builds="$builds $!"
sh $lab/build.sh "$work/duel" $lab/duel.c $lab/versus.c tests/sparring.c >>"$log" 2>&1 &
builds="$builds $!"
"$python" -c 'import torch; print("torch", torch.__version__, torch.cuda.is_available())' >>"$log" 2>&1 || true
for build in $builds; do wait "$build"; done
say "built"
[ "$play" -lt "$(left $((fitting + 30)))" ] || play=$(left $((fitting + 30)))
[ "$play" -ge 3 ] || play=3

players=
i=0
while [ "$i" -lt "$cores" ]; do
    for entry in $mix; do
        [ "$i" -lt "$cores" ] || break
        game=${entry%:*}
        "$work/selfplay" "$game" "${entry#*:}" "$play" $((seed * 1000 + i)) "$work/samples/$game.$i" >>"$log" 2>&1 &
        players="$players $!"
        i=$((i + 1))
    done
done
for player in $players; do
    wait "$player" || say "a player failed"
done
say "played; $(du -sm "$work/samples" | cut -f1) MB of samples"
collect

# match GAME NAME SECONDS CORES: NAME.so against OLD, at equal time.
match() {
    [ "$3" -ge 2 ] || return 0
    sh $lab/duel.sh "$work/duel" "$1" "./$work/$2.so,time=$ms" "./$work/old.so,time=$ms" "$3" "$4" "$seed" \
        >>"$work/match.$1.$2" 2>&1
}

jobs=
for game in $games; do
    case $game in
    hop | meichu) models=$fits ;;
    *) models=patterns ;;
    esac
    # shellcheck disable=SC2086 # one word a model
    timeout $((fitting + 15)) "$python" tools/train/fit.py "$game" "$work/samples" "$work/fits" "$fitting" $models >"$work/fits/$game.out" 2>&1 &
    jobs="$jobs $!"
done
for job in $jobs; do
    wait "$job" || say "a fit failed"
done
say "fitted"
collect

# build_candidate GAME FILE NAME
build_candidate() {
    folder=$1
    case $1 in reversi | othello) folder=reversi ;; esac
    cp -r src "$work/src.$3"
    flag=
    case $2 in
    *net_*)
        cp "$2" "$work/src.$3/games/$folder/net.bin"
        hidden=$(od -An -tu2 -j2 -N2 "$2" | tr -d ' ')
        flag=-D$(echo "$folder" | tr '[:lower:]' '[:upper:]')_NET_HIDDEN=$hidden
        ;;
    *) cp "$2" "$work/src.$3/games/$folder/" ;;
    esac
    # shellcheck disable=SC2086 # no flag is no word
    SRC=$work/src.$3 sh $lab/build.sh "$work/$3.so" $flag >>"$work/match.$1.$3" 2>&1
}
candidates=
jobs=
for game in $games; do
    for file in "$work/fits/net_${game}_"*.bin "$work/fits/weights_$game.bin"; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .bin)
        candidates="$candidates $game:$name"
        build_candidate "$game" "$file" "$name" &
        jobs="$jobs $!"
    done
done
for job in $jobs; do
    wait "$job" || say "a build failed"
done
count=$(echo "$candidates" | wc -w)
say "candidates:$candidates"
jobs=
for entry in $candidates; do
    match "${entry%:*}" "${entry#*:}" "$(left 9)" $((cores / count > 0 ? cores / count : 1)) &
    jobs="$jobs $!"
done
for job in $jobs; do
    wait "$job" || say "a match failed"
done
say "over"
collect
cat "$out/run.log"
ls -l "$out"
