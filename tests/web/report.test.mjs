// report: the pages that `plum tournament report` writes, in a browser, from a folder, without a network.
import test from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {axe, browser} from './chromium.mjs';

const plum = process.env.PLUM;
const names = ['<img src=x onerror=alert(1)>', '</script><b>bold', 'Zoë & "Co"', 'x'.repeat(100), 'Five'];

const folder = mkdtempSync(join(tmpdir(), 'plum-report-'));
chmodSync(folder, 0o755); // without namespaces the agents of root need to enter it
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
const partsOf = (report) => join(folder, report, readdirSync(join(folder, report)).find((name) => name.startsWith('data-')));
const parts = partsOf('report');

test.after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});

const isOwn = (url) => url.split('#')[0] === address || url.startsWith(`file://${parts}/`) || url.startsWith(`file://${join(folder, 'own')}/`);

// A page, and a list of the errors and of the requests for files of others in it.
async function open(hash = '', options = {}, file = address) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => { problems.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => isOwn(request.url()) || problems.push(request.url()));
  await page.goto(file + hash);
  return {page, problems, close: () => context.close()};
}

// Text that appears when a part was loaded.
const rowsOf = async (page, id) => {
  await page.waitForSelector(`${id} tbody tr`);
  return page.$$eval(`${id} tbody tr`, (rows) => rows.length);
};
const nameOf = (id) => data.standings.find((row) => row.team === id).name;
const isAt = (page, hash) => page.waitForFunction((wanted) => location.hash === wanted, hash);

test('names stay text, and only files of the report are loaded', async () => {
  const {page, problems, close} = await open();
  await rowsOf(page, '#t-cross');
  assert.equal(await page.textContent('h1'), 'A <i>class</i>');
  const shown = await page.$$eval('#t-standings tbody th', (cells) => cells.map((cell) => cell.title));
  assert.deepEqual(shown, data.standings.map((row) => row.name));
  assert.equal(await page.$$eval('img, b', (found) => found.length), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('references are lines without a place, and other rules are named', async () => {
  writeFileSync(join(folder, 'own.ini'), roster.replace('seed = 2\n', 'points = 3 1 0\nbye_points = 1\ntiebreaks = direct, buchholz\nreference = random:seed=8\n'));
  run('run', 'own.ini');
  run('report', 'own.db', '-o', 'own');
  const {page, problems, close} = await open('', {}, 'file://' + join(folder, 'own/index.html'));
  const rows = await page.$$eval('#t-standings tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(rows.length, names.length + 1);
  assert.equal(rows.at(-1).length, rows[0].length);
  assert.deepEqual(rows.at(-1).slice(0, 3), ['–', 'random:seed=8reference', '–']);
  assert.match(await page.textContent('#standings .hint'), /^A win gives 3 points, a draw 1, a loss 0, each game of a bye 1\. Teams with equal points are ordered by Direct, Buchholz, Lot, in this order\. .*A bye counts as games against /);
  assert.equal(await page.getAttribute('#t-standings th:nth-child(3)', 'title'), '3 for a win, 1 for a draw');
  assert.equal(await rowsOf(page, '#t-cross'), names.length + 1);
  assert.equal(await page.$$eval('#t-cross thead th', (cells) => cells.at(-1).textContent), 'R1');
  assert.equal(await rowsOf(page, '#t-rounds'), names.length);
  assert.match(await page.textContent('#facts'), /Teams5References1/);
  await page.click('#t-standings tbody tr:last-child a');
  assert.equal(await rowsOf(page, '#t-opponents'), names.length);
  assert.match(await page.textContent('#team .facts'), /reference, not ranked/);
  assert.deepEqual(problems, []);
  await close();
});

test('teams that are disqualified or not qualified are marked, with the reason, on every screen; a late team has its round', async () => {
  writeFileSync(join(folder, 'failed.ini'), roster.replace('name = Five\nplayer = random:seed=4', 'name = Five\nplayer = ugi:false') +
    '[team 6]\nname = Five\nplayer = random:seed=6\nentered_after = 1\n');
  run('run', 'failed.ini');
  run('disqualify', 'failed.db', '4', '--reason', 'copied the program of another team');
  run('report', 'failed.db', '-o', 'failed');
  const games = join(partsOf('failed'), 'games-1.js');
  writeFileSync(games, readFileSync(games, 'utf8').replaceAll('"judge_moves":[null,null]', '"judge_moves":[{"played":30,"of":30},{"skipped":29,"of":30}]'));
  const page = await browser.newPage();
  await page.goto('file://' + join(folder, 'failed/index.html'));
  assert.deepEqual(await page.$$eval('#t-standings .tag', (tags) => tags.map((tag) => tag.textContent)), ['never moved', 'disqualified: copied the program of another team']);
  await rowsOf(page, '#t-cross');
  for (const table of ['#t-standings', '#t-cross']) {
    assert.deepEqual((await page.$$eval(`${table} tbody th a`, (links) => links.map((link) => link.textContent))).filter((name) => name.startsWith('Five')).sort(), ['Five (5)', 'Five (6)']);
  }
  assert.deepEqual(await page.$$eval('#t-cross thead th', (heads) => heads.map((head) => head.textContent)), ['Team', '1', '2', '3', '4', '5', '–']);
  for (const width of [390, 1280]) {
    await page.setViewportSize({width, height: 900});
    const inside = await page.$$eval('#t-standings .tag', (tags) => tags.map((tag) => {
      const [own, cell] = [tag, tag.closest('th')].map((element) => element.getBoundingClientRect());
      return own.width > 0 && own.left >= cell.left && own.right <= cell.right && own.bottom <= cell.bottom && tag.scrollWidth <= tag.clientWidth;
    }));
    assert.deepEqual(inside, [true, true], `${width} px`);
    const [lines] = await page.$$eval('#t-standings .tag', (tags) => tags.map((tag) => Math.round(tag.clientHeight / parseFloat(getComputedStyle(tag).lineHeight))));
    assert.ok(lines <= 2, `'never moved' has ${lines} lines at ${width} px`);
    await page.locator('#t-games tr', {hasText: "; the judge played 30 of Black's 30 moves; the judge skipped 29 of White's 30 turns"}).first().waitFor();
    for (const part of ['standings', 'p-games']) await page.locator(`#${part} .scroll${width < 1000 ? '.has-more' : ':not(.has-more)'}`).waitFor();
  }
  await page.click('#t-standings tbody tr:last-child a');
  await page.locator('#team p', {hasText: /^The team is disqualified: copied the program of another team\. It has no place\.$/}).waitFor();
  await page.click('#team p a');
  await page.press('#t-standings tbody tr:nth-last-child(2) a', 'Enter'); // the page still scrolls: a click can miss
  await page.locator('#team p', {hasText: /^No games\.$/}).waitFor();
  await page.locator('#team p', {hasText: /^The program is not qualified, so it was not paired: did not start: .*exit code 1\.$/}).waitFor();
  await page.click('#team p a');
  await page.press('#t-standings a[href="#team-6"]', 'Enter');
  await page.locator('#team p', {hasText: /^The team entered after round 1\.$/}).waitFor();
  await page.close();
});

test('without JavaScript the standings are there', async () => {
  const {page, close} = await open('', {javaScriptEnabled: false});
  const text = await page.locator('#t-standings').innerText();
  for (const {name, figures} of data.standings) assert.ok(text.includes(name) && text.includes(String(figures.points)), name);
  assert.equal(await page.locator('section:visible').count(), 1);
  assert.equal(await page.locator('nav:visible').count(), 0);
  await close();
});

test('every game can be replayed to its last move with the keyboard', async () => {
  const {page, problems, close} = await open('#game-1');
  await page.waitForSelector('#replay[open]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await isAt(page, '#game-1-1');
  for (const game of data.games) {
    await page.keyboard.press('End');
    await isAt(page, `#game-${game.number}-${game.plies}`);
    const discs = await page.$$eval('#r-board use[href]', (pieces) => pieces.map((piece) => piece.getAttribute('href')));
    const black = discs.filter((href) => href === '#piece-88').length;
    assert.equal(2 * black - discs.length, game.score[0], `the discs of game ${game.number}`);
    await page.keyboard.press('n');
    if (game.number < data.games.length) await isAt(page, `#game-${game.number + 1}-0`);
  }
  await page.keyboard.press('Escape');
  await isAt(page, '#games');
  assert.equal(await page.evaluate(() => document.getElementById('replay').open), false);
  assert.deepEqual(problems, []);
  await close();
});

test('the page of a team has its games, opponents and refused attempts, as text', async () => {
  const {page, problems, close} = await open();
  assert.equal(await rowsOf(page, '#t-attempts'), 1);
  assert.ok(await page.isVisible('nav a[href="#attempts"]'));
  await page.click('#t-attempts a');
  await isAt(page, '#team-2');
  const own = data.games.filter((game) => game.black === '2' || game.white === '2');
  assert.equal(await rowsOf(page, '#t-team-games'), own.length);
  assert.equal(await page.textContent('#team h2'), names[1]);
  assert.equal(await rowsOf(page, '#t-opponents'), new Set(own.map((game) => (game.black === '2' ? game.white : game.black))).size);
  const cells = await page.$$eval('#t-team-attempts tbody td', (found) => found.map((cell) => cell.textContent));
  assert.deepEqual(cells, ['read', attempt, '3', '1970-01-02 00:00:00']);
  assert.equal(await page.$$eval('img, b', (found) => found.length), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('links to teams and games can be shared, and back and forward follow them', async () => {
  const first = data.standings[0].team;
  const {page, problems, close} = await open(`#team-${first}`);
  await rowsOf(page, '#t-team-games');
  assert.equal(await page.textContent('#team h2'), nameOf(first));
  assert.match(await page.title(), /A <i>class<\/i>$/);
  const game = await page.textContent('#t-team-games tbody a');
  await page.click('#t-team-games tbody a');
  await page.waitForSelector('#replay[open]');
  await isAt(page, `#game-${game}-0`);
  await page.keyboard.press('Escape');
  await isAt(page, `#team-${first}`);
  const opponent = await page.getAttribute('#t-opponents tbody td a', 'href');
  await page.click('#t-opponents tbody td a');
  await isAt(page, opponent);
  await page.waitForFunction(() => document.getElementById('f-other').value);
  assert.equal(await rowsOf(page, '#t-team-games'), 2);
  await page.click('#team p a');
  await isAt(page, '#standings');
  await page.waitForSelector('#t-standings', {state: 'visible'});
  await page.goBack();
  await isAt(page, opponent);
  await page.waitForSelector('#team:not([hidden])');
  assert.equal(await rowsOf(page, '#t-team-games'), 2);
  await page.goForward();
  await page.waitForSelector('#overview:not([hidden])');
  assert.deepEqual(problems, []);
  await close();
});

test('a cell of the cross-table leads to its games', async () => {
  const {page, close} = await open();
  await page.click('#t-cross tbody td.win a, #t-cross tbody td.draw a');
  assert.equal(await rowsOf(page, '#t-team-games'), 2);
  await close();
});

test('a round has its games', async () => {
  const {page, close} = await open();
  await rowsOf(page, '#t-games');
  await page.selectOption('#f-round', '2');
  await page.waitForFunction(() => document.querySelectorAll('#t-games tbody tr').length === 4);
  const rounds = await page.$$eval('#t-games tbody tr', (rows) => rows.map((row) => row.cells[6].textContent));
  assert.deepEqual(rounds, ['2', '2', '2', '2']);
  await close();
});

test('a missing file and a wrong address are reported', async () => {
  const {page, close} = await open('#game-99');
  await page.waitForFunction(() => document.getElementById('alert').textContent === 'Game 99 is not in this report.');
  await page.goto(`${address}#team-none`);
  await page.waitForFunction(() => document.getElementById('team').textContent.includes('There is no team none in this report.'));
  renameSync(join(parts, 'team-3.js'), join(parts, 'away'));
  await page.goto(`${address}#team-${data.standings[2].team}`);
  await page.waitForFunction(() => document.getElementById('alert').textContent.includes('team-3.js cannot be loaded'));
  const half = readFileSync(join(parts, 'away'), 'utf8').slice(0, 200);
  writeFileSync(join(parts, 'team-3.js'), half);
  await page.goto(`${address}#standings`);
  await page.waitForSelector('#overview:not([hidden])');
  await page.goto(`${address}#team-${data.standings[2].team}`);
  await page.waitForFunction(() => document.getElementById('alert').textContent.includes('team-3.js is damaged'));
  renameSync(join(parts, 'away'), join(parts, 'team-3.js'));
  await page.goto(`${address}#standings`);
  await page.waitForSelector('#overview:not([hidden])');
  await page.goto(`${address}#team-${data.standings[2].team}`);
  await rowsOf(page, '#t-team-games');
  assert.ok(await page.isHidden('#alert'));
  await close();
});

test('nothing is wider than a phone', async () => {
  const {page, close} = await open('', {viewport: {width: 360, height: 740}});
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await rowsOf(page, '#t-games');
  await rowsOf(page, '#t-cross');
  assert.equal(await width(), 360);
  assert.doesNotMatch(await page.locator('#p-games').textContent(), /no-moves|no-start/);
  await page.locator('#t-games').getByText('no move is left').first().waitFor();
  await page.locator('#p-games .scroll.has-more').evaluate((box) => { box.scrollLeft = box.scrollWidth; });
  await page.locator('#p-games .scroll:not(.has-more)').waitFor();
  await page.goto(`${address}#team-2`);
  await rowsOf(page, '#t-team-games');
  assert.equal(await width(), 360);
  await page.goto(`${address}#game-2`);
  await page.waitForSelector('#replay[open]');
  assert.ok(await page.evaluate(() => document.getElementById('replay').getBoundingClientRect().width <= 360));
  await close();
});

// Light and dark have the same elements: in the dark only the colours are checked.
const RULES = {light: {}, dark: {runOnly: ['color-contrast', 'link-in-text-block']}};

test('it is accessible in light and dark, with a team and with a replay', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [hash, ready] of [['', '#t-cross tr'], ['#team-2', '#t-team-games tr'], ['#game-1-3', '#replay[open]']]) {
      const {page, close} = await open(hash, {colorScheme, bypassCSP: true});
      await page.waitForSelector(ready);
      await page.addScriptTag({content: axe});
      const {violations} = await page.evaluate((options) => globalThis.axe.run(options), {resultTypes: ['violations'], ...RULES[colorScheme]});
      assert.deepEqual(violations.map((found) => `${found.id}: ${found.nodes[0].html}`), []);
      await close();
    }
  }
});

// Of every table of the page as many rows are drawn as of one with all its rows full, so a few games are enough.
test('the page of 200 teams is below 2 MB and 20,000 nodes; a program that never started has one entry', async () => {
  const many = Array.from({length: 200}, (_, i) => i + 1);
  writeFileSync(join(folder, 'dead'), '#!/bin/sh\nexit 3\n');
  chmodSync(join(folder, 'dead'), 0o755); // whatever the umask is
  writeFileSync(join(folder, 'large.ini'), '[tournament]\nname = Large\ngame = reversi\nformat = swiss\nqualification = no\nrounds = 2\nreference = random:seed=0\n' +
    many.map((i) => `[team ${i}]\nname = ${`${i} `.padEnd(60, 'x')}\nplayer = ${i === 200 ? 'ugi:./dead' : `random:seed=${i}`}\n`).join(''));
  run('run', 'large.ini');
  execFileSync('python3', ['-c', `import sqlite3
base = sqlite3.connect("large.db")
for team in range(200):
    base.execute(${JSON.stringify(insert.replace('(0, 1, 0', '(0, ?, 0'))}, (team, "read", "read /etc/shadow"))
base.commit()`], {cwd: folder});
  run('report', 'large.db', '-o', 'large');
  assert.ok(statSync(join(folder, 'large/index.html')).size < 2e6);
  const page = await browser.newPage();
  await page.goto('file://' + join(folder, 'large/index.html'));
  for (const id of ['#t-cross', '#t-rounds', '#t-games', '#t-attempts']) await rowsOf(page, id);
  const nodes = await page.evaluate(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    let count = 0;
    while (walker.nextNode()) count++;
    return count;
  });
  assert.ok(nodes > 5000 && nodes < 20000, `${nodes} nodes`);
  await page.selectOption('#p-cross select >> nth=0', '7');
  await page.selectOption('#p-cross select >> nth=1', '7');
  const heads = () => [...document.querySelectorAll('#t-cross thead th')].map((head) => head.textContent);
  await page.waitForFunction((wanted) => document.querySelector('#t-cross thead th:last-child').textContent === wanted, '200');
  assert.deepEqual(await page.evaluate(heads), ['Team', ...many.slice(175).map(String)]);
  // The reference is in the ninth part of the cross-table; the rounds have eight.
  const ranges = (place) => page.locator(`${place} select >> nth=0`).locator('option').count();
  assert.deepEqual([await ranges('#p-cross'), await ranges('#p-rounds')], [9, 8]);
  // Two clicks at once show no game twice; on paper a table has all rows.
  await page.evaluate(() => {
    const button = document.querySelector('#p-games .more button');
    button.click();
    button.click();
  });
  await page.waitForFunction(() => document.querySelectorAll('#t-games tbody tr').length >= 200 && !document.querySelector('#p-games .more button').disabled);
  const numbers = await page.$$eval('#t-games tbody tr', (rows) => rows.map((row) => row.cells[0].textContent));
  assert.equal(new Set(numbers).size, numbers.length);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  for (const [id, count] of [['#t-times', 201], ['#t-attempts', 200]]) assert.equal(await page.locator(`${id} tbody tr`).count(), count);
  await page.goto('file://' + join(folder, 'large/index.html#team-200'));
  await page.waitForSelector('#team .list li');
  const faults = await page.$$eval('#team .list li', (items) => items.map((item) => item.textContent));
  assert.equal(faults.length, 1);
  assert.match(faults[0], /^before the first move of 6 games: crashed \(.*\): game \d+(, game \d+){5}$/);
  await page.close();
});
