// http: the answers of the arena to good and bad requests. Needs no browser.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import net from 'node:net';
import {createHash} from 'node:crypto';
import http from 'node:http';
import {json as readJson} from 'node:stream/consumers';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {getPriority, tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {api, check} from './schema.mjs';
import {plum, openArena, closeArena, beginTournament, finishTournament, runServed, slowPlayer, endAll} from './arena.mjs';

const arena = await openArena();
after(endAll);
const get = (path, options) => fetch(arena.url + path, options);
const ask = async (path) => (await get(`api/v1/${path}`)).json();

// Sends the text unchanged; resolves to everything that comes back.
function raw(text, waitMs = 3000) {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(arena.port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on('data', (chunk) => { answer += chunk; });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

// Sends the path unchanged: fetch would normalise it.
const statusOf = (path, headers = {}, method = 'GET') => new Promise((resolve, reject) => {
  http.request({port: arena.port, host: '127.0.0.1', path, headers, method}, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  }).on('error', reject).end();
});

// The files that have a checksum in their names: {'style.css': 'static/style.0123456789ab.css', …}.
async function staticFiles() {
  const found = {};
  const names = /"(?:static\/)?([a-z]+)\.([0-9a-f]{12})\.([a-z0-9]+)|'static\/([a-z]+)\.([0-9a-f]{12})\.([a-z]+)'/g;
  const read = async (path) => {
    for (const [, ...parts] of (await (await get(path)).text()).matchAll(names)) {
      const [stem, sum, ending] = parts.filter(Boolean);
      found[`${stem}.${ending}`] = `static/${stem}.${sum}.${ending}`;
    }
  };
  await read('');
  await read(found['style.css']);
  await read(found['app.js']);
  return found;
}

test('every page has the headers that keep a browser safe', async () => {
  for (const path of ['', ...Object.values(await staticFiles()), 'api/v1/games', 'nothing-here']) {
    const {headers} = await get(path);
    const policy = headers.get('content-security-policy');
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  }
});

test('no page contains a script or a style', async () => {
  const page = await (await get('')).text();
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
});

test('a file whose name has the checksum of its contents is kept by browsers; the first page is asked for each time', async () => {
  const files = Object.values(await staticFiles());
  assert.equal(files.length, 8, files.join());
  for (const path of files) {
    const answer = await get(path);
    const body = Buffer.from(await answer.arrayBuffer());
    // The scripts name each other: they have the checksum of all of them.
    if (path.startsWith('static/app.')) for (const [, part] of String(body).matchAll(/import\('\.\/([^']*)'\)/g)) assert.equal(part.split('.')[1], path.split('.')[1], part);
    else assert.equal(path.split('.')[1], createHash('sha256').update(body).digest('hex').slice(0, 12), path);
    assert.equal(answer.headers.get('cache-control'), 'max-age=31536000, immutable');
  }
  for (const path of ['', 'fonts/LICENSE.txt', 'puzzles/othello.txt']) assert.equal((await get(path)).headers.get('cache-control'), 'no-cache', path);
});

test('the fonts are small and have a licence', async () => {
  const names = await staticFiles();
  let bytes = 0;
  for (const path of [names['sans.woff2'], names['serif.woff2']]) {
    const answer = await get(path);
    const body = Buffer.from(await answer.arrayBuffer());
    const {headers} = answer;
    assert.equal(answer.status, 200, path);
    assert.equal(headers.get('content-type'), 'font/woff2');
    assert.match(headers.get('content-security-policy'), /font-src 'self';/);
    assert.equal(body.toString('latin1', 0, 4), 'wOF2');
    bytes += body.length;
  }
  assert.ok(bytes <= 25000, `${bytes} bytes`);
  const licence = await (await get('fonts/LICENSE.txt')).text();
  for (const words of ['The Inter Project Authors', 'SIL International', 'SIL OPEN FONT LICENSE Version 1.1']) assert.ok(licence.includes(words), words);
});

test('the first page with all it needs is at most 110 KB, and the rules, which are loaded before the engine, 50 KB', async () => {
  const size = async (path) => {
    const answer = await get(path, {headers: {'accept-encoding': 'gzip'}});
    assert.equal(answer.status, 200, path);
    await answer.arrayBuffer();
    return Number(answer.headers.get('content-length'));
  };
  const {'plum.wasm': engine, 'rules.wasm': rules, 'worker.js': worker, ...first} = await staticFiles();
  let bytes = 0;
  for (const path of ['', 'api/v1/games', 'puzzles/meichu.txt', ...Object.values(first)]) bytes += await size(path);
  assert.ok(bytes <= 110 * 1024, `${bytes} bytes`);
  assert.ok(await size(rules) <= 50 * 1024);
  assert.ok(await size(worker) <= 1024);
  assert.ok(await size(engine) > 100 * 1024, 'the engine is not part of the first page');
});

test('a page is compressed only for clients that accept it', async () => {
  const codingFor = async (accepted) => (await get('', {headers: {'accept-encoding': accepted}})).headers.get('content-encoding');
  for (const accepted of ['gzip', 'GZIP', 'deflate, gzip', 'gzip, br', 'gzip;q=0.1', 'br;q=0, gzip;q=1', 'gzip , br;q=0']) assert.equal(await codingFor(accepted), 'gzip', accepted);
  for (const accepted of ['identity', 'gzip;q=0', 'gzip; q=0.000, br', 'xgzip', 'gzipped', 'br;gzip']) assert.equal(await codingFor(accepted), null, accepted);
});

test('an unchanged page is not sent again', async () => {
  const first = await get('');
  const again = await get('', {headers: {'if-none-match': first.headers.get('etag')}});
  assert.equal(again.status, 304);
  assert.equal((await again.text()).length, 0);
});

test('nothing outside the pages can be read', async () => {
  for (const path of ['/../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc%2fpasswd', '//etc/passwd', '/web/index.html', '/index.html.gz', '/package.json', '/index.html%00.js']) {
    assert.equal(await statusOf(path), 404, path);
  }
});

test('another name, another site or another method is refused', async () => {
  assert.equal(await statusOf('/', {host: 'evil.example'}), 421);
  assert.equal(await statusOf('/', {host: `localhost:${arena.port}`}), 200);
  assert.equal(await statusOf('/api/v1/games', {origin: 'https://evil.example'}), 403);
  assert.equal(await statusOf('/', {}, 'DELETE'), 405);
  assert.equal(await statusOf('/api/v1/record'), 405);
  assert.match(await (await get('api/v1/bestmove?game=hop&lvl=1', {method: 'POST'})).text(), /'bestmove' has no field 'lvl'/);
  assert.match(await (await get('api/v1/games?game=hop')).text(), /'games' has no field 'game'/);
  assert.match(await (await get('api/v1/record', {method: 'POST', body: '\0[Game "hop"]'})).text(), /has a byte 0/);
  assert.equal(await statusOf('/api/v1/games', {}, 'POST'), 405);
});

// A page of another site can let a browser send any GET without Origin, for instance as the address of a picture.
test('what costs a search is a POST, and a browser that another site uses cannot send it', async () => {
  const search = '/api/v1/bestmove?game=hop&nodes=100';
  for (const method of ['GET', 'HEAD']) assert.equal(await statusOf(search, {}, method), 405, method);
  const refused = await get(search.slice(1));
  assert.equal(refused.headers.get('allow'), 'POST');
  assert.match((await refused.json()).error, /^send this request by POST: it starts a search$/);
  assert.equal((await get('api/v1/games', {method: 'POST'})).headers.get('allow'), 'GET, HEAD');
  const own = `http://localhost:${arena.port}`;
  const from = (headers) => statusOf(search, {host: `localhost:${arena.port}`, ...headers}, 'POST');
  assert.equal(await from({}), 200, 'a program sends neither header');
  assert.equal(await from({origin: own}), 200);
  assert.equal(await from({origin: own, 'sec-fetch-site': 'same-origin'}), 200);
  for (const origin of ['https://evil.example', 'null']) assert.equal(await from({origin}), 403, origin);
  for (const site of ['cross-site', 'same-site', 'CROSS-SITE', '']) {
    assert.equal(await from({'sec-fetch-site': site}), 403, site);
    assert.equal(await statusOf('/api/v1/games', {'sec-fetch-site': site}), 403, site);
    assert.equal(await statusOf('/', {'sec-fetch-site': site}), 200, 'a link leads to a page');
  }
  assert.equal(await statusOf('/api/v1/games', {'sec-fetch-site': 'none'}), 200, 'an address that a person typed');
  assert.match(await (await get(search.slice(1), {method: 'POST', body: 'x'})).text(), /takes no body/);
});

test('oversized and malformed requests are refused and the next request is answered', async () => {
  assert.match(await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40000)}\r\n\r\n`), /^HTTP\/1.1 4/);
  assert.match(await raw(`GET /${'a'.repeat(40000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`), /^HTTP\/1.1 4/);
  await raw('\0\0\0\0\r\n\r\n', 300);
  await raw('POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n', 300);
  const huge = await get('api/v1/record', {method: 'POST', body: 'x'.repeat(1.5 * 2 ** 20)}).catch(() => ({status: 413}));
  assert.equal(huge.status, 413);
  assert.equal((await get('api/v1/games')).status, 200);
});

// The library refuses these before our code sees them, with texts of its own.
test('a malformed request is refused without repeating any of it', async () => {
  const marked = '<script>mark</script>';
  const many = marked.repeat(2000);
  const post = 'POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\n';
  for (const text of [
    `GET / ${marked}\r\nHost: localhost\r\n\r\n`, `GET /${marked} HTTP/1.1\r\n\r\n`, `GET /${many} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost ${marked}\r\n\r\n`, `GET / HTTP/1.1\r\nHost: localhost\r\n${marked}: ${many}\r\n\r\n`,
    `${post}Content-Length: ${marked}\r\n\r\n`, `${post}Transfer-Encoding: chunked\r\n\r\n${marked}\r\n`,
  ]) {
    const answer = await raw(text);
    assert.match(answer, /^HTTP\/1.1 4\d\d [^]*\r\nConnection: close\r\n/, text.slice(0, 80));
    assert.doesNotMatch(answer, /mark/, text.slice(0, 80));
  }
  assert.equal(await raw(`${marked}\r\n\r\n`, 300), '');
});

test('a body is read only where one is expected, up to a megabyte', async () => {
  const post = (path, headers) => raw(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
  assert.match(await post('/', 'Content-Length: 10000000000'), /^HTTP\/1.1 404[^]*Connection: close/i);
  assert.match(await post('/api/v1/games', 'Content-Length: 10000000000'), /^HTTP\/1.1 405/);
  assert.match(await post('/api/v1/record', 'Content-Length: 10000000000'), /^HTTP\/1.1 413/);
  assert.match(await post('/api/v1/record', 'Content-Length: 5\r\nTransfer-Encoding: chunked'), /^HTTP\/1.1 400/);
  assert.match(await raw('GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'), /^HTTP\/1.1 400/);
  const smuggled = await raw('GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\nGET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.equal(smuggled.match(/HTTP\/1.1 \d/g).length, 1);
  assert.match(smuggled, /^HTTP\/1.1 400/);
});

test('half-open connections do not block others', async () => {
  const sockets = Array.from({length: 300}, () => net.connect(arena.port, '127.0.0.1'));
  sockets.forEach((socket) => { socket.on('error', () => {}); socket.write('GET / HTTP/1.1\r\nHost: local'); });
  assert.equal((await get('')).status, 200);
  sockets.forEach((socket) => socket.destroy());
});

// From one of the loopback addresses of this machine.
const askFrom = (address, method, path) => new Promise((resolve, reject) => {
  http.request({port: arena.port, host: '127.0.0.1', localAddress: address, method, path: `/api/v1/${path}`, agent: false}, async (answer) => {
    resolve({status: answer.statusCode, headers: answer.headers, json: await readJson(answer)});
  }).on('error', reject).end();
});

test('a client that asks for more than its share of searches is refused with a time to wait, and every request is answered', async () => {
  const all = await Promise.all(Array.from({length: 40}, () => askFrom('127.0.0.2', 'POST', 'bestmove?game=hop&nodes=200000')));
  for (const {status, headers, json} of all) {
    assert.ok(status === 200 ? json.move : status === 429 && json.error && headers['retry-after'], `${status}`);
  }
  assert.ok(all.some(({status}) => status === 200));
  assert.ok(all.some(({status}) => status === 429));
});

test('clients take turns at the engine, whatever the number of their requests', async () => {
  const order = [];
  const ask = async (address) => {
    const {status} = await askFrom(address, 'POST', 'bestmove?game=hop&nodes=500000');
    if (status === 200) order.push(address);
  };
  const greedy = Array.from({length: 20}, () => ask('127.0.0.2'));
  await askFrom('127.0.0.3', 'GET', 'position?game=hop');
  await Promise.all([...greedy, ask('127.0.0.3')]);
  assert.ok(order.includes('127.0.0.3'), 'the second client is answered');
  assert.notEqual(order.at(-1), '127.0.0.3', 'the client that came last is not answered last');
});

// --- The answers are those that openapi.json describes. ---

const record = '[Game "reversi"]\n[Black "<script>alert(1)</script>"]\n[White "bob"]\n[Result "*"]\n\n1. b 33 {t=0.431 d=14 s=+0.52 n=12}\n2. w 34 {t=5.260 fault=late}\n\n';
const QUESTIONS = [
  ['games', 200], ['position?game=hop', 200], ['position?game=meichu&moves=64-54', 200], ['position?game=chess', 400], ['position', 400],
  ['position?game=hop&position=nonsense', 400], ['position?game=hop&moves=11-13', 422], ['position?game=hop&game=hop', 400],
  ['next?game=hop&path=22', 200], ['next?game=reversi', 200], ['next?game=hop&path=9x', 400], ['next?game=hop&moves=11-13&path=22', 422], ['next?game=hop&path=99', 400],
  ['bestmove?game=othello&level=1', 200], ['bestmove?game=othello&level=11', 400],
  ['bestmove?game=hop&position=......../......../......../......../......../......../......../.......O+b+200+200', 422],
  ['bid?game=meichu', 200], ['bid?game=hop', 400], ['auction?game=meichu&bids=0+5,+0+40', 200], ['auction?game=meichu&bids=0+5,+0+5&seed=3', 200],
  ['auction?game=meichu', 400], ['auction?game=meichu&bids=nonsense', 400], ['picture?game=hop&position=x', 400], ['picture?game=hop&moves=11-13', 422],
];

// The answer, which must be as openapi.json describes it.
async function checkAnswer(url, question, status) {
  const {get: read, post: search} = api.paths[`/api/v1/${question.split('?')[0].replace(/^tournaments\/\d+/, 'tournaments/{id}')}`];
  const answer = await fetch(`${url}api/v1/${question}`, {method: read ? 'GET' : 'POST'});
  assert.equal(answer.status, status, question);
  const described = (read || search).responses[status];
  assert.ok(described, `${question}: ${status} is not described`);
  const response = described.$ref ? api.components.responses.Error : described;
  const value = await answer.json();
  check(response.content['application/json'].schema, value, question);
  return value;
}

test('every answer is as openapi.json describes it', async () => {
  for (const [question, status] of QUESTIONS) await checkAnswer(arena.url, question, status);
  const replayed = await get('api/v1/record', {method: 'POST', body: record});
  assert.equal(replayed.status, 200);
  check(api.components.schemas.Records, await replayed.json(), 'record');
});

test('a record that ends in the middle of a turn is answered with that turn', async () => {
  const body = `${record}[Game "hop"]\n[Result "1-0"]\n[Score "1-0"]\n[Reason "malformed"]\n\n1. b 22-23\n{w t=0.4 fault=malformed}\n`;
  const answer = await (await get('api/v1/record', {method: 'POST', body})).json();
  check(api.components.schemas.Records, answer, 'record');
  assert.equal(answer.games[1].error, null);
  assert.deepEqual(answer.games.map(({closing}) => closing), [null, {side: 'white', time_ns: 400000000, fault: 'malformed'}]);
});

// Events until `enough` of them have come, or the stream ends.
async function readEvents(url, enough, headers = {}) {
  const stop = new AbortController();
  const answer = await fetch(url, {headers, signal: AbortSignal.any([stop.signal, AbortSignal.timeout(30000)])});
  const events = [];
  let text = '';
  try {
    for await (const chunk of answer.body) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop();
      events.push(...parts.filter((part) => part.startsWith('id:')).map((part) => JSON.parse(part.split('\ndata: ')[1])));
      if (enough(events)) break;
    }
  } finally {
    stop.abort();
  }
  return events;
}

test('a running tournament can be followed, and followed again without loss', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  const run = await beginTournament(folder, slowPlayer(folder, .06));
  const live = await openArena('--db', join(folder, 'class.db'));
  const url = `${live.url}api/v1/tournaments/1`;
  const tournament = await (await fetch(url)).json();
  check(api.components.schemas.Tournament, tournament, 'tournament');
  const events = `${url}/events?after=${tournament.event}`;
  const hasBoth = (list) => list.some(({kind}) => kind === 'over') && list.filter(({kind}) => kind === 'ply').length > 5;
  const first = await readEvents(events, hasBoth);
  first.forEach((event) => check(api.components.schemas.Event, event, 'event'));
  assert.ok(hasBoth(first), 'moves and results are sent while the games are running');
  const middle = first[Math.floor(first.length / 2)].id;
  const again = await readEvents(events, (list) => list.some(({id}) => id >= first.at(-1).id), {'last-event-id': String(middle)});
  assert.deepEqual(again.map(({id}) => id).filter((id) => id <= first.at(-1).id), first.map(({id}) => id).filter((id) => id > middle));
  const over = first.find(({kind}) => kind === 'over');
  const text = await (await fetch(`${url}/record?game=${over.game}`)).text();
  assert.match(text, /^\[Game "othello"\]/);
  assert.equal((await fetch(`${url}/record?game=99`)).status, 422);
  assert.equal((await fetch(`${url}/record?game=x`)).status, 400);
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
  const [beyond] = await readEvents(`${url}/events?after=999999999`, (list) => list.length);
  assert.deepEqual(beyond, {}, 'a client with the number of an event that does not exist is told to start again');
  const readers = [];
  await Promise.all(Array.from({length: 200}, () => new Promise((begin) => {
    readers.push(readEvents(`${url}/events?after=0`, () => begin()).catch(() => null));
  })));
  assert.equal((await fetch(url)).status, 200);
  assert.equal(await closeArena(live), 0, 'it ends while many are watching');
  await Promise.all(readers);
  await closeArena({child: run});
  rmSync(folder, {recursive: true});
});

// Moves of a game, each with 700 bytes more than usual.
const ADD_LONG_MOVES = `import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.executemany("INSERT INTO event (at_ms, kind, game, text) VALUES (0, 'ply', 0, ?)", [(str(i) + "x" * 700,) for i in range(int(sys.argv[2]))])`;

test('a spectator who stops to read and reads again gets every event, whole and in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  await finishTournament(folder, 'Pause');
  const db = join(folder, 'class.db');
  const live = await openArena('--db', db);
  const {event} = await (await fetch(`${live.url}api/v1/tournaments/1`)).json();
  const [moves, rounds] = [60, 20];
  let text = '';
  const socket = net.connect(live.port, '127.0.0.1', () => socket.write(`GET /api/v1/tournaments/1/events?after=${event} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  socket.on('data', (chunk) => { text += chunk; });
  const has = async (id) => { while (!text.includes(`\nid: ${id}\n`) || !text.endsWith('\n\n')) await delay(20); };
  while (!text.includes('event: beat')) await delay(20);
  socket.pause();
  for (let round = 0; round < rounds; round++) execFileSync('python3', ['-c', ADD_LONG_MOVES, db, String(moves)]);
  socket.resume();
  await has(event + moves * rounds);
  const frames = text.split('\r\n\r\n')[1].split('\n\n').filter(Boolean).map((frame) => ({frame, data: JSON.parse(frame.match(/^data: (.*)$/m)[1])}));
  const ids = frames.filter(({frame}) => frame.startsWith('id:')).map(({data}) => data.id);
  assert.deepEqual(ids, Array.from({length: moves * rounds}, (none, at) => event + 1 + at));
  socket.destroy();
  assert.equal(await closeArena(live), 0);
  rmSync(folder, {recursive: true});
});

// The niceness of each thread of a process; the first is the main thread.
function niceness(pid) {
  return readdirSync(`/proc/${pid}/task`).sort((a, b) => a - b).flatMap((thread) => {
    try {
      const [, rest] = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ');
      return Number(rest.split(' ')[16]);
    } catch {
      return []; // the thread has just ended
    }
  });
}

const own = getPriority();
test('the threads that serve spectators have a lower priority than the judge, its writer and its players', {skip: own === 19 && 'there is no lower priority than that of this test'}, async () => {
  const lowered = (all) => all.filter((nice) => nice === Math.min(own + 10, 19)).length;
  assert.equal(lowered(niceness(arena.child.pid)), 0, 'without a tournament all threads have the same priority');
  const folder = mkdtempSync(join(tmpdir(), 'plum-nice-'));
  const served = await runServed(folder, 'builtin:movetime=200');
  await readEvents(`${served.url}api/v1/tournaments/1/events`, (events) => events.filter(({kind}) => kind === 'ply').length > 1);
  const all = niceness(served.child.pid);
  assert.equal(lowered(all), 4, 'the threads for requests, events, searches and time limits');
  assert.equal(all[0], own, 'the judge');
  assert.ok(all.length > 6 && all.filter((nice) => nice === own).length === all.length - 4, 'the writer and the players');
  const separate = await openArena('--db', join(folder, 'class.db'));
  while (lowered(niceness(separate.child.pid)) > 4) await delay(10); // the thread that starts them ends a moment later
  assert.equal(lowered(niceness(separate.child.pid)), 4, 'also in another process than the tournament');
  assert.equal(await closeArena(separate), 0);
  await closeArena(served);
  rmSync(folder, {recursive: true});
});

test('an anonymous tournament is followed without names, ids and reasons', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  const names = ['Zacharias', 'Quentin', 'Wilhelmina', 'Ottokar'];
  const teams = names.map((name, at) => `[team 08567${at}]\nname = ${name}\nplayer = random:seed=${at}\n`);
  writeFileSync(join(folder, 'class.ini'), `[tournament]\ngame = reversi\n${teams.join('')}`);
  const run = (...words) => execFileSync(plum, ['tournament', ...words], {cwd: folder, stdio: 'pipe'});
  run('run', 'class.ini');
  run('disqualify', 'class.db', '085671', '--reason', 'copied from Zacharias');
  const live = await openArena('--db', join(folder, 'class.db'), '--anonymous');
  const tournament = await checkAnswer(live.url, 'tournaments/1', 200);
  const events = await readEvents(`${live.url}api/v1/tournaments/1/events`, (list) => list.some(({kind}) => kind === 'disqualify'));
  const record = await (await fetch(`${live.url}api/v1/tournaments/1/record?game=1`)).text();
  for (const shown of [tournament, events, record].map((part) => JSON.stringify(part))) assert.doesNotMatch(shown, /zacharias|quentin|wilhelmina|ottokar|08567|copied|class\.ini/i);
  const ids = tournament.teams.map(({id}) => id);
  assert.deepEqual(ids, ['Team A', 'Team B', 'Team C', 'Team D'], 'the order of the roster is not shown');
  const {black, white} = tournament.games[0];
  assert.ok(record.includes(black) && record.includes(white));
  assert.equal(await closeArena(live), 0);
  rmSync(folder, {recursive: true});
});

test('several tournaments can be followed', async () => {
  const folders = [mkdtempSync(join(tmpdir(), 'plum-live-')), mkdtempSync(join(tmpdir(), 'plum-live-'))];
  for (const folder of folders) await finishTournament(folder, `in ${folder}`);
  const live = await openArena(...folders.flatMap((folder) => ['--db', join(folder, 'class.db')]));
  const fetchJson = async (path) => (await fetch(`${live.url}api/v1/${path}`)).json();
  const list = await fetchJson('tournaments');
  check(api.components.schemas.Tournaments, list, 'tournaments');
  assert.deepEqual(list.tournaments.map(({id, name}) => [id, name]), folders.map((folder, at) => [at + 1, `in ${folder}`]));
  for (const {id, name} of list.tournaments) {
    const tournament = await checkAnswer(live.url, `tournaments/${id}`, 200);
    assert.equal(tournament.name, name);
    const [first] = await readEvents(`${live.url}api/v1/tournaments/${id}/events`, (events) => events.length);
    check(api.components.schemas.Event, first, 'event');
  }
  for (const [part, status, error] of [
    ['record', 400, "the field 'game' is missing"], ['record?game=1.5', 400], ['record?game=3', 422, 'there is no game 3; the last one is 2'], ['events?after=abc', 400],
    ['record?game=0', 400], ['record?game=1&foo=1', 400, "'record' has no field 'foo'; /api/v1/openapi.json lists them"], ['events?foo=1', 400, "'events' has no field 'foo'; /api/v1/openapi.json lists them"],
  ]) {
    const refusal = await checkAnswer(live.url, `tournaments/1/${part}`, status);
    if (error) assert.equal(refusal.error, error);
  }
  for (const path of ['tournaments', 'tournaments/1']) assert.match((await checkAnswer(live.url, `${path}?foo=1`, 400)).error, /has no field 'foo'/);
  assert.equal((await fetchJson('tournament')).name, list.tournaments[0].name);
  for (const id of ['0', '3', 'x', '', '-1', '99999999999999999999', '1x']) assert.equal((await fetch(`${live.url}api/v1/tournaments/${id}`)).status, 404, id);
  assert.equal(await closeArena(live), 0);
  folders.forEach((folder) => rmSync(folder, {recursive: true}));
});

test('without a tournament the list is empty', async () => {
  assert.deepEqual(await ask('tournaments'), {tournaments: []});
  assert.equal((await get('api/v1/tournaments/1')).status, 404);
});

test('every path in openapi.json exists', async () => {
  for (const path of Object.keys(api.paths)) {
    if (!/tournament|agents|sessions/.test(path)) assert.notEqual(await statusOf(path), 404, path);
  }
});

test('without agents there are no games of theirs', async () => {
  for (const path of ['agents', 'sessions/1', 'sessions/1/log']) assert.match((await ask(path)).error, /--agent NAME=PLAYER/);
});

test('answers are exact', async () => {
  assert.deepEqual((await ask('position?game=othello')).moves, ['23', '32', '45', '54']);
  assert.equal((await ask('position?game=hop&moves=20-21+17-16+21-41-43')).position, 'X......./.X....O./..X...O./.X...O.O/X.XX..O./.X...O.O/X.....O./.......O w 2 1');
  assert.match((await ask('position?game=hop&moves=11-13')).error, /square 12 is empty/);
  const chain = await ask(`next?game=hop&position=${encodeURIComponent('......../......../..XO..../....O.../...O...O/......../.X....../........ b 10 10')}&path=22-24`);
  assert.equal(chain.is_move, true);
  assert.deepEqual(chain.next.map(({square}) => square), ['44']);
  const auction = await ask('auction?game=meichu&bids=0+5,+0+40');
  assert.deepEqual([auction.colour, auction.budget], [[1, 0], [144, 150]]);
});

test('a kit is a zip, and a wrong question about it is refused', async () => {
  const kit = await get('api/v1/kit?game=hop&language=cpp&team=7');
  assert.deepEqual([kit.status, kit.headers.get('content-type')], [200, 'application/zip']);
  assert.match(Buffer.from(await kit.arrayBuffer()).toString('latin1'), /^PK.*hop-cpp\/practice\.py/s);
  for (const [query, why] of [['', /no game/], ['game=hop', /must be c, cpp or python/], ['game=hop&language=c&team=-1', /the team must be/], ['game=hop&language=c&team=1&x=1', /no field 'x'/]]) {
    assert.match((await ask(`kit?${query}`)).error, why, query);
  }
});

test('a name in a record cannot become markup', async () => {
  const text = await (await get('api/v1/record', {method: 'POST', body: record})).text();
  assert.doesNotMatch(text, /<script>/);
  assert.equal(JSON.parse(text).games[0].tags.Black, '<script>alert(1)</script>');
});

test('it ends cleanly, also while a client waits for the engine', async () => {
  const socket = net.connect(arena.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((sent) => { socket.write('POST /api/v1/bestmove?game=hop&time_ms=5000 HTTP/1.1\r\nHost: localhost\r\n\r\n', sent); });
  await get('api/v1/games'); // answered after the request before it was read
  assert.equal(await closeArena(arena), 0);
  socket.destroy();
});
