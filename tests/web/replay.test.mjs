// replay: what the page of a game shows: how it ended, what each side had, what was wrong with it.
import test from 'node:test';
import assert from 'node:assert/strict';
import './games.mjs';
import {endText, faultSummary} from '../../web/ending.js';
import {overText} from '../../web/liveboard.js';
import {scoreText} from '../../web/opinion.js';
import {CHAIN, arena, checkRecord, choose, open, openOwn, pick, resign, square, until} from './visitor.mjs';

async function openRecord(page, record) {
  await page.goto(`${arena.url}#/learn`);
  await page.getByLabel(/Paste a game record/).fill(record);
  await page.getByRole('button', {name: 'Open'}).click();
  await page.locator('.chart').waitFor();
}

const record = (tags, ...lines) => `${Object.entries({Black: 'a', White: 'b', ...tags}).map(([name, value]) => `[${name} "${value}"]`).join('\n')}\n\n${lines.join('\n')}\n\n`;

test('a result shows both scores, also of a draw, and the reader\'s own first', () => {
  const full = (rows) => `${rows.join('/')} b`;
  const draw = full([...Array(4).fill('XXXXXXXX'), ...Array(4).fill('OOOOOOOO')]);
  assert.equal(endText('othello', {outcome: 'draw', black: 0, white: 0, reason: 'no-moves'}, draw), '32 : 32, the board is full.');
  const won = full([...Array(3).fill('XXXXXXXX'), ...Array(5).fill('OOOOOOOO')]);
  assert.equal(endText('othello', {outcome: 'white', black: -16, white: 16, reason: 'no-moves'}, won, 'white'), '40 : 24, the board is full.');
  const empty = full([...Array(3).fill('XXXXXXXX'), ...Array(4).fill('OOOOOOOO'), '........']);
  assert.equal(endText('othello', {outcome: 'white', black: -16, white: 16, reason: 'no-moves'}, empty), '24 : 40, neither side can move.');
  assert.equal(endText('othello', {outcome: 'white', black: -2, white: 2, reason: 'adjourned'}, won), 'Adjourned.');
  assert.equal(endText('hop', {outcome: 'black', black: NaN, white: NaN, reason: 'adjourned'}, full(['XO'])), 'Adjourned.');
  assert.equal(endText('hop', {outcome: 'draw', black: 3, white: 3, reason: 'move-limit'}, full(['XO'])), '3 : 3, both have used their 200 turns.');
});

test('the move that wins the game is not a mistake', async () => {
  const page = await open('#/learn/hop?start=......../......../.....X../.....O../......X./...O..../......../........_b_10_10&moves=25-26');
  await page.getByText('No blunder found.').waitFor();
  await page.keyboard.press('End');
  await page.locator('.result', {hasText: 'Black wins. 2 : 0, all men of Black are home.'}).waitFor();
  assert.ok(await page.getByRole('button', {name: 'Look deeper here'}).isDisabled(), 'there is nothing left to look for');
  assert.equal(await page.locator('.chart .mistake, .chart .blunder').count(), 0);
  const [start, end] = (await page.locator('.chart .curve').getAttribute('d')).slice(1).split('L').map((point) => Number(point.split(' ')[1]));
  assert.ok(end <= start, 'the curve of a won game does not fall');
});

test('the winner, the reason and every fault are shown in words', async () => {
  const page = await open('#/learn');
  await openRecord(page, record({Game: 'hop', Result: '0-1', Score: '0-1', Reason: 'no-start'}));
  await page.locator('.result', {hasText: 'White wins. Black did not start.'}).waitFor();
  await openRecord(page, record({Game: 'hop', Result: '*'}, '1. b 22-23 {t=0.100}', '2. w skip {t=65.000 fault=late}', '3. b 23-24 {t=0.200}'));
  await page.getByRole('button', {name: 'skip'}).click();
  await page.getByText('2. White was too late and lost the turn').waitFor();
  await page.locator('.player.white .clock', {hasText: '1:05'}).waitFor();
  await page.locator('.player.white', {hasText: '1/200 moves'}).waitFor();
});

test('faults are summed up with a link to the first, and have their name, not a sign, in the list of moves', async () => {
  const page = await open('#/learn');
  await openRecord(page, record({Game: 'hop', Result: '*'}, '1. b 22-23 {t=0.100}', '2. w skip {t=65.000 fault=late}', '3. b skip {fault=invalid}', '4. w skip {fault=late}',
    '5. b skip {fault=crashed}', '6. w 17-27', '7. b skip {fault=crashed}'));
  assert.deepEqual(await page.locator('.fault-summary').allTextContents(), ['White was too late in 2 turns, first at move 2.', 'Black made an illegal move at move 3.',
    'Black crashed at move 5 and was missing in 2 turns.']);
  assert.deepEqual(await page.locator('.moves li').allTextContents(), ['22-23', 'skip late', 'skip illegal', 'skip late', 'skip crashed', '17-27', 'skip crashed']);
  const signs = await page.locator('.moves li').evaluateAll((items) => items.map((item) => getComputedStyle(item, '::after').content));
  assert.ok(signs.every((sign) => !sign.includes('!')), signs.join());
  await page.getByRole('button', {name: 'move 5'}).click();
  await page.getByText('5. Black had crashed and lost the turn').waitFor();
});

test('the faults of a side name the moves that the judge made for it, and only these', () => {
  const words = (game, ...plies) => faultSummary(game, plies.map(([side, move, fault]) => ({side, move, fault}))).map(({words: [before, after]}) => before + after);
  const [b, w] = ['black', 'white'];
  assert.deepEqual(words('reversi', [b, '33'], [w, '22', 'invalid'], [b, '34'], [w, '23', 'crashed'], [b, 'pass'], [w, 'pass'], [b, '35', 'late'], [w, '24', 'crashed'], [w, '25', undefined]),
    ['White made an illegal move at', 'White crashed at; the judge played 3 of its 4 moves', 'Black was too late at; the judge played 1 of its 3 moves']);
  assert.deepEqual(words('meichu', [b, '64-54', 'late'], [w, '24-34']), ['Black was too late at']);
  assert.deepEqual(words('hop', [b, 'skip', 'crashed'], [b, 'skip', 'crashed']), ['Black crashed at and was missing in 2 turns']);
});

test('a score of zero has no sign', () => {
  assert.deepEqual([0, -4, 4, -5, 10].map(scoreText), ['0.0', '0.0', '0.0', '−0.1', '+0.1']);
});

test('a game lost on time has that reason in its record, and in the page of the record', async () => {
  const page = await open('#/play/hop?level=1&kind=people');
  await pick(page, '22');
  const table = page.url();
  await page.goto(`${arena.url}#/agents`);
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  await page.evaluate(() => {
    const [game] = JSON.parse(localStorage.getItem('plum.running'));
    localStorage.setItem('plum.running', JSON.stringify([{...game, limitMs: 1}]));
  });
  await page.goto(table);
  await page.getByText('Black ran out of time.').waitFor();
  const text = await checkRecord(page);
  assert.match(text, /\[Reason "time"\]/);
  await openRecord(page, text);
  await page.locator('.result', {hasText: 'White wins. Black ran out of time.'}).waitFor();
});

const LAST_HOME = 'OO....../OO....../.....X../...O..../......../......../......../........_b_10_10';

test('the page shows whose men are home, because the other side may have won', async () => {
  const page = await open(`#/learn/hop?start=${LAST_HOME}&moves=25-26`);
  await page.locator('.result', {hasText: 'White wins. 1 : 4, all men of Black are home.'}).waitFor();
  await page.goto(`${arena.url}#/play/hop?level=1&position=${LAST_HOME}`);
  for (const name of ['25', '26']) await pick(page, name);
  await page.getByRole('heading', {name: 'Plum wins'}).waitFor();
  await page.locator('.banner', {hasText: '1 : 4All your men are home.'}).waitFor();
  assert.equal(overText('hop', '0-1 1-4 all-home', 'OO....../OO....../......X./...O.... w 11 10'), 'White wins 1 : 4: all men of Black are home');
  assert.equal(overText('hop', '0-1 0-2 all-home', 'OO....../......../......../........ w 11 10'), 'White wins 0 : 2: all men of White are home');
  assert.equal(overText('hop', '1/2-1/2 1-1 all-home', 'O......X w 11 10'), 'A draw 1 : 1: all men of both sides are home');
  assert.equal(overText('hop', '0-1 1-4 all-home'), 'White wins 1 : 4: all men of one side are home');
});

// What another user sees above the moves after opening the copied link.
async function seeShared(page) {
  await page.getByText('Link copied').waitFor();
  await page.waitForFunction(() => navigator.clipboard.readText());
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText('')); // the next link is not this one
  const other = await open(link);
  await other.locator('.chart').waitFor();
  const header = await other.locator('.panel > header').textContent();
  assert.equal(await other.getByRole('alert').count(), 0);
  return {link, header};
}

const MAY_COPY = {permissions: ['clipboard-read', 'clipboard-write']};

test('a shared game arrives with its players and its result', async () => {
  const page = await open('#/play/othello?level=2', MAY_COPY);
  await page.getByText('Your move').waitFor();
  await choose(page, 'Share');
  await page.getByRole('button', {name: 'Copy a link to the whole game'}).click();
  assert.equal((await seeShared(page)).header, 'OthelloPlayer (Black) against Plum, level 2 (White), 0 moves');
  await resign(page);
  await page.getByRole('link', {name: 'Learn from it'}).click();
  await page.locator('.result', {hasText: 'White wins. You gave up.'}).waitFor();
  await page.getByRole('button', {name: 'Copy link'}).click();
  assert.equal((await seeShared(page)).header, 'OthelloPlayer (Black) against Plum, level 2 (White), 0 movesWhite wins. Black gave up.');
});

test('any name makes a short link and stays text', async () => {
  const page = await open('#/learn', MAY_COPY);
  await openRecord(page, record({Game: 'hop', Black: `<img src=x onerror=alert(1)>&white=no#?%41 ${'x'.repeat(400)}`, White: '\\"é🙂\\"', Result: '*'}, '1. b 22-23'));
  await page.getByRole('button', {name: 'Copy link'}).click();
  const {link, header} = await seeShared(page);
  assert.match(header, /^Hop<img src=x onerror=alert\(1\)>&white=no#\?%41 x+ \(Black\) against 'é🙂' \(White\), 1 move$/);
  assert.ok(link.length < 400, `${link.length} letters`);
});

test('a link cannot claim a wrong result, or add tags to the record', async () => {
  const page = await open('#/learn/hop?moves=22-23&black=a&white=b&result=1-0&reason=all-home&score=9-0');
  await page.getByRole('alert').getByText('It is all-home, but the game is not over on the board').waitFor();
  assert.equal(await page.locator('.result').textContent(), '');
  const other = await open(`#/learn/hop?moves=22-23&black=${encodeURIComponent('a"]\n[Result "1-0')}&white=${'y'.repeat(5000)}`);
  await other.locator('.names', {hasText: `a'] [Result '1-0 (Black) against ${'y'.repeat(60)} (White), 1 move`}).waitFor();
});

test('a game that a fault ended shows it after its last move, with the time it took', async () => {
  const page = await open('#/learn');
  await openRecord(page, record({Game: 'hop', Result: '1-0', Score: '1-0', Reason: 'malformed'}, '1. b 22-23 {t=0.100}', '{w t=61.400 fault=malformed}'));
  await page.locator('.result', {hasText: 'Black wins. White sent something unreadable.'}).waitFor();
  await page.keyboard.press('Home'); // it may have gone to the first mistake already
  await page.getByText('The start', {exact: true}).waitFor();
  assert.equal(await page.locator('.player.white .clock').textContent(), '0:00');
  await page.keyboard.press('End');
  await page.getByText('1. Black played 22-23. Then White sent something unreadable after 61.40 s.').waitFor();
  await page.locator('.player.white .clock', {hasText: '1:01'}).waitFor();
  await openRecord(page, record({Game: 'hop', Result: '0-1', Score: '0-1', Reason: 'crashed'}, '{b fault=crashed}'));
  await page.getByText('The start. Then Black crashed.').waitFor();
});

test('a replay shows names, budgets, costs and bids, and can be flipped', async () => {
  const page = await open('#/learn');
  await openRecord(page, record({Game: 'meichu', Result: '*', Bids: '0 40, 0 25'}, '1. b 64-54'));
  await page.getByText('Black bid 40 for Black, White bid 25 for Black').waitFor();
  await page.locator('.player.black', {hasText: 'budget 124'}).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.player.black .budget', {hasText: 'budget 125 +1'}).waitFor();
  await page.locator('.player.black', {hasText: '11 barriers'}).waitFor();
  await page.getByRole('button', {name: 'Flip'}).click();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), '88');
});

test('a pasted record keeps its contents through a reload, and back and forth', async () => {
  const page = await open('#/learn');
  const shown = () => page.locator('.panel > header').textContent();
  await openRecord(page, record({Game: 'meichu', Black: 'Ada', White: 'Bob', Result: '1-0', Score: '1-0', Reason: 'resigned', Bids: '1 7, 1 7, tie 0'}, '1. b 64-54 {t=3.000}'));
  const header = await shown();
  assert.match(header, /Ada \(Black\) against Bob \(White\), 1 move, Black bid 7 for White, White bid 7 for WhiteBlack wins. White gave up./);
  await page.reload();
  await page.locator('.chart').waitFor();
  assert.equal(await shown(), header);
  await page.goBack();
  await page.getByLabel(/Paste a game record/).waitFor();
  await page.goForward();
  await page.locator('.chart').waitFor();
  assert.equal(await shown(), header);
});

test('one name alone is shown, and no name changes the direction of the text around it', async () => {
  const page = await open('#/learn/hop?moves=22-23&black=Ada');
  await page.locator('.names', {hasText: 'Ada (Black) against White (White), 1 move'}).waitFor();
  await page.goto(`${arena.url}#/learn/hop?moves=22-23&white=${encodeURIComponent('\u202eabc\u2066\u200f')}`);
  await page.locator('.names', {hasText: /^Black \(Black\) against abc \(White\), 1 move$/}).waitFor();
});

test('the error about a link to an illegal game does not mention lines', async () => {
  const page = await open('#/learn/othello?moves=00');
  const problem = page.getByRole('alert');
  await problem.getByText('This link does not lead to a game').waitFor();
  assert.doesNotMatch(await problem.textContent(), /line \d/i);
});

test('the error about a record that is not correct stays', async () => {
  const page = await openOwn('#/learn', {}, ({clock}) => clock.install());
  await openRecord(page, record({Game: 'hop', Result: '1-0'}, '1. b 22-23'));
  await page.getByRole('alert').getByText('the game is not over on the board').waitFor();
  assert.equal(await page.locator('.result').textContent(), '');
  await openRecord(page, record({Game: 'hop', Result: '*'}, '1. b 22-23', '2. w 00-77'));
  await page.getByRole('alert').getByText('Line 7: ply 2').waitFor();
  await page.clock.fastForward(60000);
  assert.ok(await page.getByRole('alert').isVisible());
});

test('a puzzle can be tried again, shows what was tried, and hides the solution', async () => {
  const page = await open('#/learn/reversi?moves=33.23.13.22.43.53.63.24.14.42.34.52.15.12.11.25');
  const deeper = page.getByRole('button', {name: 'Look deeper here'});
  await page.getByText(/blunders found/).waitFor();
  await page.getByRole('button', {name: 'Solve the mistakes'}).click();
  const puzzle = await page.getByText(/Puzzle 1 of \d+: (Black|White) to move\. \d\d was played/).textContent();
  const [, played] = puzzle.match(/(\d\d) was played/);
  assert.ok(!(await deeper.isVisible()));
  await square(page, played).click();
  await page.getByText(new RegExp(`^Not ${played}:`)).waitFor();
  assert.match(await square(page, played).getAttribute('class'), /is-wrong/);
  assert.deepEqual(await page.locator('main button.primary:visible').allTextContents(), ['Try again']);
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText(/Puzzle 1 of/).waitFor();
  await page.keyboard.press('ArrowRight');
  await until(page, () => deeper.isVisible(), 'outside the puzzle the user may look deeper');
});

test('the move that a deeper search finds best is not a blunder', async () => {
  const page = await open(`#/learn/hop?start=${CHAIN}&moves=61-62`);
  const marks = page.locator('.chart .blunder, .moves .blunder');
  await page.getByText(/^1 blunder found/).waitFor();
  assert.equal(await marks.count(), 2);
  await page.route('**/api/v1/bestmove?*', (route) => route.fulfill({json: {move: '61-62', score: 100, depth: 30, nodes: 9, time_ms: 9, exact: false, line: ['61-62']}}));
  await page.getByText('1. Black played 61-62').waitFor(); // it opens at the mistake
  await page.keyboard.press('Home');
  await page.getByRole('button', {name: 'Look deeper here'}).click();
  await page.getByText('Depth 30, +1.0 for Black').waitFor();
  await page.getByText(/^No blunder found/).waitFor();
  assert.equal(await marks.count(), 0);
  assert.ok(await page.getByRole('button', {name: 'Solve the mistakes'}).isDisabled());
  await page.keyboard.press('ArrowRight');
  await page.getByText('1. Black played 61-62').waitFor();
  assert.equal(await page.getByRole('button', {name: 'What should have been played?'}).count(), 0);
});

test('lost discs count in a decided game, and the worst moves are puzzles also where there is no mistake', async () => {
  const LOST = '*..X..X*/.OOOOOX./.OOXOOOX/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/*...OOO*_b';
  const page = await open(`#/learn/reversi?start=${LOST}&moves=10`); // 30 discs behind in the end, 14 with the best move
  await page.getByText('1 blunder found.').waitFor();
  await page.goto(`${arena.url}#/learn/reversi?start=${LOST}&moves=73`); // 16 discs behind
  await page.getByText('No blunder found.').waitFor();
  await page.getByRole('button', {name: 'Solve the mistakes'}).click();
  await page.getByText('Puzzle 1 of 1: Black to move. 73 was played').waitFor();
  await pick(page, '20');
  await page.getByText('Right: 20 is good.').waitFor();
});

test('the answer to a puzzle does not mention the move before', async () => {
  const page = await open('#/learn/hop?moves=40-41.17-27.60-50.37-36.50-52.27-25.51-53.26-24.52-54-56-76.25-23-21-01.76-75.01-02.00-10.36-34.10-30-32-52-54.35-33.53-55.34-32-30-10.41-43-23-25.02-01.42-43.01-00.54-56-36.77-67.25-26');
  await until(page, () => page.getByRole('button', {name: 'Solve the mistakes'}).isEnabled(), 'all moves are evaluated');
  const inARow = await page.evaluate(() => [...document.querySelectorAll('.moves li')].filter((item) => item.matches('.blunder') && item.previousElementSibling?.matches('.blunder')).length);
  assert.ok(inARow, 'one blunder follows another');
  await page.getByRole('button', {name: 'Solve the mistakes'}).click();
  for (let isMore = true; isMore;) {
    await page.getByRole('button', {name: 'Show it'}).click();
    await page.getByText(/should have played/).waitFor();
    assert.equal(await page.getByRole('button', {name: 'What should have been played?'}).count(), 0);
    isMore = await page.getByRole('button', {name: 'Next puzzle'}).isVisible();
    await page.getByRole('button', {name: /Next puzzle|Done/}).click();
  }
});

test('a double click in a puzzle evaluates the move once, and the bars show it', async () => {
  const page = await open(`#/learn/hop?start=${CHAIN}&moves=61-62`);
  await page.getByText('1 blunder found').waitFor();
  await page.getByRole('button', {name: 'Solve the mistakes'}).click();
  for (const name of ['22', '24', '44']) await pick(page, name);
  await page.getByRole('button', {name: 'Play this move'}).evaluate((button) => {
    button.click();
    button.click();
  });
  await page.getByText(/^(Right:|Not) 22-24-44/).waitFor();
  await page.locator('.player.white', {hasText: '2 men'}).waitFor();
});
