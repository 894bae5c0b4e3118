// slow: clients that never finish a request, or never read. The server closes their connections after ten seconds or half
// a minute, so all of them are started first and checked afterwards.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import net from 'node:net';
import {once} from 'node:events';
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openArena, closeArena, finishTournament, endAll} from './arena.mjs';

const EVENTS = 12000;
const ESTABLISHED = '01'; // in /proc/net/tcp
const folder = mkdtempSync(join(tmpdir(), 'plum-slow-'));
after(endAll);
after(() => rmSync(folder, {recursive: true}));

// Events of a kilobyte each, with numbers in a row: far more than the sockets in between can hold.
await finishTournament(folder, 'Slow');
const fill = `import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    print(db.execute("SELECT max(id) FROM event").fetchone()[0])
    db.executemany("INSERT INTO event (at_ms, kind, game, text) VALUES (0, 'remark', -1, ?)", [('%d ' % i + 'x' * 900,) for i in range(${EVENTS})])`;
const before = Number(execFileSync('python3', ['-c', fill, join(folder, 'class.db')]));
const arena = await openArena('--db', join(folder, 'class.db'));
const EVENTS_PATH = '/api/v1/tournaments/1/events';

function connect(text) {
  const socket = net.connect(arena.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

// Counts the events of a stream and keeps the id of the last complete one.
class Listener {
  text = '';
  last = 0;
  count = 0;

  receive(chunk) {
    const parts = (this.text + chunk).split('\n\n');
    this.text = parts.pop();
    for (const part of parts) {
      const id = Number(part.match(/^id: (\d+)$/m)?.[1]);
      if (!id) continue;
      assert.ok(!this.last || id === this.last + 1, `${id} after ${this.last}`);
      this.last = id;
      this.count++;
    }
  }

  async receiveAll(socket) {
    for await (const chunk of socket) {
      this.receive(chunk);
      if (this.last === before + EVENTS) break;
    }
  }
}

// HTTP/1.0: the body is not sent in chunks.
const watchAfter = (id) => connect(`GET ${EVENTS_PATH}?after=${id} HTTP/1.0\r\nHost: localhost\r\n\r\n`);

// Whether the server still has the connection from this local port.
function isHeld(port) {
  const [theirs, ours] = [arena.port, port].map((number) => number.toString(16).toUpperCase().padStart(4, '0'));
  return readFileSync('/proc/net/tcp', 'utf8').split('\n').some((line) => {
    const [, local, remote, state] = line.trim().split(/\s+/);
    return local?.endsWith(`:${theirs}`) && remote.endsWith(`:${ours}`) && state === ESTABLISHED;
  });
}

// The server's own clock: a heartbeat at the start of the stream, and then every ten seconds.
let beats = 0;
const clock = watchAfter(before + EVENTS).on('data', (chunk) => { beats += String(chunk).split('event: beat').length - 1; });
await once(clock, 'data');

const FIRST_BYTES = {
  'sends nothing': '',
  'sends half a header': 'GET / HTTP/1.1\r\nHost: local',
  'sends a header slowly': 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
  'sends a body slowly': 'POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n',
  'sends nothing after an answer': 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
};
const slowClients = Object.entries(FIRST_BYTES).map(([name, text]) => {
  const socket = connect(text).resume();
  const timer = name.endsWith('slowly') ? setInterval(() => socket.write('x'), 500) : null;
  const end = once(socket, 'close').then(() => beats).finally(() => clearInterval(timer));
  return {name, end};
});

// Reads two kilobytes a second of an answer of 490.
const READ_SLOWLY = `import socket, sys, time
MOVES = "20-21 17-16 21-20 16-17".split()
plies = "".join("%d. %s %s\\n" % (at + 1, "bw"[at % 2], MOVES[at % 4]) for at in range(320))
body = ('[Game "hop"]\\n[Result "*"]\\n\\n%s\\n' % plies) * 7
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
client.connect(("127.0.0.1", int(sys.argv[1])))
client.sendall(("POST /api/v1/record HTTP/1.0\\r\\nHost: localhost\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body)).encode())
print(client.getsockname()[1], flush=True)
while client.recv(2048):
    time.sleep(1)`;
const slowReader = spawn('python3', ['-c', READ_SLOWLY, String(arena.port)], {stdio: ['ignore', 'pipe', 'inherit']});
after(() => slowReader.kill());
const slowPort = Number((await once(slowReader.stdout, 'data'))[0]);

const idle = watchAfter(before);
const received = new Listener();
while (!received.count) {
  await once(idle, 'readable');
  received.receive(idle.read() ?? '');
}

test('slow clients do not delay others', async () => {
  const listener = new Listener();
  await listener.receiveAll(watchAfter(before));
  assert.equal(listener.count, EVENTS);
  assert.equal((await fetch(arena.url)).status, 200);
});

for (const {name, end} of slowClients) test(`a client that ${name} is disconnected after ten seconds`, async () => assert.ok(await end <= 3, 'before a third heartbeat after that at the start'));

test('a client that does not read is disconnected, and can continue after the last event without loss', async () => {
  while (isHeld(idle.localPort)) await new Promise((done) => { setTimeout(done, 200); });
  for await (const chunk of idle) received.receive(chunk);
  assert.ok(received.count < EVENTS, 'it was disconnected before the last event');
  received.text = '';
  await received.receiveAll(watchAfter(received.last));
  assert.equal(received.count, EVENTS);
});

test('a client that reads an answer slower than 32 KB a second for more than half a minute is disconnected', async () => {
  while (isHeld(slowPort)) await new Promise((done) => { setTimeout(done, 200); });
  assert.ok(beats <= 6, `after 30 s and 15 s for its size, not after ${beats} heartbeats`);
  assert.equal(slowReader.exitCode, null, 'it was still reading');
  slowReader.kill();
});

test('it ends cleanly with a stream that is open', async () => assert.equal(await closeArena(arena), 0));
