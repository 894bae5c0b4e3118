// visitor: a user with a browser in the arena. A test file that imports this fails when something goes wrong in a page, or
// when a page sends a request to another machine.
import {after, afterEach, before} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {openArena, closeArena, endAll, plum} from './arena.mjs';
import {axe, browser, openContext, scaleFonts} from './chromium.mjs';

export const here = fileURLToPath(new URL('.', import.meta.url));
export const scratch = mkdtempSync(join(tmpdir(), 'plum-web-'));
// A position of hop, as a link has it: Black's man on 22 can take three men in one chain.
export const CHAIN = '......../......../..XO..../....O.../...O...O/......../.X....../........_b_10_10';
// A game without a move, as the pages store it.
export const storedGame = {
  game: 'hop', start: 'X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0', seed: 5, date: '2026-03-05', bids: null, auction: null,
  players: {black: {kind: 'human', name: 'You'}, white: {kind: 'engine', level: 3}}, plies: [], limitMs: 0, spentMs: 0, ended: null,
};
export const PHONE = {viewport: {width: 360, height: 620}, hasTouch: true, isMobile: true};
// What the console of a page reports when a request fails.
export const FAILED_REQUEST = /Failed to load resource|ERR_CONNECTION/;
const PATIENCE_MS = 60000; // the machine may have much else to do
const foreignRequests = [];
const pageErrors = [];
export let arena;

before(async () => {
  arena = await openArena();
});

after(async () => {
  await browser.close();
  const code = await closeArena(arena);
  endAll();
  rmSync(scratch, {recursive: true});
  assert.deepEqual(foreignRequests, [], 'no request leaves this machine');
  assert.deepEqual(pageErrors, [], 'nothing goes wrong in a page');
  assert.equal(code, 0);
});

// A context and the first load of the pages in it take most of a short test's time: with the same options they are used again.
// Each test finds an empty storage and a new document.
const contexts = new Map();
const emptyPage = () => `${arena.url}fonts/LICENSE.txt`; // most pages have the same origin: Chromium keeps their process
// Chromium asks for it because a text names no icon; the answer may come when the next test has begun.
const iconOfEmptyPage = () => `${arena.url}favicon.ico`;
const ownContexts = new Set();
const ownArenas = new Set();

async function contextFor(options) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) contexts.set(key, await openContext(options));
  return contexts.get(key);
}

afterEach(async () => {
  for (const context of ownContexts) await context.close();
  ownContexts.clear();
  for (const context of contexts.values()) await reset(context);
  for (const own of ownArenas) assert.equal(await closeArena(own), 0);
  ownArenas.clear();
});

// An arena of one test; it is closed after the pages.
export async function serve(...args) {
  const own = await openArena(...args);
  ownArenas.add(own);
  return own;
}

async function reset(context) {
  const [page, ...others] = context.pages();
  for (const other of others) await other.close();
  if (!page || page.url() === emptyPage()) return;
  const {origin} = new URL(page.url());
  for (const event of ['request', 'pageerror', 'console', 'dialog']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.goto(emptyPage()); // a page that is left may still store something
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {origin, storageTypes: 'local_storage'});
  await session.detach();
}

function watchErrors(page, expected) {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => {
    if (!/^(data|blob|file):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreignRequests.push(request.url());
  });
  page.on('pageerror', (error) => pageErrors.push(error.stack));
  page.on('console', (message) => {
    const {url} = message.location();
    if (message.type() !== 'error' || expected.test(message.text()) || url === iconOfEmptyPage()) return;
    pageErrors.push(`${message.text()} ${url}`);
  });
}

const urlOf = (address) => (/^(file|http):/.test(address) ? address : arena.url + address);

// address: a URL, or a part of the arena's. fontScale: see scaleFonts. expected: errors that the console of the page may show.
export async function open(address, {fontScale = 1, ...options} = {}, expected = /^$/) {
  const context = await contextFor(options);
  const [used] = context.pages();
  const page = used?.url() === emptyPage() ? used : await context.newPage();
  watchErrors(page, expected);
  await page.goto(urlOf(address));
  if (fontScale !== 1) await scaleFonts(page, fontScale);
  return page;
}

// A page in a context of its own, for a test that changes more of it than a new document resets: clock, scripts, size.
// prepare(page): before its first document.
export async function openOwn(address, options = {}, prepare = () => {}) {
  const context = await openContext(options);
  ownContexts.add(context);
  const page = await context.newPage();
  watchErrors(page, /^$/);
  await prepare(page);
  await page.goto(urlOf(address));
  return page;
}

// For openOwn: a browser that forbids storage.
export const denyStorage = (page) => page.addInitScript(() => Object.defineProperty(globalThis, 'localStorage', {
  get() { throw new DOMException('denied', 'SecurityError'); },
}));

// The game that the page shows, once it has begun.
export const match = (page) => page.evaluate(() => ['plum.running', 'plum.finished'].flatMap((key) => JSON.parse(localStorage.getItem(key)) || [])
  .find(({seed, auction}) => !auction && location.hash === `#/play/table/${seed}`));
export const plies = async (page) => (await match(page))?.plies.length ?? 0;
export const square = (page, name) => page.locator(`.stage [data-square="${name}"]`);

export async function until(page, wanted, what) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (await wanted()) return;
    await page.waitForTimeout(25);
  }
  assert.fail(`did not happen in ${PATIENCE_MS / 1000} s: ${what}`);
}

// Waits until the square can be chosen: before that a click would have no effect.
export const pick = (page, name) => page.locator(`.stage [data-square="${name}"]:is(.is-source, .is-target)`).click();

export async function playSquares(page, move) {
  const before = await plies(page);
  for (const name of move.split('-')) await pick(page, name);
  const send = page.getByRole('button', {name: 'Play this move'});
  await until(page, async () => (await plies(page)) > before || send.isVisible(), `${move} can be sent`);
  if ((await plies(page)) === before) await send.click();
  await page.locator('.moves li').nth(before).waitFor();
}

// Chooses from the menu of a game.
export async function choose(page, name) {
  await page.getByRole('button', {name: 'More', exact: true}).press('Enter');
  await page.locator('.menu-list').getByRole('button', {name}).press('Enter');
}

export async function resign(page) {
  await choose(page, 'Resign');
  await page.getByRole('alertdialog').getByRole('button', {name: 'Resign'}).press('Enter');
}

// The text that a button saves, which `plum replay` must confirm.
export async function savedBy(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = join(scratch, `record-${Math.random()}.txt`);
  await file.saveAs(path);
  execFileSync(plum, ['replay', path]);
  return readFileSync(path, 'utf8');
}

export async function checkRecord(page) {
  await choose(page, 'Share');
  return savedBy(page, page.getByRole('button', {name: 'Download the record'}));
}

// The same on the page Learn.
export const checkLearned = (page) => savedBy(page, page.getByRole('button', {name: 'Record', exact: true}));

const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

// rules: of axe, or their tags.
export async function findFaults(page, what, rules = AXE_RULES) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe);
  const {violations} = await page.evaluate((runOnly) => globalThis.axe.run(document, {runOnly, resultTypes: ['violations']}), rules);
  assert.deepEqual(violations.map(({id, nodes}) => `${what}: ${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`), []);
}
