// visitor: somebody with a browser in the arena. Whatever goes wrong in a page, or leaves this machine, fails the test
// file that imports this.
import {after, before} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {openArena, closeArena, endAll, plum} from './arena.mjs';
import {axe, browser, openContext} from './chromium.mjs';

export const here = fileURLToPath(new URL('.', import.meta.url));
export const scratch = mkdtempSync(join(tmpdir(), 'plum-web-'));
const PATIENCE_MS = 60000; // on a machine with much else to do
const foreign = [];
const broken = [];
export let arena;

before(async () => {
  arena = await openArena();
});

after(async () => {
  await browser.close();
  const code = await closeArena(arena);
  endAll();
  rmSync(scratch, {recursive: true});
  assert.deepEqual(foreign, [], 'no request leaves this machine');
  assert.deepEqual(broken, [], 'nothing goes wrong in a page');
  assert.equal(code, 0);
});

export async function open(address, options = {}, expected = /^$/) {
  const context = await openContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => {
    if (!/^(data|blob|file):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url());
  });
  page.on('pageerror', (error) => broken.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && !expected.test(message.text()) && broken.push(message.text()));
  await page.goto(/^(file|http):/.test(address) ? address : arena.url + address);
  return page;
}

// The game whose table the page shows, once it has begun.
export const match = (page) => page.evaluate(() => ['plum.running', 'plum.finished'].flatMap((key) => JSON.parse(localStorage.getItem(key)) || [])
  .find(({seed, auction}) => !auction && location.hash === `#/play/table/${seed}`));
export const plies = async (page) => (await match(page))?.plies.length ?? 0;
export const square = (page, name) => page.locator(`.stage [data-square="${name}"]`);

export async function until(page, wanted, what) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (await wanted()) return;
    await page.waitForTimeout(25);
  }
  assert.fail(`waited in vain: ${what}`);
}

// A square that is no choice yet would not hear a click.
export async function pick(page, name) {
  await until(page, async () => /is-(source|target)/.test(await square(page, name).getAttribute('class')), `${name} can be chosen`);
  await square(page, name).click();
}

export async function playSquares(page, move) {
  const before = await plies(page);
  for (const name of move.split('-')) await pick(page, name);
  const send = page.getByRole('button', {name: 'Play this move'});
  await until(page, async () => (await plies(page)) > before || send.isVisible(), `${move} can be sent`);
  if ((await plies(page)) === before) await send.click();
  await until(page, async () => (await plies(page)) > before, `${move} is played`);
}

// The text of the record, which must be true.
export async function checkRecord(page) {
  await page.getByRole('button', {name: 'Share'}).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Download the record'}).click()]);
  const path = join(scratch, `record-${Math.random()}.txt`);
  await file.saveAs(path);
  execFileSync(plum, ['replay', path]);
  return readFileSync(path, 'utf8');
}

export async function findFaults(page, what) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => globalThis.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}));
  const serious = violations.filter(({impact}) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({id, nodes}) => `${what}: ${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`), []);
}
