// web_live: how soon a spectator's board shows a move, and what spectators cost the players.
//
// usage: node bench/web_live.mjs BUILD
//
// A tournament of agents that answer after exactly 50 ms shows itself with --serve, once with
// nobody but one browser watching, once with 200 connections more. Needs chromium and the packages
// of tests/web.
import http from 'node:http';
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {createRequire} from 'node:module';

const {chromium} = createRequire(new URL('../tests/web/', import.meta.url))('playwright-core');
const build = resolve(process.argv[2]);
const THINK_MS = 50;

const rank = (list, part) => [...list].sort((a, b) => a - b)[Math.min(Math.floor(list.length * part), list.length - 1)];
const words = (list) => `median ${rank(list, 0.5).toFixed(1)} ms, 99 % ${rank(list, 0.99).toFixed(1)} ms (${list.length} moves)`;

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

async function measure(browser, spectators) {
  const folder = mkdtempSync(join(tmpdir(), 'plum-bench-'));
  const agent = `ugi:${build}/bench/bench_instant ugi othello ${THINK_MS}`;
  writeFileSync(join(folder, 'class.ini'), `[tournament]\nname = Bench\ngame = othello\nformat = double-round-robin\nsandbox = off\n[team 1]\nplayer = ${agent}\n[team 2]\nplayer = ${agent}\n`);
  const child = spawn(join(build, 'plum'), ['tournament', 'run', 'class.ini', '--serve=0', '--concurrency', '1'], {cwd: folder, stdio: ['ignore', 'ignore', 'pipe']});
  const ended = new Promise((done) => { child.on('exit', done); });
  const url = await addressOf(child);
  child.stderr.resume();
  const page = await (await browser.newContext({reducedMotion: 'reduce'})).newPage();
  await page.addInitScript(observe);
  await page.goto(`${url}#/watch`);
  for (let i = 0; i < spectators; i++) {
    http.get(`${url}api/v1/tournaments/1/events`, {agent: false}, (answer) => answer.on('error', () => {}).resume()).on('error', () => {});
  }
  await page.waitForFunction(() => document.querySelector('progress')?.value === 2, null, {timeout: 120000});
  const delays = await page.evaluate(() => globalThis.delays);
  const records = await Promise.all([0, 1].map(async (game) => (await fetch(`${url}api/v1/tournaments/1/record?game=${game}`)).text()));
  const times = records.flatMap((text) => [...text.matchAll(/\bt=([\d.]+)/g)].map(([, seconds]) => seconds * 1000 - THINK_MS));
  await page.close();
  await ended;
  rmSync(folder, {recursive: true});
  console.log(`${spectators} spectators and a browser`);
  console.log(`  from the event to the board in the browser: ${words(delays)}`);
  console.log(`  a move of an agent that thinks ${THINK_MS} ms takes longer by: ${words(times)}`);
}

const browser = await chromium.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking']});
for (const spectators of [0, 200, 0, 200]) await measure(browser, spectators);
await browser.close();
