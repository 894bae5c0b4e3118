// report: the page that `plum tournament report` writes, in a browser, from a file, without a network.
import test from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {axe, browser} from './chromium.mjs';

const plum = process.env.PLUM;
const names = ['<img src=x onerror=alert(1)>', '</script><b>bold', 'Zoë & "Co"', 'x'.repeat(100), 'Five'];

const folder = mkdtempSync(join(tmpdir(), 'plum-report-'));
const roster = '[tournament]\nname = A <i>class</i>\ngame = reversi\nformat = swiss\nrounds = 3\nseed = 2\n' +
  names.map((name, i) => `[team ${i + 1}]\nname = ${name}\nplayer = random:seed=${i}\n`).join('');
writeFileSync(join(folder, 'r.ini'), roster);
const run = (...words) => execFileSync(plum, ['tournament', ...words], {cwd: folder, stdio: 'pipe'});
run('run', 'r.ini');
const attempt = 'read </script><b>';
const insert = 'INSERT INTO violation (pairing, team, from_game, kind, what, count, first_ms) VALUES (0, 1, 0, ?, ?, 3, 86400000)';
execFileSync('python3', ['-c', `import sqlite3
base = sqlite3.connect("r.db")
base.execute(${JSON.stringify(insert)}, ("read", ${JSON.stringify(attempt)}))
base.commit()`], {cwd: folder});
run('report', 'r.db', '-o', 'report');
const data = JSON.parse(readFileSync(join(folder, 'report/report.json'), 'utf8'));
const address = 'file://' + join(folder, 'report/index.html');

test.after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});

// A page, and a list of the errors and requests in it.
async function open(hash = '', options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => { problems.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => request.url().split('#')[0] === address || problems.push(request.url()));
  await page.goto(address + hash);
  return {page, problems, close: () => context.close()};
}

test('names stay text, and nothing is fetched', async () => {
  const {page, problems, close} = await open();
  assert.equal(await page.textContent('h1'), 'A <i>class</i>');
  const shown = await page.$$eval('#t-standings tbody th', (cells) => cells.map((cell) => cell.title));
  assert.deepEqual(shown, data.standings.map((row) => row.name));
  assert.equal(await page.$$eval('img, b', (found) => found.length), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('every game can be replayed to its last move with the keyboard', async () => {
  const {page, problems, close} = await open('#game-1');
  const state = () => page.evaluate(() => [location.hash, document.getElementById('replay').open]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await state(), ['#game-1-1', true]);
  for (const game of data.games) {
    await page.keyboard.press('End');
    assert.deepEqual(await state(), [`#game-${game.number}-${game.plies}`, true]);
    const discs = await page.$$eval('#r-board use[href]', (pieces) => pieces.map((piece) => piece.getAttribute('href')));
    const black = discs.filter((href) => href === '#piece-88').length;
    assert.equal(2 * black - discs.length, game.score[0], `the discs of game ${game.number}`);
    await page.keyboard.press('n');
  }
  await page.keyboard.press('Escape');
  assert.equal((await state())[1], false);
  assert.deepEqual(problems, []);
  await close();
});

test('refused attempts are in a table, as text', async () => {
  const {page, problems, close} = await open();
  const cells = await page.$$eval('#t-attempts tbody th, #t-attempts tbody td', (found) => found.map((cell) => cell.textContent));
  assert.deepEqual(cells, [names[1], 'read', attempt, '3', '1970-01-02 00:00:00']);
  assert.ok(await page.isVisible('nav a[href="#attempts"]'));
  assert.deepEqual(problems, []);
  await close();
});

test('a cell of the cross-table leads to its games', async () => {
  const {page, close} = await open();
  await page.click('#t-cross tbody td.win a, #t-cross tbody td.draw a');
  assert.equal(await page.$$eval('#t-games tbody tr', (rows) => rows.length), 2);
  await close();
});

test('nothing is wider than a phone', async () => {
  const {page, close} = await open('', {viewport: {width: 360, height: 740}});
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.goto(`${address}#game-2`);
  assert.ok(await page.evaluate(() => document.getElementById('replay').getBoundingClientRect().width <= 360));
  await close();
});

// Light and dark have the same elements: in the dark only the colours are checked.
const RULES = {light: {}, dark: {runOnly: ['color-contrast', 'link-in-text-block']}};

test('it is accessible in light and dark, with and without a replay', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const hash of ['', '#game-1-3']) {
      const {page, close} = await open(hash, {colorScheme, bypassCSP: true});
      await page.addScriptTag({content: axe});
      const {violations} = await page.evaluate((options) => globalThis.axe.run(options), {resultTypes: ['violations'], ...RULES[colorScheme]});
      assert.deepEqual(violations.map((found) => `${found.id}: ${found.nodes[0].html}`), []);
      await close();
    }
  }
});
