#!/bin/sh
# web: the arena beside programs that do as little as possible: pages of a plain libmicrohttpd, events of bench/fan_out.c.
#
# usage: bench/web.sh BUILD [spectators]
#
# The pages need wrk. Read the ratios: both are measured in turn, on whatever else the machine is doing. With `spectators` only how
# long an event takes to the last of 1,000 of them: the 99th percentile may be at most twice that of the bare program; and what
# 200 of them cost a player that answers after 50 ms: less than 1 ms at the 99th percentile.
set -eu
build=$1
scratch=$(mktemp -d)
trap '[ -z "$plain$arena" ] || kill $plain $arena; rm -rf "$scratch"' EXIT
plain=
arena=

fan_out=$build/bench/bench_fan_out
spectators=1000
events=300

port_in() { # port_in FILE: waits until the program has printed it
    until grep -q '[0-9]' "$1" 2>/dev/null; do sleep 0.1; done
    sed -n 's/.*open: .*:\([0-9]*\)\/.*/\1/p; s/^\([0-9]*\)$/\1/p' "$1"
}

watch() { # watch PORT: median and 99th percentile of an event's way to the last spectator, in milliseconds
    "$fan_out" watch "$1" $spectators $events >"$scratch/watch" &
    watcher=$!
    until grep -q ready "$scratch/watch"; do sleep 0.1; done
}

measure_bare() {
    mkfifo "$scratch/pipe"
    "$fan_out" bare <"$scratch/pipe" >"$scratch/bare" &
    exec 3>"$scratch/pipe"
    watch "$(port_in "$scratch/bare")"
    "$fan_out" lines $events >&3
    wait $watcher
    exec 3>&-
    rm -f "$scratch/pipe" "$scratch/bare"
    tail -n 1 "$scratch/watch"
}

measure_arena() {
    cp "$scratch/class.db" "$scratch/now.db"
    "$build/plum" serve --port 0 --db "$scratch/now.db" >"$scratch/arena" &
    arena=$!
    watch "$(port_in "$scratch/arena")"
    "$fan_out" events "$scratch/now.db" $events
    wait $watcher
    kill $arena
    wait $arena || true
    arena=
    rm -f "$scratch"/now.db* "$scratch/arena"
    tail -n 1 "$scratch/watch"
}

echo "from an event to the last of $spectators spectators, milliseconds: median, 99th percentile of $events"
printf '[tournament]\ngame = othello\n[team 1]\nplayer = random\n[team 2]\nplayer = random\n' >"$scratch/class.ini"
"$build/plum" tournament run "$scratch/class.ini" >/dev/null 2>&1
for _ in 1 2 3 4 5; do
    bare=$(measure_bare)
    own=$(measure_arena)
    echo "$bare $own" | awk '{ printf "bare program %s, %s; arena %s, %s: %.2f times (at most 2)\n", $1, $2, $3, $4, $4 / $2 }'
done

printf '[tournament]\ngame = othello\nsandbox = off\ngames_per_pairing = 6\nconcurrency = 1\n' >"$scratch/slow.ini"
for team in 1 2; do
    printf '[team %s]\nplayer = ugi:%s ugi othello 50\n' $team "$(realpath "$build")/bench/bench_instant" >>"$scratch/slow.ini"
done
measure_moves() { # measure_moves SPECTATORS: adds what each move took, in seconds, to a file
    rm -f "$scratch"/slow.db*
    "$build/plum" tournament run "$scratch/slow.ini" --serve=0 >/dev/null 2>"$scratch/arena" &
    arena=$!
    until grep -q 'http:' "$scratch/arena"; do sleep 0.1; done
    if [ "$1" -gt 0 ]; then
        "$fan_out" watch "$(sed -n 's/.*http:.*:\([0-9]*\)\/.*/\1/p' "$scratch/arena" | head -n 1)" "$1" 0 >/dev/null 2>&1 &
    fi
    wait $arena || true
    arena=
    "$build/plum" tournament export "$scratch/slow.db" | sed -n 's/.*{t=\([0-9.]*\).*/\1/p' >>"$scratch/moves-$1"
}
rank() { # rank FILE PERCENT: in milliseconds
    sort -n "$1" | awk -v part="$2" '{ all[NR] = $1 } END { printf "%.3f", 1000 * all[int((NR - 1) * part / 100) + 1] }'
}
echo "moves of a player that sleeps 50 ms, milliseconds: median, 99th percentile"
for _ in 1 2 3; do
    measure_moves 0
    measure_moves 200
done
for count in 0 200; do
    echo "$count spectators: $(rank "$scratch/moves-$count" 50), $(rank "$scratch/moves-$count" 99) of $(wc -l <"$scratch/moves-$count") moves"
done
awk -v with="$(rank "$scratch/moves-200" 99)" -v without="$(rank "$scratch/moves-0" 99)" \
    'BEGIN { printf "difference at the 99th percentile: %.3f ms (less than 1)\n", with - without }'
[ "${2-}" != spectators ] || exit 0

"$build/bench/bench_plain_http" web/index.html >"$scratch/plain" &
plain=$!
"$build/plum" serve --port 0 >"$scratch/arena" &
arena=$!
sleep 1
plain_url="http://127.0.0.1:$(cat "$scratch/plain")/"
arena_url=$(sed -n 's/.*open: //p' "$scratch/arena")

rate() { wrk -t1 -c32 -d3s "$1" | awk '/Requests\/sec/ { print int($2) }'; }

echo "the first page, requests a second, one wrk thread and 32 connections"
for _ in 1 2 3; do
    a=$(rate "$plain_url")
    b=$(rate "$arena_url")
    echo "plain libmicrohttpd $a, arena $b: $((b * 100 / a)) %"
done
awk '/VmRSS/ { printf "memory of the arena: %.1f MB\n", $2 / 1024 }' "/proc/$arena/status"
