// slow: clients that never finish what they say, or never read. They are let go after half a minute,
// so all of them are started first and looked at afterwards.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import net from 'node:net';
import {once} from 'node:events';
import {execFileSync} from 'node:child_process';
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

// Of all that was heard: the last id of a whole event, and how many there were.
class Listener {
  text = '';
  last = 0;
  count = 0;

  hear(chunk) {
    const parts = (this.text + chunk).split('\n\n');
    this.text = parts.pop();
    for (const part of parts) {
      const id = Number(part.match(/^id: (\d+)$/m)?.[1]);
      if (!id) continue;
      assert.ok(!this.last || id === this.last + 1, `${id} behind ${this.last}`);
      this.last = id;
      this.count++;
    }
  }

  async hearToTheEnd(socket) {
    for await (const chunk of socket) {
      this.hear(chunk);
      if (this.last === before + EVENTS) break;
    }
  }
}

// HTTP/1.0: the body comes as it is, in no chunks.
const watchBehind = (id) => connect(`GET ${EVENTS_PATH}?after=${id} HTTP/1.0\r\nHost: localhost\r\n\r\n`);

// Whether the server still has its end of a connection that begins at this port of ours.
function isHeld(port) {
  const [theirs, ours] = [arena.port, port].map((number) => number.toString(16).toUpperCase().padStart(4, '0'));
  return readFileSync('/proc/net/tcp', 'utf8').split('\n').some((line) => {
    const [, local, remote, state] = line.trim().split(/\s+/);
    return local?.endsWith(`:${theirs}`) && remote.endsWith(`:${ours}`) && state === ESTABLISHED;
  });
}

const SAID_AT_ONCE = {
  'says nothing': '',
  'says half a header': 'GET / HTTP/1.1\r\nHost: local',
  'drips a header': 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
  'drips a body': 'POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n',
};
const talkers = Object.entries(SAID_AT_ONCE).map(([name, text]) => {
  const socket = connect(text).resume();
  const drip = name.startsWith('drips') ? setInterval(() => socket.write('x'), 500) : null;
  const end = once(socket, 'close').finally(() => clearInterval(drip));
  return {name, end};
});

const deaf = watchBehind(before);
const heard = new Listener();
while (!heard.count) {
  await once(deaf, 'readable');
  heard.hear(deaf.read() ?? '');
}

test('slow clients hold nobody up', async () => {
  const listener = new Listener();
  await listener.hearToTheEnd(watchBehind(before));
  assert.equal(listener.count, EVENTS);
  assert.equal((await fetch(arena.url)).status, 200);
});

for (const {name, end} of talkers) test(`who ${name} is let go`, () => end);

test('who does not read is let go, and goes on behind the last event that came, without loss', async () => {
  while (isHeld(deaf.localPort)) await new Promise((done) => { setTimeout(done, 200); });
  for await (const chunk of deaf) heard.hear(chunk);
  assert.ok(heard.count < EVENTS, 'it was dropped before all was said');
  heard.text = '';
  await heard.hearToTheEnd(watchBehind(heard.last));
  assert.equal(heard.count, EVENTS);
});

test('it ends cleanly', async () => assert.equal(await closeArena(arena), 0));
