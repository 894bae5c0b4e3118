// pages: every page of the arena in a real Chromium: what it shows, on large and small screens, and whether it is accessible.
import test from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FONTS, scaleFonts} from './chromium.mjs';
import {dayText} from '../../web/gamelist.js';
import {whereItRuns} from '../../web/server.js';
import {noteResult, results} from '../../web/tally.js';
import {arena, checkLearned, findFaults, here, open, openOwn, pick, playSquares, plies, scratch, until} from './visitor.mjs';

const MOVES = '33.23.13.22.43.53.63.24.14.42.34.52.15.12.11.25';

test('the footer says on which machine Plum runs', async () => {
  const own = 'Plum runs on your own machine: no page sends requests to any other.';
  for (const address of ['http://127.0.0.1:8080/', 'http://127.9.9.9/', 'http://localhost:1/', 'http://plum.localhost/', 'http://[::1]:8080/', 'file:///tmp/plum.html']) assert.equal(whereItRuns(new URL(address)), own, address);
  for (const host of ['10.0.0.7:8080', 'plum.example.org', '127.0.0.1.example.org', 'localhost.example.org', '[fe80::1]:80']) {
    assert.equal(whereItRuns({host, hostname: host.replace(/:\d+$/, '')}), `Plum runs on ${host} and in your browser: no page sends requests to any other machine.`);
  }
  const page = await open('');
  await page.getByText(own).waitFor();
});

test('a game opens at its first mistake; curve, bar, arrow and lines show what was better, and the mistakes can be solved', async () => {
  const page = await open(`#/learn/reversi?moves=${MOVES}`);
  await page.getByText(/blunders? found/).waitFor();
  const faults = await page.locator('.moves li').evaluateAll((items) => items.map((item) => item.matches('.blunder, .mistake')));
  const first = faults.indexOf(true) + 1;
  await page.getByText(new RegExp(`^${first}\\. (Black|White) played`)).waitFor();
  await page.locator('.verdict', {hasText: /A (mistake|blunder)\./}).waitFor();
  assert.ok(await page.locator('.work progress').isHidden(), 'the work is done');
  assert.match(await page.locator('.balance').getAttribute('aria-label'), /better by about|About even/);
  assert.ok((await page.locator('.chart .curve').getAttribute('d')).split('L').length === MOVES.split('.').length + 1);
  assert.equal(await page.locator('.stage .arrow').count(), 0, 'an arrow at the best reply would look like the answer to the question');
  await page.getByRole('button', {name: 'What should have been played?'}).click();
  await page.getByText(/should have played/).waitFor();
  await page.locator('.stage .arrow circle').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText(new RegExp(`^${first}\\. (Black|White) played`)).waitFor();
  const [best, reply] = await page.locator('.prompt .line button').allTextContents();
  await page.locator('.prompt .line button').nth(1).click();
  await page.getByText(`In this line, after ${best} ${reply}.`).waitFor();
  assert.match(await page.locator(`.stage [data-square="${reply}"]`).getAttribute('class'), /is-last/);
  await page.keyboard.press('Home');
  await page.getByText('The start').waitFor();
  await page.getByRole('button', {name: 'Play the game'}).click();
  await page.getByText('2. White played 23').waitFor();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.getByRole('button', {name: 'Play the game'}).getAttribute('aria-pressed'), 'false');
  await page.getByText('1. Black played 33').waitFor();
  await page.getByRole('slider', {name: 'Move'}).fill('16');
  await page.getByText('16. White played 25').waitFor();
  await page.getByRole('button', {name: 'Solve the mistakes'}).click();
  assert.ok((await page.getByText(/Puzzle 1 of/).textContent()).startsWith(`Puzzle 1 of ${faults.filter(Boolean).length}:`), 'mistakes are puzzles as well');
  assert.equal(await page.locator('.stage .arrow').count(), 0, 'the arrow would be the solution');
  await page.getByRole('button', {name: 'Show it'}).click();
  await page.getByText(/should have played/).waitFor();
  assert.equal(await page.locator('.stage .is-source, .stage .is-target').count(), 0, 'what is shown cannot be solved');
  await page.getByRole('button', {name: /Next puzzle|Done/}).click();
  await page.getByText(/Puzzle 2 of|Done: 0 of/).waitFor();
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Picture'}).click()]);
  assert.match(picture.suggestedFilename(), /^reversi-.*\.svg$/);
});

test('a puzzle of a set can be missed, solved and shown; the next one follows', async () => {
  const page = await open('#/learn');
  await page.getByRole('link', {name: 'Puzzles of Othello'}).click();
  await page.getByRole('heading', {name: /Othello, puzzle 1 of 1\d\d/}).waitFor();
  const [, , , , solution] = (await (await fetch(`${arena.url}puzzles/othello.txt`)).text()).split('\n').find((line) => /^\d/.test(line)).split(' ');
  await page.locator('.stage .is-target').first().waitFor();
  const wrong = (await page.locator('.stage .is-target').evaluateAll((cells) => cells.map((cell) => cell.dataset.square))).find((name) => name !== solution);
  await pick(page, wrong);
  await page.getByText(`Not ${wrong}.`).waitFor();
  await page.getByText(/^(White|Black) would reply (\d\d|pass)\. .*Another move (wins|is clearly better)\.$/).waitFor();
  await page.keyboard.press('Enter'); // Try again has the focus
  assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest('.grid'))), true, 'the keyboard is on the board again');
  await pick(page, solution);
  await page.getByText(`Right: ${solution}.`).waitFor();
  await page.getByText(/^1 of 1\d\d solved/).waitFor();
  await page.keyboard.press('Enter'); // Next puzzle has the focus
  await page.getByRole('heading', {name: /puzzle 2 of/}).waitFor();
  await page.getByRole('button', {name: 'Show it'}).click();
  await page.getByText(/^The move is \d\d\./).waitFor();
  await page.getByRole('link', {name: 'Next puzzle'}).click();
  await page.getByRole('heading', {name: /puzzle 3 of/}).waitFor();
  await page.goto(`${arena.url}#/learn/puzzle/othello/999`);
  await page.getByText('There is no puzzle 999 of Othello').waitFor();
});

test('the first page: editions, the game to continue, the puzzle of the day and the results of this browser', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.evaluate(() => localStorage.setItem('plum.results', '[[1,"hop",2,"won"],[2,"hop",2,"lost"],[3,"hop",2,"won"],[4,"othello",3,"drawn"]]'));
  await page.goto(arena.url);
  await page.getByRole('heading', {name: 'Five board games'}).waitFor(); // as README says
  await page.getByText('Hop in two editions, MeiChu, Reversi and Othello, exactly by the rules').waitFor();
  assert.equal(await page.locator('.hero-links a').first().textContent(), 'Continue Othello');
  await page.locator('.game-list', {hasText: '2 moves, today'}).waitFor();
  assert.deepEqual(await page.locator('.game-card h3').allTextContents(), ['Hop', 'MeiChu', 'Reversi and Othello']);
  await page.getByRole('radio', {name: 'Othello'}).check();
  await page.getByRole('link', {name: 'Play Othello', exact: true}).waitFor();
  await page.reload();
  await page.getByRole('link', {name: 'Play Othello', exact: true}).waitFor();
  const rows = await page.getByRole('region', {name: 'Your results by game and level'}).locator('tbody tr').evaluateAll((list) => list.map((row) => [...row.cells].map(({textContent}) => textContent).join(' ')));
  assert.deepEqual(rows, ['Hop 2 2 0 1', 'Othello 3 0 1 0']);
  await page.getByRole('link', {name: 'Solve it'}).click();
  await page.getByRole('heading', {name: /puzzle \d+ of 1\d\d/}).waitFor();
  await page.locator('.stage :is(.is-source, .is-target)').first().waitFor();
});

test('a result counts once, and not after the last move was taken back', () => {
  const data = {seed: 7, game: 'hop', players: {black: {kind: 'human'}, white: {kind: 'engine', level: 2}}, ended: {outcome: 'black'}};
  noteResult(data);
  noteResult(data);
  noteResult({...data, seed: 8, ended: {outcome: 'white'}});
  noteResult({...data, seed: 9, isSetUp: true});
  noteResult({...data, seed: 10, players: {black: {kind: 'human'}, white: {kind: 'human'}}});
  assert.deepEqual(results(), [{game: 'hop', level: 2, won: 1, drawn: 0, lost: 1}]);
  noteResult({...data, ended: null});
  assert.deepEqual(results(), [{game: 'hop', level: 2, won: 0, drawn: 0, lost: 1}]);
});

test('days are named as people name them', () => {
  const now = new Date('2026-03-05T12:00:00Z');
  const names = ['2026-03-05', '2026-03-04', '2026-03-01', '2026-02-20', '2025-12-31', 'nonsense'].map((date) => dayText(date, now));
  assert.deepEqual(names, ['today', 'yesterday', '4 days ago', '20 February', '31 December 2025', 'nonsense']);
});

test('a record can be pasted, and a name in it stays text', async () => {
  const page = await open('#/learn');
  await page.getByLabel(/Paste a game record/).fill('[Game "othello"]\n[Black "<img src=x onerror=alert(1)>"]\n[White "b"]\n[Result "*"]\n\n1. b 23\n2. w 22\n\n'
    + '[Game "hop"]\n[Black "second"]\n[White "b"]\n[Result "*"]\n\n1. b 22-23\n\n');
  await page.getByRole('button', {name: 'Open'}).click();
  await page.getByText('<img src=x onerror=alert(1)> (Black)').waitFor();
  await page.getByLabel('Which game of the file').selectOption('1');
  await page.getByText('second (Black) against b (White), 1 move').waitFor();
  await page.reload();
  await page.getByRole('heading', {name: 'Hop'}).waitFor();
  await page.goto(`${arena.url}#/learn`);
  await page.getByRole('button', {name: 'Open'}).click();
  await page.getByText('Paste a record into the field first.').waitFor();
  await page.locator('#record-file').evaluate((file) => file.dispatchEvent(new Event('change')));
  await page.getByLabel(/Paste a game record/).fill('[Game "chess"]\n');
  await page.getByRole('button', {name: 'Open'}).click();
  await page.getByText(/no game called|names no game/).waitFor();
});

test('an address that cannot be read shows an error and changes nothing', async () => {
  const page = await open('#/agents');
  for (const address of ['#/constructor', '#/%E0%A4%A', '#/play/hop?level=999', '#/play/hop?level=abc', '#/play/hop?level=1&kind=xyz',
    '#/play/hop?level=1&side=purple', '#/learn/hop?moves=zz', '#/watch/demo-hop/game/999', '#/watch/demo-hop/team/x', '#/watch/demo-chess']) {
    await page.goto(`${arena.url}${address}`);
    const isMissing = /constructor|%E0|game\/999|team\/x/.test(address);
    await page.getByRole('heading', {name: isMissing ? 'Not found' : 'That did not work'}).waitFor();
    assert.equal(await page.getByRole('button', {name: 'Try again'}).count(), 0, 'it would not help');
    await page.getByRole('link', {name: 'Rules'}).click();
    await page.getByRole('heading', {name: 'Hop', exact: true}).waitFor();
  }
  assert.equal(await page.evaluate(() => localStorage.getItem('plum.running')), null);
});

// The families of our own fonts that the page has loaded.
const fontsOf = (page) => page.evaluate(async () => {
  await document.fonts.ready;
  return [...document.fonts].filter(({status}) => status === 'loaded').map(({family}) => family.replaceAll('"', '')).sort();
});

test('every page is set in our own fonts', async () => {
  const page = await open('#/rules/meichu');
  await page.getByRole('heading', {name: 'MeiChu', exact: true}).first().waitFor();
  assert.deepEqual(await fontsOf(page), ['Plum Sans', 'Plum Serif']);
});

test('the first page can be held still', async () => {
  const page = await open('', {reducedMotion: 'no-preference'});
  await page.getByRole('button', {name: /Pause/}).click();
  await page.getByRole('button', {name: /Resume/}).waitFor();
  const still = await open('');
  await still.getByRole('button', {name: /Resume/}).waitFor();
});

// Every kind of page, and what is in it when it is complete.
const PAGES = [
  ['', '.daily .board'], ['#/learn/puzzle/hop/1', '.stage .is-source'], ['#/play/hop?level=1', '.stage .is-source'], ['#/play/meichu?level=1', '.bid-form'], ['#/play/reversi', 'dialog[open]'],
  ['#/play/hop?level=1&position=......../......../......X./......../......../......../......../......O._b_10_10', '.banner.is-won'], ['#/play/edit/meichu', '.commit a[href]'],
  ['#/learn/othello?moves=23.22.21.24.32', '.chart .blunder'], ['#/rules/meichu', '.try .is-source'], ['#/learn', '.load textarea'],
  ['#/rules/hop', '.try .is-source'], ['#/engine/meichu', '.thoughts tbody tr'], ['#/agents', '.protocols section'],
  ['#/watch', 'h1'], ['#/nonsense', '.problem'], ['#/docs', '.document table'], ['#/docs/web', '.document img'], ['#/api/Position', '.schema[open]'],
];

async function visit(page, [address, content]) {
  await page.goto(`${arena.url}${address}`);
  await page.locator(content).first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => null));
}

async function checkWidth(page, what) {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - screen.width);
  assert.ok(excess <= 0, `${what} is ${excess} px wider than the screen`);
}

async function checkWidths(page, what) {
  for (const [font, fontScale] of FONTS) {
    await scaleFonts(page, fontScale);
    await checkWidth(page, `${what}, with ${font},`);
  }
}

test('a small phone shows the whole width of every page, in any font, and a dialog from its top; no page has an accessibility fault', async () => {
  const page = await open('#/agents', {viewport: {width: 320, height: 568}, hasTouch: true, isMobile: true});
  await page.evaluate(() => localStorage.setItem('plum.setup', '{"game": "meichu"}'));
  for (const entry of PAGES) {
    await visit(page, entry);
    if (entry[0] === '#/play/reversi') assert.equal(await page.locator('dialog').evaluate((dialog) => dialog.scrollTop), 0);
    await findFaults(page, entry[0]);
    await checkWidths(page, entry[0]);
  }
  const long = 'x'.repeat(120);
  await page.goto(`${arena.url}#/learn`);
  await page.getByLabel(/Paste a game record/).fill(`[Game "hop"]\n[Black "${long}"]\n[White "b"]\n[Result "*"]\n\n1. b 22-23\n\n`);
  await page.getByRole('button', {name: 'Open'}).click();
  await page.locator('.names', {hasText: long}).waitFor();
  await checkWidths(page, 'a long name');
});

// Light and dark have the same elements: in the dark only the colours are checked.
test('no page has an accessibility fault, in light and dark', async () => {
  const page = await open('#/agents');
  for (const entry of PAGES) {
    await page.emulateMedia({colorScheme: 'light'});
    await visit(page, entry);
    await findFaults(page, entry[0]);
    await checkWidth(page, entry[0]);
    await page.emulateMedia({colorScheme: 'dark'});
    await until(page, () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'), 'the page is dark');
    await findFaults(page, `${entry[0]}, dark`, ['color-contrast', 'link-in-text-block']);
  }
});

test('the engine shows depth, positions and its line while it thinks, for any position on the board', async () => {
  const page = await open('#/engine/othello');
  const rows = page.getByRole('region', {name: 'Depth by depth'}).locator('tbody tr');
  await until(page, async () => (await rows.count()) > 2, 'one depth after the other is shown');
  assert.match(await rows.first().textContent(), /^\d+[\d.]+[kM]?.*[+−]?\d+\.\d/);
  await page.getByRole('button', {name: 'Stop'}).click();
  await page.getByText(/White should play \d\d/).waitFor();
  const line = (await rows.first().locator('.line').textContent()).split(' ');
  const [first] = line;
  assert.deepEqual((await page.locator('.arrow text').allTextContents()).sort(), line.slice(0, 4).flatMap((move, at) => (move === 'pass' || !move ? [] : String(at + 1))), 'the board shows the line');
  await pick(page, first);
  await page.getByText('Black to move. Plum is looking').waitFor();
  await findFaults(page, 'engine');
  await page.goto(`${arena.url}#/engine/hop?position=nonsense`);
  await page.getByRole('alert').waitFor();
});

const ALMOST_FULL = '*XXX..X*/OOXXXXXX/XOOXXXXX/XOOOXOXX/XOXOOXOX/XXOXOXOX/XXXOXOOX/*OOOOOO*_w';

test('a reload of a game takes few requests, and a page that was left leaves no listeners', async () => {
  const page = await openOwn('#/play/hop?level=1');
  const session = await page.context().newCDPSession(page);
  const engineIsThere = () => page.waitForFunction(() => performance.getEntriesByType('resource').some(({name, responseEnd}) => /plum\.\w+\.wasm/.test(name) && responseEnd > 0));
  await engineIsThere();
  const asked = new Map();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({requestId, request}) => /^http/.test(request.url) && asked.set(requestId, request.url));
  session.on('Network.requestServedFromCache', ({requestId}) => asked.delete(requestId));
  session.on('Network.responseReceived', ({requestId, response}) => response.fromDiskCache && asked.delete(requestId));
  await page.reload();
  await engineIsThere();
  assert.ok(asked.size >= 1 && asked.size <= 6, [...asked.values()].join());

  await session.send('Performance.enable');
  const visit = async (address) => {
    await page.evaluate((hash) => { location.hash = hash; }, address);
    await page.waitForFunction(() => Boolean(document.querySelector('#main h1')));
  };
  const listeners = async () => {
    await visit('#/agents');
    await session.send('HeapProfiler.collectGarbage');
    const {metrics} = await session.send('Performance.getMetrics');
    return metrics.find(({name}) => name === 'JSEventListeners').value;
  };
  const PAGES = ['#/', '#/rules/hop', '#/learn', '#/learn/hop?moves=22-23', '#/docs', '#/play/meichu?level=1', '#/play/hop?level=1'];
  for (const address of PAGES) await visit(address);
  await page.waitForTimeout(500); // what was begun on the last page may still end
  const before = await listeners();
  for (let round = 0; round < 6; round++) for (const address of PAGES) await visit(address);
  await until(page, async () => (await listeners()) <= before, `${before} listeners are left`);
});

test('the single offline file plays without a server', async () => {
  const file = join(scratch, 'plum.html');
  const read = async (path) => Buffer.from(await (await fetch(`${arena.url}${path}`)).arrayBuffer());
  const [script] = String(await read('')).match(/static\/app\.[0-9a-f]+\.js/);
  for (const [path, name] of String(await read(script)).matchAll(/static\/(plum|rules)\.[0-9a-f]+\.wasm/g)) writeFileSync(join(scratch, `${name}.wasm`), await read(path));
  writeFileSync(file, execFileSync('sh', [join(here, '../../tools/offline.sh'), join(here, '../../web'), join(here, '../../src/games'), join(here, '../../docs'), scratch], {maxBuffer: 2 ** 28}));
  const page = await openOwn(`file://${file}#/play/othello?level=3`);
  const asked = [];
  page.on('request', (request) => /^http/.test(request.url()) && asked.push(request.url()));
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  assert.deepEqual(await fontsOf(page), ['Plum Sans', 'Plum Serif']);
  // Near the end of a game a deeper look is complete at once.
  await page.goto(`file://${file}#/learn/reversi?start=${ALMOST_FULL}&moves=04`);
  await page.getByRole('button', {name: 'Look deeper here'}).click();
  await page.getByText(/^Depth \d/).waitFor();
  await page.getByText(/blunders? found|No blunder found/).waitFor();
  assert.match(await page.locator('.prompt .line').textContent(), /^Depth/);
  assert.match(await checkLearned(page), /\[Result "/);
  await page.goto(`file://${file}#/docs/web/play`);
  await page.getByRole('heading', {name: 'Play', exact: true}).waitFor();
  await page.getByText('Picture: a game of Hop').first().waitFor();
  assert.deepEqual(asked, []);
});
