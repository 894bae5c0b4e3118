// web_live: how soon a spectator's board shows a move, and what spectators cost the players.
//
// usage: node bench/web_live.mjs BUILD [ROUNDS]
//
// A tournament shows itself with --serve: once with nobody but one browser watching, once with 200
// connections more, in turn, ROUNDS times (3). Two players answer after exactly 50 ms of sleep: what their
// moves take longer is the judge's. The third is our engine with a fixed number of nodes: what its moves
// take longer is the processor's time that somebody else had. They play the same six games every time.
// Besides, what the serving threads took of the processor: the only number here that a busy machine
// does not blur.
//
// All who watch have the second core, because spectators sit at machines of their own. Needs taskset, chromium and the packages of tests/web.
import http from 'node:http';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {browser} from '../tests/web/chromium.mjs';

const build = resolve(process.argv[2]);
const rounds = Number(process.argv[3] ?? 3);
const SLEEP_MS = 50;
const NODES = 100000;
const GAMES = 6;
const PLAYERS_CORES = '0,1';
const SPECTATORS_CORE = '1';

const ROSTER = `[tournament]
name = Bench
game = othello
format = double-round-robin
sandbox = off
[team 1]
name = sleeper
player = ugi:${build}/bench/bench_instant ugi othello ${SLEEP_MS}
[team 2]
name = another
player = ugi:${build}/bench/bench_instant ugi othello ${SLEEP_MS}
[team 3]
name = worker
player = builtin:nodes=${NODES}
`;

// In the page: for every move that is told, the time until the board changes.
function observe() {
  globalThis.delays = [];
  let told = 0;
  const Source = EventSource;
  globalThis.EventSource = class extends Source {
    constructor(address) {
      super(address);
      this.addEventListener('message', ({data}) => {
        const {kind, at_ms: at} = JSON.parse(data);
        if (kind === 'ply') told = at;
      });
    }
  };
  new MutationObserver((changes) => {
    if (!told || !changes.some(({target}) => target.closest?.('.live .board'))) return;
    globalThis.delays.push(Date.now() - told);
    told = 0;
  }).observe(document, {subtree: true, childList: true, attributes: true});
}

async function addressOf(child) {
  let text = '';
  for await (const chunk of child.stderr.iterator({destroyOnReturn: false})) {
    text += chunk;
    const found = text.match(/http:\/\/[^ ]+?:\d+\//);
    if (found) return found[0];
  }
  throw new Error(text);
}

// Milliseconds of every move of this player in a record.
function timesOf(player, record) {
  const side = {Black: 'b', White: 'w'}[record.match(`\\[(Black|White) "${player}"\\]`)?.[1]];
  return [...record.matchAll(/^\d+\. ([bw]) \S+ \{t=([\d.]+)/gm)].filter(([, who]) => who === side).map(([, , seconds]) => seconds * 1000);
}

// Of the threads of a process that stand back behind the others.
function servingTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => ['stat', 'schedstat'].map((name) => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8')));
  const nice = (stat) => Number(stat.split(') ')[1].split(' ')[16]);
  return threads.filter(([stat]) => nice(stat) > 0).reduce((sum, [, schedstat]) => sum + Number(schedstat.split(' ')[0]) / 1e6, 0);
}

async function measure(browser, spectators) {
  const folder = mkdtempSync(join(tmpdir(), 'plum-bench-'));
  writeFileSync(join(folder, 'class.ini'), ROSTER);
  const child = spawn('taskset', ['-c', PLAYERS_CORES, join(build, 'plum'), 'tournament', 'run', 'class.ini', '--serve=0', '--concurrency', '1'], {cwd: folder, stdio: ['ignore', 'ignore', 'pipe']});
  const ended = new Promise((done) => { child.on('exit', done); });
  const url = await addressOf(child);
  child.stderr.resume();
  const page = await (await browser.newContext({reducedMotion: 'reduce'})).newPage();
  await page.addInitScript(observe);
  await page.goto(`${url}#/watch`);
  for (let i = 0; i < spectators; i++) {
    http.get(`${url}api/v1/tournaments/1/events`, {agent: false}, (answer) => answer.on('error', () => {}).resume()).on('error', () => {});
  }
  await page.waitForFunction((games) => document.querySelector('progress')?.value === games, GAMES, {timeout: 120000});
  const shown = await page.evaluate(() => globalThis.delays);
  const serving = [servingTime(child.pid)];
  const records = await Promise.all(Array.from({length: GAMES}, async (_, game) => (await fetch(`${url}api/v1/tournaments/1/record?game=${game + 1}`)).text()));
  await page.context().close();
  await ended;
  rmSync(folder, {recursive: true});
  return {
    shown,
    serving,
    slept: records.flatMap((record) => timesOf('sleeper', record)).map((ms) => ms - SLEEP_MS),
    worked: records.flatMap((record) => timesOf('worker', record)),
  };
}

const rank = (list, part) => [...list].sort((a, b) => a - b)[Math.min(Math.floor(list.length * part), list.length - 1)];
const total = (list) => list.reduce((sum, ms) => sum + ms, 0) / 1000;
const words = (list) => (list.length ? `median ${rank(list, 0.5).toFixed(1)} ms, 99 % ${rank(list, 0.99).toFixed(1)} ms, together ${total(list).toFixed(2)} s (${list.length} moves)` : 'none was seen');

function say(title, {shown, serving, slept, worked}) {
  console.log(title);
  console.log(`  from the event to the board in the browser: ${words(shown)}`);
  console.log(`  a move of a player that sleeps ${SLEEP_MS} ms takes longer by: ${words(slept)}`);
  console.log(`  a move of a player that looks at ${NODES} nodes takes: ${words(worked)}`);
  console.log(`  the serving threads worked for: ${serving.map((ms) => ms.toFixed(0)).join(', ')} ms`);
}

spawnSync('taskset', ['-a', '-p', '-c', SPECTATORS_CORE, String(process.pid)]);
const all = new Map([0, 200].map((spectators) => [spectators, {shown: [], serving: [], slept: [], worked: []}]));
for (let round = 1; round <= rounds; round++) {
  for (const [spectators, sum] of all) {
    const part = await measure(browser, spectators);
    say(`round ${round}, a browser and ${spectators} spectators`, part);
    for (const kind of Object.keys(sum)) sum[kind].push(...part[kind]);
  }
}
for (const [spectators, sum] of all) say(`all rounds, a browser and ${spectators} spectators`, sum);
await browser.close();
