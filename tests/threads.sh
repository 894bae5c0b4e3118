#!/bin/sh
# threads: every part of plum that has threads, at work at the same time, for ThreadSanitizer to watch.
#
# usage: tests/threads.sh PLUM        PLUM is built with -fsanitize=thread, else the test proves nothing
#
# A search with four threads; a match with two games at a time; a tournament whose writer thread commits while the web
# server follows it and answers searches. ThreadSanitizer ends a program with a race with exit code 66.
set -eu
plum=$1
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || :; rm -rf "$folder"' EXIT
cd "$folder"
export TSAN_OPTIONS="exitcode=66 halt_on_error=1 ${TSAN_OPTIONS:-}"

run() { # run COMMAND... : shows what it printed only if it fails
    "$@" >out 2>&1 || { code=$?; echo "exit code $code: $*"; cat out; exit 1; }
}

for game in $("$plum" games --json | tr -d ' \n' | grep -o '"name":"[^"]*"' | cut -d '"' -f 4); do
    run "$plum" bestmove "$game" start --threads 4 --nodes 20000
    run "$plum" match "$game" --black builtin:nodes=200 --white random --games 4 --concurrency 2
done

cat >class.ini <<'INI'
[tournament]
name = threads
game = othello
games_per_pairing = 6
concurrency = 2
[team 1]
player = builtin:nodes=300
[team 2]
player = builtin:nodes=200
[team 3]
player = random:seed=3
[team 4]
player = random:seed=4
INI
"$plum" tournament run class.ini --serve 0 >page 2>&1 &
server=$!
address=
until [ -n "$address" ]; do
    address=$(grep -o 'http://[0-9.]*:[0-9]*' page | head -n 1) || :
    kill -0 "$server" || { echo "the tournament did not begin"; cat page; exit 1; }
    sleep 0.1
done
# A spectator who follows the games, and one who asks, until the tournament is over and the server ends with it.
node - "$address" <<'JS' || { echo "a spectator was not answered"; cat page; exit 1; }
const address = process.argv[2];
const ask = async (path) => JSON.parse(await (await fetch(address + path)).text());
(async () => {
  const { id } = (await ask('/api/v1/tournaments')).tournaments[0];
  const follow = fetch(`${address}/api/v1/tournaments/${id}/events`)
    .then(async (answer) => { for await (const part of answer.body) void part; }).catch(() => {});
  let answers = 0;
  try {
    for (;; answers++) {
      await ask(`/api/v1/tournaments/${id}`);
      await ask('/api/v1/bestmove?game=othello&position=start&nodes=500');
    }
  } catch (error) {
    if (answers < 3) throw error;
  }
  await follow;
})().catch((error) => { console.error(error); process.exit(1); });
JS
code=0
wait "$server" || code=$?
server=
[ "$code" = 0 ] || { echo "exit code $code: plum tournament run --serve"; cat page; exit 1; }
echo "no race seen"
