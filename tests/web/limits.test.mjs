// limits: no request, no spectator and no locked file may block the answers to other clients.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import net from 'node:net';
import {once} from 'node:events';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openArena, closeArena, beginTournament, finishTournament, slowPlayer, endAll, plum} from './arena.mjs';

const arena = await openArena();
const folder = mkdtempSync(join(tmpdir(), 'plum-limits-'));
after(endAll);
after(() => rmSync(folder, {recursive: true}));

function connect(text, localAddress = '127.0.0.1') {
  const socket = net.connect({port: arena.port, host: '127.0.0.1', localAddress});
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

// The first line of the answer to these bytes.
async function statusLine(text) {
  const socket = connect(text);
  const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
  socket.destroy();
  return String(chunk).split('\r\n')[0];
}

const MOVES = ['20-21', '17-16', '21-20', '16-17'];
const recordOf = (plies) => `[Game "hop"]\n[Result "*"]\n\n${Array.from({length: plies}, (none, at) => `${at + 1}. ${'bw'[at % 2]} ${MOVES[at % 4]}\n`).join('')}\n`;

test('a request with too many fields is refused at once', async () => {
  for (const [count, status] of [[17, 400], [100, 400], [101, 414], [300, 414], [500, 414], [2000, 414]]) {
    const fields = Array.from({length: count}, (none, at) => `a${at}=1`).join('&');
    assert.match(await statusLine(`GET /api/v1/games?${fields} HTTP/1.1\r\nHost: localhost\r\n\r\n`), new RegExp(`^HTTP/1.1 ${status} `), `${count} fields`);
  }
});

test('a body with two lengths is refused', async () => {
  const body = recordOf(2);
  const send = (lengths) => statusLine(`POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\n${lengths}\r\n\r\n${body}`);
  assert.match(await send(`Content-Length: ${body.length}`), /^HTTP\/1.1 200 /);
  assert.match(await send(`Content-Length: ${body.length}\r\nContent-Length: 4`), /^HTTP\/1.1 400 /);
  assert.match(await send(`Content-Length: ${body.length}\r\ncontent-length: ${body.length}`), /^HTTP\/1.1 400 /);
});

const post = (body) => fetch(`${arena.url}api/v1/record`, {method: 'POST', body});

test('the answer to a megabyte of records is smaller than two megabytes', async () => {
  const long = recordOf(320);
  const text = await (await post(long.repeat(Math.floor(2 ** 20 / long.length)))).text();
  assert.ok(text.length < 2 * 2 ** 20, `${text.length} bytes`);
  const {games, more} = JSON.parse(text);
  assert.equal(more, true);
  assert.equal(games.length, 25);
  assert.ok(games.every(({ok, plies}) => ok && plies.length === 320));
});

test('of many short games the first 256 are read, and the answer shows whether there are more', async () => {
  for (const [count, more] of [[256, false], [257, true]]) {
    const answer = await (await post(recordOf(1).repeat(count))).json();
    assert.equal(answer.games.length, 256);
    assert.equal(answer.more, more, `${count} games`);
  }
});

test('at most 32 bodies are held at a time, 16 of one address, the last four of addresses without any, and they are released', async () => {
  const begun = 'POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n';
  const sockets = [];
  const begin = async (count, address, status) => {
    for (let at = 0; at < count; at++) sockets.push(connect(begun, address));
    for (const socket of sockets.slice(-count)) assert.match(String((await once(socket, 'data'))[0]), new RegExp(`^HTTP/1.1 ${status} `), address);
  };
  await begin(16, '127.0.0.2', 100);
  await begin(1, '127.0.0.2', 503);
  await begin(12, '127.0.0.3', 100);
  await begin(1, '127.0.0.3', 503);
  for (const last of [4, 5, 6, 7]) await begin(1, `127.0.0.${last}`, 100);
  const refused = await post(recordOf(2));
  assert.equal(refused.status, 503);
  assert.ok(refused.headers.get('retry-after'));
  assert.equal((await fetch(`${arena.url}api/v1/games`)).status, 200);
  sockets.forEach((socket) => socket.destroy());
  for (let status = 503; status !== 200; status = (await post(recordOf(2))).status) await new Promise((done) => { setTimeout(done, 20); });
});

// Takes the database out of WAL mode and locks it whole until its input ends.
const LOCK = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] == 'convert':
    assert db.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == 'delete'
else:
    db.execute("BEGIN EXCLUSIVE")
    print('locked', flush=True)
    sys.stdin.read()`;
const python = (what) => spawn('python3', ['-c', LOCK, join(folder, 'class.db'), what], {stdio: ['pipe', 'pipe', 'inherit']});

// Without a limit each request would wait for ten seconds, and all other requests with it.
test('a database that another process has locked delays no request', {timeout: 100000}, async () => {
  await finishTournament(folder, 'Locked');
  assert.deepEqual(await once(python('convert'), 'exit'), [0, null]);
  const live = await openArena('--db', join(folder, 'class.db'));
  const locker = python('lock');
  await once(locker.stdout, 'data');
  const record = `${live.url}api/v1/tournaments/1/record?game=1`;
  for (const answer of await Promise.all(Array.from({length: 20}, () => fetch(record)))) {
    assert.equal(answer.status, 503);
    assert.match((await answer.json()).error, /locked by another process/);
  }
  assert.equal((await fetch(`${live.url}api/v1/tournaments/1`)).status, 200);
  assert.equal(locker.exitCode, null, 'the database was locked all the time');
  locker.stdin.end();
  await once(locker, 'exit');
  assert.equal((await fetch(record)).status, 200);
  assert.equal(await closeArena(live), 0);
});

// The answer about 40 teams that have played everybody twice is 400 KB, more than the sockets in between hold.
test('a large answer is in memory once, however many clients do not read it', async () => {
  const teams = Array.from({length: 40}, (none, at) => `[team ${at + 1}]\nplayer = random:seed=${at}\n`).join('');
  writeFileSync(join(folder, 'large.ini'), `[tournament]\ngame = othello\nformat = double-round-robin\nsandbox = off\n${teams}`);
  assert.equal(spawnSync(plum, ['tournament', 'run', 'large.ini'], {cwd: folder}).status, 0);
  const live = await openArena('--db', join(folder, 'large.db'));
  const memory = () => Number(readFileSync(`/proc/${live.child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]);
  const path = '/api/v1/tournaments/1';
  const size = Buffer.byteLength(await (await fetch(live.url + path.slice(1))).text());
  assert.ok(size > 2 ** 18, `${size} bytes`);
  const before = memory();
  const clients = await Promise.all(Array.from({length: 100}, async () => {
    const socket = net.connect(live.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, 'readable'); // and nothing of it is read
    return socket;
  }));
  const grown = memory() - before;
  assert.ok(grown < 100 * size / 1024 / 2, `${grown} KB for ${clients.length} clients`);
  clients.forEach((socket) => socket.destroy());
  assert.equal(await closeArena(live), 0);
});

// Reads the messages of a stream up to one that is wanted.
async function listen(url, isWanted, onBegin = () => {}) {
  const stop = new AbortController();
  let text = '';
  try {
    for await (const chunk of (await fetch(url, {signal: stop.signal})).body) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop();
      const found = parts.find(isWanted);
      if (found) return found;
      onBegin();
    }
  } finally {
    stop.abort();
  }
  return assert.fail('the stream ended');
}

test('a client with a wrong event number is reset to a known one, and all clients learn that the tournament is not played any more', async () => {
  const busy = mkdtempSync(join(folder, 'busy-'));
  const run = await beginTournament(busy, slowPlayer(busy, .2));
  const live = await openArena('--db', join(busy, 'class.db'));
  const url = `${live.url}api/v1/tournaments/1`;
  const fetchNow = async () => (await fetch(url)).json();
  const before = await fetchNow();
  assert.equal(before.attended, true);
  await listen(`${url}/events?after=${before.event}`, (part) => /"kind":"ply"/.test(part));
  const reset = await listen(`${url}/events?after=999999999`, (part) => /^event: reset$/m.test(part));
  const {event} = await fetchNow();
  assert.ok(Number(reset.match(/^id: (\d+)$/m)[1]) <= event, 'no event is lost between the reset and the tournament that is fetched');
  await listen(`${url}/events?after=${event}`, (part) => part === 'event: beat\ndata: {"attended":false}', () => run.kill('SIGKILL'));
  for (let {attended} = await fetchNow(); attended; {attended} = await fetchNow()) await new Promise((done) => { setTimeout(done, 20); });
  assert.equal(await closeArena(live), 0);
});

test('the error about a port in use names no option', () => {
  const {status, stderr} = spawnSync(plum, ['serve', '--port', String(arena.port)], {encoding: 'utf8'});
  assert.equal(status, 3);
  assert.match(stderr, /cannot listen on 127\.0\.0\.1, port \d+: .*; choose another port, or 0 for any$/m);
});

test('it ends cleanly', async () => assert.equal(await closeArena(arena), 0));
