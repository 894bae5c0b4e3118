// trouble: the server goes away, an answer fails, two tabs want the same, the time is up.
import test from 'node:test';
import assert from 'node:assert/strict';
import {openArena, closeArena} from './arena.mjs';
import {arena, match, open, pick, playSquares, plies, square, until} from './visitor.mjs';

const GONE = /Failed to load resource|ERR_CONNECTION/;

test('a game goes on when the server is gone, also after a search was stopped', async () => {
  const doomed = await openArena();
  const page = await open(`${doomed.url}#/play/othello?level=10`, {}, GONE);
  await pick(page, '23');
  await page.getByText(/is thinking/).waitFor();
  assert.equal(await closeArena(doomed), 0);
  await page.getByRole('button', {name: 'Take back'}).click();
  await until(page, async () => (await plies(page)) === 0, 'the move is taken back');
  await playSquares(page, '32');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.context().close();
});

test('what failed once can be tried again', async () => {
  const page = await open('#/agents', {}, GONE);
  await page.route('**/api/v1/games', (route) => route.fulfill({status: 429, contentType: 'application/json', body: '{"error":"too many questions; wait a moment"}'}), {times: 1});
  await page.goto(`${arena.url}#/play/hop?level=1`);
  await page.getByText('Too many questions; wait a moment.').waitFor();
  await page.route('**/plum.wasm', (route) => route.abort(), {times: 1});
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText('The arena does not answer.').waitFor();
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText('Black to move').waitFor();
  await playSquares(page, '22-23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.context().close();
});

test('two tabs at one auction come to the same game', async () => {
  const page = await open('#/play/meichu?level=1&kind=people');
  const twin = await page.context().newPage();
  await page.getByLabel('Player 1: price').waitFor();
  await twin.goto(page.url());
  await twin.getByLabel('Player 1: price').waitFor();
  await page.getByLabel('Player 1: price').fill('12');
  await page.getByRole('button', {name: 'Seal the bid'}).click();
  await twin.getByLabel('Player 2: price').fill('30');
  await twin.getByRole('button', {name: 'Seal the bid'}).click();
  await twin.getByText('12 + 1 = 13').waitFor();
  await page.getByText('12 + 1 = 13').waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await playSquares(page, '64-54');
  await twin.locator('.moves li').waitFor();
  assert.equal(await plies(page), 1);
  await page.context().close();
});

test('who has lost on time has none left', async () => {
  const page = await open('');
  await page.clock.install();
  await page.goto(`${arena.url}#/play/othello`);
  await page.getByLabel('Clock').selectOption('3');
  await page.getByRole('button', {name: 'Start'}).click();
  await page.locator('.stage .is-target').first().waitFor();
  await page.clock.fastForward(181000);
  await page.getByText('You ran out of time.').waitFor();
  await page.clock.fastForward(1000);
  assert.equal(await page.locator('.player.black .clock').textContent(), '0:00');
  await page.context().close();
});

test('the time of the turn in which somebody resigned stays on the clock', async () => {
  const page = await open('');
  await page.clock.install();
  await page.goto(`${arena.url}#/play/othello?level=1`);
  await page.getByText('Black to move').waitFor();
  await page.clock.fastForward(65000);
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', {name: 'Resign'}).click();
  await page.getByRole('heading', {name: 'Plum wins'}).waitFor();
  await page.clock.fastForward(1000);
  assert.match(await page.locator('.player.black .clock').textContent(), /^1:0/);
  await page.context().close();
});

test('a game can be deleted, one that was only opened is not kept, and a flipped board stays flipped', async () => {
  const page = await open('#/play/hop?level=1');
  await page.getByText('Black to move').waitFor();
  await page.goto(`${arena.url}#/play/othello?level=1`);
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.getByRole('button', {name: 'Flip'}).click();
  await page.reload();
  await page.getByText('Black to move').waitFor();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), '77');
  assert.equal((await match(page)).game, 'othello');
  await page.goto(`${arena.url}#/`);
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', {name: /^Delete: Othello/}).click();
  await page.getByText('None is left.').waitFor();
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem('plum.running'))), []);
  await page.context().close();
});

test('without storage a game can still be learned from', async () => {
  const page = await open('');
  await page.addInitScript(() => Object.defineProperty(globalThis, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }}));
  await page.goto(`${arena.url}?denied#/play/hop?level=1`);
  await square(page, '22').waitFor();
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', {name: 'Resign'}).click();
  await page.getByRole('link', {name: 'Learn from it'}).click();
  await page.locator('.result', {hasText: 'White wins. You gave up.'}).waitFor();
  await page.context().close();
});
