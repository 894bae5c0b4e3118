// replay: what a game to learn from says of itself: how it ended, who had what, what was wrong with it.
import test from 'node:test';
import assert from 'node:assert/strict';
import {arena, open, pick, square, until} from './visitor.mjs';

async function openRecord(page, record) {
  await page.goto(`${arena.url}#/learn`);
  await page.getByLabel(/Paste a game record/).fill(record);
  await page.getByRole('button', {name: 'Open'}).click();
  await page.locator('.chart').waitFor();
}

const record = (tags, ...lines) => `${Object.entries({Black: 'a', White: 'b', ...tags}).map(([name, value]) => `[${name} "${value}"]`).join('\n')}\n\n${lines.join('\n')}\n\n`;

test('the move that wins the game is no mistake', async () => {
  const page = await open('#/learn/hop?start=......../......../.....X../.....O../......X./...O..../......../........_b_10_10&moves=25-26');
  await page.getByText('No blunder found.').waitFor();
  await page.keyboard.press('End');
  await page.locator('.result', {hasText: 'Black wins. 2 to 0: all men are home.'}).waitFor();
  assert.ok(await page.getByRole('button', {name: 'Look deeper here'}).isDisabled(), 'there is nothing left to look for');
  assert.equal(await page.locator('.chart .mistake, .chart .blunder').count(), 0);
  const [start, end] = (await page.locator('.chart .curve').getAttribute('d')).slice(1).split('L').map((point) => Number(point.split(' ')[1]));
  assert.ok(end <= start, 'the curve of a won game does not fall');
  await page.context().close();
});

test('who won, why, and every fault is told in words', async () => {
  const page = await open('');
  await openRecord(page, record({Game: 'hop', Result: '0-1', Score: '0-1', Reason: 'no-start'}));
  await page.locator('.result', {hasText: 'White wins. Black did not start.'}).waitFor();
  await openRecord(page, record({Game: 'hop', Result: '*'}, '1. b 22-23 {t=0.100}', '2. w skip {t=65.000 fault=late}', '3. b 23-24 {t=0.200}'));
  await page.getByRole('button', {name: 'skip'}).click();
  await page.getByText('2. White was too late and lost the turn').waitFor();
  await page.locator('.player.white .clock', {hasText: '1:05'}).waitFor();
  await page.locator('.player.white', {hasText: '1/200 moves'}).waitFor();
  await page.context().close();
});

test('a replay shows names, budgets, costs and bids, and can be flipped', async () => {
  const page = await open('');
  await openRecord(page, record({Game: 'meichu', Result: '*', Bids: '0 40, 0 25'}, '1. b 64-54'));
  await page.getByText('Black bid 40 for Black, White bid 25 for Black').waitFor();
  await page.locator('.player.black', {hasText: 'budget 124'}).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.player.black .purse', {hasText: 'budget 125 +1'}).waitFor();
  await page.locator('.player.black', {hasText: '11 barriers'}).waitFor();
  await page.getByRole('button', {name: 'Flip'}).click();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), '88');
  await page.context().close();
});

test('a pasted record keeps all that it says through a reload, and back and forth', async () => {
  const page = await open('');
  const shown = () => page.locator('.panel > header').textContent();
  await openRecord(page, record({Game: 'meichu', Black: 'Ada', White: 'Bob', Result: '1-0', Score: '1-0', Reason: 'resigned', Bids: '1 7, 1 7, tie 0'}, '1. b 64-54 {t=3.000}'));
  const told = await shown();
  assert.match(told, /Ada \(Black\) against Bob \(White\), 1 move, Black bid 7 for White, White bid 7 for WhiteBlack wins. White gave up./);
  await page.reload();
  await page.locator('.chart').waitFor();
  assert.equal(await shown(), told);
  await page.goBack();
  await page.getByLabel(/Paste a game record/).waitFor();
  await page.goForward();
  await page.locator('.chart').waitFor();
  assert.equal(await shown(), told);
  await page.context().close();
});

test('a link to a bad game does not speak of lines', async () => {
  const page = await open('#/learn/othello?moves=00');
  const problem = page.getByRole('alert');
  await problem.getByText('This link does not lead to a game').waitFor();
  assert.doesNotMatch(await problem.textContent(), /line \d/i);
  await page.context().close();
});

test('a record that is not true says so, and keeps saying it', async () => {
  const page = await open('');
  await openRecord(page, record({Game: 'hop', Result: '1-0'}, '1. b 22-23'));
  await page.getByRole('alert').getByText('the game is not over on the board').waitFor();
  assert.equal(await page.locator('.result').textContent(), '');
  await openRecord(page, record({Game: 'hop', Result: '*'}, '1. b 22-23', '2. w 00-77'));
  await page.getByRole('alert').getByText('Line 7: ply 2').waitFor();
  await page.waitForTimeout(4000);
  assert.ok(await page.getByRole('alert').isVisible());
  await page.context().close();
});

test('a puzzle can be tried again, shows what was tried, and nothing gives it away', async () => {
  const page = await open('#/learn/reversi?moves=33.23.13.22.43.53.63.24.14.42.34.52.15.12.11.25');
  const deeper = page.getByRole('button', {name: 'Look deeper here'});
  await page.getByText(/blunders found/).waitFor();
  await page.getByRole('button', {name: 'Solve the blunders'}).click();
  await page.getByText(/Puzzle 1 of \d+: Black to move. 43 was played/).waitFor();
  assert.ok(!(await deeper.isVisible()));
  await square(page, '43').click();
  await page.getByText(/^Not 43:/).waitFor();
  assert.match(await square(page, '43').getAttribute('class'), /is-wrong/);
  assert.deepEqual(await page.locator('main button.primary:visible').allTextContents(), ['Try again']);
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText(/Puzzle 1 of/).waitFor();
  await page.keyboard.press('ArrowRight');
  await until(page, () => deeper.isVisible(), 'whoever leaves the puzzle may look');
  await page.context().close();
});

test('a move in a puzzle is judged once, however often the button is pressed, and the bars show it', async () => {
  const page = await open('#/learn/hop?start=......../......../..XO..../....O.../...O...O/......../.X....../........_b_10_10&moves=61-62');
  await page.getByText('1 blunder found').waitFor();
  await page.getByRole('button', {name: 'Solve the blunders'}).click();
  for (const name of ['22', '24', '44']) await pick(page, name);
  await page.getByRole('button', {name: 'Play this move'}).evaluate((button) => {
    button.click();
    button.click();
  });
  await page.getByText(/^(Right:|Not) 22-24-44/).waitFor();
  await page.locator('.player.white', {hasText: '2 men'}).waitFor();
  await page.context().close();
});
