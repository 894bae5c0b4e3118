#!/bin/sh
# threads: every part of plum that has threads, at work at the same time, for ThreadSanitizer to watch.
#
# usage: tests/threads.sh PLUM        PLUM is built with -fsanitize=thread, else the test proves nothing
#
# A search with four threads; a match with two games at a time; a tournament whose writer thread commits while the web
# server follows it and answers searches; games with agents, played and watched over HTTP; a tournament that
# a worker plays. ThreadSanitizer ends a program with a race with exit code 66.
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
const ask = async (path, options) => JSON.parse(await (await fetch(address + path, options)).text());
(async () => {
  const { id } = (await ask('/api/v1/tournaments')).tournaments[0];
  const follow = fetch(`${address}/api/v1/tournaments/${id}/events`)
    .then(async (answer) => { for await (const part of answer.body) void part; }).catch(() => {});
  let answers = 0;
  try {
    for (;; answers++) {
      await ask(`/api/v1/tournaments/${id}`);
      await ask('/api/v1/bestmove?game=othello&position=start&nodes=500', { method: 'POST' });
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
# Games with agents, which people play, watch, stop and leave, while the server answers and ends.
"$plum" serve --port 0 --agent One=random --agent Two=builtin:nodes=200 >page 2>&1 &
server=$!
until grep -q 'key=' page; do
    kill -0 "$server" || { echo "the arena did not open"; cat page; exit 1; }
    sleep 0.1
done
node - "$(grep -o 'http://[^ ]*' page)" <<'JS' || { echo "a game with an agent failed"; cat page; exit 1; }
const {origin, hash} = new URL(process.argv[2]);
const key = hash.split('key=')[1];
const ask = async (method, path, token = '') => JSON.parse(await (await fetch(`${origin}/api/v1/${path}`,
  {method, headers: {Authorization: `Bearer ${key}`, 'Plum-Token': token, ...(method === 'POST' && {Origin: origin})}})).text());
const watch = async (first, second) => {
  const {id, tokens} = await ask('POST', `sessions?game=othello&first=${first}&second=${second}`);
  for (let version = 0, moved = -1; ;) {
    const state = await ask('GET', `sessions/${id}?after=${version}&from=${moved + 1}`);
    await ask('GET', `sessions/${id}/log`);
    version = state.version;
    if (!state.running) return;
    if (state.expects && state.ply_count > 4) await ask('POST', `sessions/${id}/stop`, tokens[0]);
    else if (state.expects && state.ply_count > moved) {
      moved = state.ply_count;
      const {moves} = await ask('GET', `position?game=othello&position=${encodeURIComponent(state.plies.at(-1)?.position ?? state.start)}`);
      await ask('POST', `sessions/${id}/move?ply=${moved}&move=${moves[0]}`, tokens[0]);
    }
  }
};
Promise.all([watch('agent:1', 'agent:2'), watch('person', 'agent:2'), watch('agent:1', 'engine:1')])
  .then(() => ask('POST', 'sessions?game=othello&first=person&second=agent:1')).catch((error) => { console.error(error); process.exit(1); });
JS
kill -INT "$server"
code=0
wait "$server" || code=$?
server=
[ "$code" = 0 ] || { echo "exit code $code: plum serve --agent"; cat page; exit 1; }
# Workers. libcrypto counts its references with operations that ThreadSanitizer does not see.
PATH=$PATH:/usr/sbin
if command -v nats-server >/dev/null && ! "$plum" tournament worker-file class.ini -o files 2>&1 | grep -q 'without NATS'; then
    rm -rf class.db class.queue
    echo 'race:libcrypto.so' >known
    export TSAN_OPTIONS="suppressions=$folder/known $TSAN_OPTIONS"
    port=$(node -p 'const s = require("net").createServer().listen(0); const {port} = s.address(); s.close(); port')
    "$plum" tournament run class.ini --workers="127.0.0.1:$port" --slowest 0 >page 2>&1 &
    server=$!
    until [ -e class.worker ]; do
        kill -0 "$server" || { echo "the tournament did not begin"; cat page; exit 1; }
        sleep 0.1
    done
    run "$plum" worker class.worker --concurrency 2
    code=0
    wait "$server" || code=$?
    server=
    [ "$code" = 0 ] || { echo "exit code $code: plum tournament run --workers"; cat page; exit 1; }
else
    echo "skipped: workers: nats-server is not installed, or plum was built without NATS"
fi
echo "no race seen"
