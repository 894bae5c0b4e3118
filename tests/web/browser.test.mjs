// browser: the arena as a person uses it, in a real Chromium.
import test from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {once} from 'node:events';
import {openArena, closeArena, beginTournament, finishTournament, runServed} from './arena.mjs';
import {FONTS} from './chromium.mjs';
import {arena, checkRecord, findFaults, here, match, open, pick, playSquares, plies, scratch, square, until} from './visitor.mjs';

// Plays the person's side with a stronger engine's moves until the game is over.
async function playToTheEnd(page) {
  for (let turn = 0; turn < 250; turn++) {
    let now = await match(page);
    if (now.ended) return now;
    const position = now.plies.at(-1)?.position || now.start;
    const side = position.split(' ')[1] === 'b' ? 'black' : 'white';
    if (now.players[side].kind === 'human') {
      const question = new URLSearchParams({game: now.game, position, nodes: '15000'});
      const {move} = await (await fetch(`${arena.url}api/v1/bestmove?${question}`)).json();
      if (move === 'pass') await page.getByRole('button', {name: 'Pass'}).click();
      else await playSquares(page, move);
    }
    await until(page, async () => { now = await match(page); return now.ended || now.plies.at(-1)?.position !== position; }, 'the game goes on');
  }
  return assert.fail('the game does not end');
}

for (const game of ['hop', 'reversi', 'meichu']) {
  test(`a whole game of ${game} against level 1 can be played and won`, async () => {
    const page = await open(`#/play/${game}?level=1&side=black`);
    if (game === 'meichu') {
      await page.getByRole('spinbutton', {name: 'You: price'}).fill('140');
      await page.getByRole('button', {name: 'Seal the bid'}).click();
      await page.getByText(/You play Black with/).waitFor();
      await page.getByRole('button', {name: 'To the board'}).click();
    }
    await square(page, '33').waitFor();
    await until(page, () => match(page), 'the game begins');
    const end = await playToTheEnd(page);
    assert.equal(end.ended.outcome, 'black');
    await page.getByRole('heading', {name: 'You win!'}).waitFor();
    await checkRecord(page);
    await page.context().close();
  });
}

const CHAIN = '......../......../..XO..../....O.../...O...O/......../.X....../........_b_10_10';

test('a chain of hops is built hop by hop, shows what it takes, and can be undone until it is sent', async () => {
  const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`);
  await pick(page, '22');
  await pick(page, '24');
  await pick(page, '44');
  await page.getByText('2 hops so far, 2 captured').waitFor();
  assert.equal(await page.locator('.stage .ghost').count(), 2);
  assert.match(await square(page, '23').getAttribute('aria-label'), /will be captured/);
  await page.getByRole('button', {name: 'Undo last step'}).click();
  await page.getByText('1 hop so far, 1 captured').waitFor();
  assert.equal(await plies(page), 0);
  await pick(page, '44');
  await pick(page, '42');
  await page.getByText('3 hops so far, 3 captured').waitFor();
  assert.equal(await plies(page), 0, 'the complete chain waits, too');
  await square(page, '42').click();
  await until(page, () => plies(page), 'a second click on its last square sends it');
  const {plies: [first]} = await match(page);
  assert.equal(first.move, '22-24-44-42');
  assert.equal(first.position.split(' ')[0], '......../......../......../......../..X....O/......../.X....../........');
  await page.getByRole('button', {name: 'Take back'}).click();
  await until(page, async () => (await plies(page)) === 0, 'the move is taken back');
  await page.context().close();
});

test('a side without a move is told so and passes', async () => {
  const page = await open('#/play/reversi?level=1&position=*XXX..X*/OOXXXXXX/XOOXXXXX/XOOOXOXX/XOXOOXOX/XXOXOXOX/XXXOXOOX/*OOOOOO*_b');
  await page.getByText('Black has no move and must pass').waitFor();
  await page.getByRole('button', {name: 'Pass'}).click();
  await until(page, async () => (await plies(page)) >= 2, 'the other side moves');
  assert.equal((await match(page)).plies[0].move, 'pass');
  await page.context().close();
});

test('meichu shows what a move costs, and breaking an own barrier pays', async () => {
  const page = await open('#/play/meichu?level=1&kind=people&position=....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_20_20');
  await pick(page, '44');
  await until(page, async () => (await page.locator('.badge').count()) > 4, 'the costs are shown');
  assert.equal(await square(page, '34').locator('.badge').textContent(), '−5');
  assert.equal(await square(page, '54').locator('.badge').textContent(), '+1');
  await square(page, '54').hover();
  await page.locator('.player.black .purse-cost').getByText('+1').waitFor();
  await pick(page, '54');
  await until(page, () => plies(page), 'the move is played');
  assert.match((await match(page)).plies[0].position, / w 21 20$/);
  await page.context().close();
});

test('a square that is no choice says why', async () => {
  const page = await open('#/play/hop?level=1&kind=people');
  const detail = page.locator('.detail');
  const refused = async (name, text) => {
    await square(page, name).click();
    await detail.getByText(text).waitFor();
  };
  await until(page, () => page.locator('.stage .is-source').count(), 'the game begins');
  await refused('33', 'Nothing stands on 33. Choose a piece of Black.');
  await refused('17', "The man on 17 is White's. Black moves.");
  await pick(page, '22');
  await until(page, async () => (await detail.textContent()) === '', 'it is said once');
  await refused('33', 'From 22 there is no way to 33. A man steps straight');
  await page.goto(`${arena.url}#/play/hop?level=1&kind=people&position=${CHAIN}`);
  await pick(page, '22');
  await pick(page, '24');
  await refused('33', 'No hop leads from 24 to 33.');
  await page.getByText('1 hop so far').waitFor();
  await page.goto(`${arena.url}#/play/reversi?level=1&kind=people`);
  await until(page, () => page.locator('.stage .is-target').count(), 'the game begins');
  await refused('00', 'The corners are no squares here.');
  await refused('01', 'A disc on 01 would turn nothing over; on the border it has to.');
  await page.goto(`${arena.url}#/play/meichu?level=1&kind=people&position=....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_3_20`);
  await until(page, () => page.locator('.stage .is-source').count(), 'the game begins');
  await refused('84', 'A flag does not move.');
  await pick(page, '44');
  await refused('40', 'There is too little money to go from 44 to 40.');
  await pick(page, '44');
  await refused('33', 'From 44 there is no way to 33. A soldier runs straight');
  await page.context().close();
});

test('a reload in the middle changes nothing', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  const old = await match(page);
  await page.reload();
  await page.getByText('Black to move').waitFor();
  assert.deepEqual((await match(page)).plies, old.plies);
  assert.equal(await page.locator('.moves li').count(), 2);
  await page.context().close();
});

test('pieces can be dragged, with motion on', async () => {
  const page = await open('#/play/hop?level=1&kind=people', {reducedMotion: 'no-preference'});
  await until(page, async () => /is-source/.test(await square(page, '22').getAttribute('class')), 'the game begins');
  await until(page, async () => /is-source/.test(await square(page, '22').getAttribute('class')), '22 can be dragged');
  await square(page, '22').dragTo(square(page, '23'));
  await until(page, async () => (await plies(page)) === 1, 'the piece is dropped');
  assert.equal((await match(page)).plies[0].move, '22-23');
  await page.context().close();
});

test('a man dragged to the end of the only chain that leads there goes all of it, and waits to be sent', async () => {
  const page = await open('#/play/hop?level=1&kind=people&position=......../.XO.O.../......../.....O../......../......../X......./.......O_b_10_10');
  await until(page, async () => /is-source/.test(await square(page, '11').getAttribute('class')), '11 can be dragged');
  await square(page, '11').dragTo(square(page, '15'));
  await page.getByText('2 hops so far, 2 captured').waitFor();
  await page.getByRole('button', {name: 'Undo last step'}).click();
  await page.getByText('1 hop so far, 1 captured').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Black: choose where to go.').waitFor();
  await square(page, '15').click();
  await page.getByText('No single step or hop leads from 11 to 15: hop there one by one.').waitFor();
  await page.context().close();
});

test('a game can be set up and begun with the keyboard alone', async () => {
  const page = await open('#/play/othello');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  const cell = square(page, '44');
  await cell.waitFor();
  await until(page, async () => (await page.locator('.is-target').count()) === 4, 'the moves are shown');
  for (let tabs = 0; tabs < 30 && !(await cell.evaluate((element) => element === document.activeElement)); tabs++) await page.keyboard.press('Tab');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await until(page, async () => (await plies(page)) >= 1, 'the move is played');
  assert.equal((await match(page)).plies[0].move, '23');
  await page.context().close();
});

test('going elsewhere closes the dialog and stays there', async () => {
  const page = await open('#/play/hop');
  await page.getByRole('dialog').waitFor();
  await page.evaluate(() => { location.hash = '#/agents'; });
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  await page.waitForTimeout(300);
  assert.match(page.url(), /#\/agents$/);
  await page.context().close();
});

test('hint, resign and a link to the position work', async () => {
  const page = await open('#/play/hop?level=1');
  await page.getByRole('button', {name: 'Hint'}).click();
  await page.getByText(/Plum would play \d/).waitFor();
  assert.ok(await page.locator('.stage .is-hint').count() >= 2);
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', {name: 'Resign'}).click();
  await page.getByRole('heading', {name: 'Plum wins'}).waitFor();
  await page.getByText('You gave up.').waitFor();
  await checkRecord(page);
  await page.context().close();
});

test('who bids too little gets the other colour for nothing, and White sees the board from its side', async () => {
  const {colour} = await (await fetch(`${arena.url}api/v1/bid?game=meichu`)).json();
  const wanted = ['Black', 'White'][colour];
  const left = ['White', 'Black'][colour];
  const page = await open('#/play/meichu?level=1');
  await page.getByRole('radio', {name: wanted}).check();
  await page.getByRole('spinbutton', {name: 'You: price'}).fill('-5');
  await page.getByRole('button', {name: 'Seal the bid'}).click();
  await page.getByText(`You play ${left} with 150`).waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await page.getByText(`${left} to move`).waitFor();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), left === 'White' ? '88' : '00');
  await page.context().close();
});

test('two people bid in secret', async () => {
  const page = await open('#/play/meichu?level=1&kind=people');
  for (const [player, price] of [['Player 1', '12'], ['Player 2', '30']]) {
    const field = page.getByLabel(`${player}: price`);
    assert.equal(await field.getAttribute('type'), 'password');
    await field.fill(price);
    await page.getByRole('button', {name: 'Seal the bid'}).click();
  }
  await page.getByText('12 + 1 = 13').waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await until(page, () => match(page), 'the game begins');
  const {players, start} = await match(page);
  assert.equal(players.black.name, 'Player 2');
  assert.match(start, / b 137 150$/);
  await page.context().close();
});

const MOVES = '33.23.13.22.43.53.63.24.14.42.34.52.15.12.11.25';

test('a game can be replayed with a graph, its blunders are found and can be solved', async () => {
  const page = await open(`#/learn/reversi?moves=${MOVES}`);
  await page.getByText(/blunders? found|No blunder found/).waitFor();
  assert.ok((await page.locator('.chart .curve').getAttribute('d')).split('L').length === MOVES.split('.').length + 1);
  await page.keyboard.press('ArrowRight');
  await page.getByText('1. Black played 33').waitFor();
  await page.getByRole('slider', {name: 'Move'}).fill('16');
  await page.getByText('16. White played 25').waitFor();
  if (await page.locator('.chart .blunder').count()) {
    await page.getByRole('button', {name: 'Solve the blunders'}).click();
    await page.getByText(/Puzzle 1 of/).waitFor();
    await page.getByRole('button', {name: 'Show it'}).click();
    await page.getByText(/should have played/).waitFor();
    assert.equal(await page.locator('.stage .is-source, .stage .is-target').count(), 0, 'what is shown cannot be solved');
    await page.getByRole('button', {name: /Next puzzle|Done/}).click();
    await page.getByText(/Puzzle 2 of|Done: 0 of/).waitFor();
  }
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Picture'}).click()]);
  assert.match(picture.suggestedFilename(), /^reversi-.*\.svg$/);
  await page.context().close();
});

test('a record can be pasted, and a name in it stays a name', async () => {
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
  await page.context().close();
});

test('an address that makes no sense is told so and breaks nothing', async () => {
  const page = await open('');
  for (const address of ['#/constructor', '#/%E0%A4%A', '#/play/hop?level=999', '#/play/hop?level=abc', '#/play/hop?level=1&kind=xyz',
    '#/play/hop?level=1&side=purple', '#/learn/hop?moves=zz']) {
    await page.goto(`${arena.url}${address}`);
    await page.getByRole('heading', {name: 'That did not work'}).waitFor();
    await page.getByRole('link', {name: 'Rules'}).click();
    await page.getByRole('heading', {name: 'Hop', exact: true}).waitFor();
  }
  assert.equal(await page.evaluate(() => localStorage.getItem('plum.running')), null);
  await page.context().close();
});

test('a new game leaves the one before where it was', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.goto(arena.url);
  await page.getByRole('link', {name: 'Play now'}).click();
  await page.getByRole('heading', {name: 'Hop'}).waitFor();
  await page.goto(`${arena.url}#/`);
  await page.getByRole('link', {name: /^Othello You against Plum, level 1/}).click();
  await page.getByText(/White played .* Black to move/).waitFor();
  assert.equal(await plies(page), 2);
  const twin = await page.context().newPage();
  await twin.goto(page.url());
  await twin.getByText(/White played .* Black to move/).waitFor();
  await twin.getByRole('button', {name: 'Take back'}).click();
  await page.locator('.moves li').first().waitFor({state: 'detached'});
  await page.context().close();
});

test('a sealed bid stays sealed through a reload', async () => {
  const page = await open('#/play/meichu?level=1');
  await page.getByRole('heading', {name: 'The auction', level: 1}).waitFor();
  await page.getByRole('spinbutton', {name: 'You: price'}).fill('141');
  await page.getByRole('button', {name: 'Seal the bid'}).click();
  await page.getByRole('button', {name: 'To the board'}).waitFor();
  const bids = await page.locator('.envelopes').textContent();
  await page.reload();
  await page.getByRole('button', {name: 'To the board'}).waitFor();
  assert.equal(await page.locator('.envelopes').textContent(), bids);
  assert.match(bids, /141/);
  await page.context().close();
});

test('keys work on the board only, without Ctrl, and nothing to take back disturbs nobody', async () => {
  const page = await open('#/play/othello?level=10&side=white');
  const isOnBoard = () => page.evaluate(() => Boolean(document.activeElement.closest('.grid')));
  const corner = () => page.locator('.stage .cell').first().getAttribute('data-square');
  await page.getByText(/is thinking/).waitFor();
  assert.ok(await isOnBoard(), 'the board has the focus when a game begins');
  await page.keyboard.press('u');
  await page.keyboard.press('Control+f');
  assert.equal(await corner(), '00');
  await page.keyboard.press('f');
  assert.equal(await corner(), '77');
  assert.ok(await isOnBoard());
  await page.getByRole('link', {name: 'Learn'}).focus();
  await page.keyboard.press('f');
  assert.equal(await corner(), '77');
  await page.locator('.status', {hasText: /^Black played \d\d\. White to move\.$/}).waitFor();
  await page.context().close();
});

test('a hint, even two, leaves a chain as it is', async () => {
  const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`);
  await pick(page, '22');
  await pick(page, '24');
  await page.getByText('1 hop so far').waitFor();
  await page.keyboard.press('h');
  await page.keyboard.press('h');
  await page.locator('[role=status]', {hasText: 'Plum would play'}).waitFor();
  await page.getByText('1 hop so far').waitFor();
  await playSquares(page, '44-42');
  assert.equal((await match(page)).plies[0].move, '22-24-44-42');
  await page.context().close();
});

test('a reload gives no time back', async () => {
  const page = await open('');
  await page.clock.install();
  await page.goto(`${arena.url}#/play/othello?level=1`);
  await page.getByText('Black to move').waitFor();
  await page.clock.fastForward(65000);
  await page.reload();
  await page.locator('.player.black .clock', {hasText: /^1:/}).waitFor();
  await page.context().close();
});

test('without storage, or with a damaged one, there is still a game', async () => {
  const page = await open('');
  await page.addInitScript(() => {
    if (location.search === '?denied') Object.defineProperty(globalThis, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }});
  });
  await page.goto(`${arena.url}?denied#/play/othello?level=1`);
  await pick(page, '23');
  await page.getByText(/White played/).waitFor();
  await page.goto(`${arena.url}#/rules`);
  await page.evaluate(() => localStorage.setItem('plum.running', JSON.stringify([{seed: 5, game: 'hop', start: 'x', plies: [], players: {black: {}, white: {}}}])));
  await page.goto(`${arena.url}#/play`);
  await page.getByText(/damaged and was put away/).waitFor();
  await page.getByRole('link', {name: 'New game'}).click();
  await page.getByRole('dialog').waitFor();
  await page.context().close();
});

// The families of our own fonts that the page has fetched and uses.
const fontsOf = (page) => page.evaluate(async () => {
  await document.fonts.ready;
  return [...document.fonts].filter(({status}) => status === 'loaded').map(({family}) => family.replaceAll('"', '')).sort();
});

test('every page is set in our own fonts', async () => {
  const page = await open('#/rules/meichu');
  await page.getByRole('heading', {name: 'MeiChu', exact: true}).first().waitFor();
  assert.deepEqual(await fontsOf(page), ['Plum Sans', 'Plum Serif']);
  await page.context().close();
});

test('the first page can be held still', async () => {
  const page = await open('', {reducedMotion: 'no-preference'});
  await page.getByRole('button', {name: /Pause/}).click();
  await page.getByRole('button', {name: /Go on/}).waitFor();
  await page.context().close();
  const still = await open('');
  await still.getByRole('button', {name: /Go on/}).waitFor();
  await still.context().close();
});

for (const [font, option] of FONTS) {
  test(`a small phone shows all of every page, and a dialog from its top: ${font}`, async () => {
    const page = await open('', {viewport: {width: 320, height: 568}, hasTouch: true, isMobile: true, ...option});
    await page.evaluate(() => localStorage.setItem('plum.setup', '{"game": "meichu"}'));
    const long = 'x'.repeat(120);
    for (const address of [...PAGES, '#/learn']) {
      await page.goto(`${arena.url}${address}`);
      await page.waitForTimeout(300);
      if (address === '#/play/reversi') assert.equal(await page.locator('dialog').evaluate((dialog) => dialog.scrollTop), 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - screen.width);
      assert.ok(wide <= 0, `${address} is ${wide} px wider than the screen`);
    }
    await page.getByLabel(/Paste a game record/).fill(`[Game "hop"]\n[Black "${long}"]\n[White "b"]\n[Result "*"]\n\n1. b 22-23\n\n`);
    await page.getByRole('button', {name: 'Open'}).click();
    await page.locator('.names', {hasText: long}).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= screen.width));
    await page.context().close();
  });
}

const PAGES = ['', '#/play/hop?level=1', '#/play/meichu?level=1', '#/play/reversi', `#/learn/reversi?moves=${MOVES}`, '#/rules/meichu', '#/learn', '#/rules/hop', '#/engine/meichu', '#/agents'];

for (const [name, options] of [['light', {}], ['dark', {colorScheme: 'dark'}], ['on a phone', {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true}]]) {
  test(`no page has a serious accessibility fault: ${name}`, async () => {
    const page = await open('', options);
    for (const address of name === 'dark' ? PAGES.slice(0, 6) : PAGES) {
      await page.goto(`${arena.url}${address}`);
      await page.waitForTimeout(300);
      await findFaults(page, address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - screen.width);
      assert.ok(wide <= 0, `${address} is ${wide} px wider than the screen`);
    }
    if (name === 'dark') assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.context().close();
  });
}

test('a running tournament can be watched: boards move, standings follow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  const run = await beginTournament(folder, 300);
  const live = await openArena('--db', join(folder, 'class.db'));
  const page = await open('');
  await page.goto(`${live.url}#/watch`);
  await page.getByRole('heading', {name: '<b>Class</b>'}).waitFor();
  await page.locator('.live .board').first().waitFor();
  const discs = () => page.locator('.live .piece.disc').count();
  const before = await discs();
  await until(page, async () => (await discs()) > before + 3, 'the boards move');
  await until(page, async () => (await page.locator('progress').getAttribute('value')) > 0, 'a game is over and counted');
  await findFaults(page, 'watch');
  await page.locator('.watch .table a', {hasText: '<script>alert(1)</script>'}).click();
  await page.getByText(/^Place \d/).waitFor();
  await page.getByText(/^Slowest move \d+\.\d\d s\. Faults: none\./).waitFor();
  await page.getByRole('link', {name: /^(1-0|0-1|1\/2-1\/2)$/}).first().click();
  await page.locator('.chart').waitFor();
  await page.goto(`${live.url}#/watch/1/screen`);
  await page.getByRole('link', {name: 'Leave the big screen'}).waitFor();
  await page.locator('.live .live-note').last().waitFor();
  const height = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.ok(height <= 0, `the big screen is ${height} px too high`);
  await page.context().close();
  await closeArena({child: run});
  assert.equal(await closeArena(live), 0);
  rmSync(folder, {recursive: true});
});

test('the engine shows depth, positions and its line while it thinks, of whatever is on the board', async () => {
  const page = await open('#/engine/othello');
  const rows = page.getByRole('region', {name: 'Depth by depth'}).locator('tbody tr');
  await until(page, async () => (await rows.count()) > 2, 'one depth after the other is shown');
  assert.match(await rows.first().textContent(), /^\d+[\d.]+[kM]?.*[+−]?\d+\.\d/);
  await page.getByRole('button', {name: 'Stop'}).click();
  await page.getByText(/White should play \d\d/).waitFor();
  const [first] = (await rows.first().locator('.line').textContent()).split(' ');
  await pick(page, first);
  await page.getByText('Black to move. Plum is looking').waitFor();
  await findFaults(page, 'engine');
  await page.goto(`${arena.url}#/engine/hop?position=nonsense`);
  await page.getByRole('alert').waitFor();
  await page.context().close();
});

test('several tournaments are listed, and each has its page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  await finishTournament(folder, 'Monday');
  const live = await openArena('--db', join(folder, 'class.db'), '--db', join(folder, 'class.db'));
  const page = await open('');
  await page.goto(`${live.url}#/watch`);
  await page.getByRole('heading', {name: 'Tournaments'}).waitFor();
  assert.equal(await page.getByRole('link', {name: 'Monday'}).count(), 2);
  await findFaults(page, 'list of tournaments');
  await page.getByRole('link', {name: 'Monday'}).last().click();
  await page.getByText('All games are played.').waitFor();
  assert.match(page.url(), /#\/watch\/2$/);
  await page.getByRole('link', {name: /^(1-0|0-1|1\/2-1\/2)$/}).first().click();
  await page.locator('.chart').waitFor();
  assert.match(page.url(), /#\/learn\/tournament\/2\//);
  await page.context().close();
  assert.equal(await closeArena(live), 0);
  rmSync(folder, {recursive: true});
});

test('who watches sees the final table, and is told when the arena is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plum-live-'));
  const page = await open('', {}, /Failed to load resource|ERR_CONNECTION/);
  const {child, url} = await runServed(folder);
  await page.goto(`${url}#/watch`);
  await page.getByText('All games are played.').waitFor();
  assert.equal(await page.locator('progress').getAttribute('value'), await page.locator('progress').getAttribute('max'));
  await page.getByText('The arena does not answer').waitFor();
  await page.context().close();
  if (child.exitCode === null) await once(child, 'exit');
  rmSync(folder, {recursive: true});
});

test('the single offline file plays without a server', async () => {
  const file = join(scratch, 'plum.html');
  const module = join(scratch, 'plum.wasm');
  writeFileSync(module, Buffer.from(await (await fetch(`${arena.url}plum.wasm`)).arrayBuffer()));
  writeFileSync(file, execFileSync('sh', [join(here, '../../tools/offline.sh'), join(here, '../../web'), join(here, '../../src/games'), module], {maxBuffer: 2 ** 28}));
  const page = await open(`file://${file}#/play/othello?level=3`);
  const asked = [];
  page.on('request', (request) => /^http/.test(request.url()) && asked.push(request.url()));
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  assert.deepEqual(await fontsOf(page), ['Plum Sans', 'Plum Serif']);
  await page.goto(`file://${file}#/learn/reversi?moves=${MOVES}`);
  await page.getByRole('button', {name: 'Look deeper here'}).click();
  await page.getByText(/^Depth \d/).waitFor();
  await page.getByText(/blunders? found|No blunder found/).waitFor();
  assert.match(await page.locator('.say .line').textContent(), /^Depth/);
  assert.deepEqual(asked, []);
  await page.context().close();
});
