// play: games in a real Chromium, as a user plays them: against the engine and between two people.
import test from 'node:test';
import assert from 'node:assert/strict';
import {focused, playByKeyboard, winByKeyboard} from './keyboard.mjs';
import {CHAIN, arena, checkRecord, choose, denyStorage, findFaults, match, open, openOwn, pick, playSquares, plies, resign, square, storedGame, until} from './visitor.mjs';

test('a whole game of meichu is set up, played and won with the keyboard alone', () => winByKeyboard('meichu'));

// White is too far away to reach a man of Black, or its own target, in three moves: it does not matter what it plays.
test('a game of hop can be played to its end and won with the keyboard alone', async () => {
  const page = await open('#/play/hop?level=1&position=......../......../....X.../......../....X.../......../......../.......O_b_10_10');
  await until(page, () => match(page), 'the game begins');
  await playByKeyboard(page);
  await page.locator('.banner', {hasText: 'You win!2 : 0All your men are home.'}).waitFor();
  assert.match(await checkRecord(page), /\[Result "1-0"\]\n\[Score "2-0"\]\n\[Reason "all-home"\]/);
});

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
  assert.equal(await plies(page), 0, 'the complete chain also waits');
  await square(page, '42').click();
  await until(page, () => plies(page), 'a second click on its last square sends it');
  const {plies: [first]} = await match(page);
  assert.equal(first.move, '22-24-44-42');
  assert.equal(first.position.split(' ')[0], '......../......../......../......../..X....O/......../.X....../........');
  await page.getByRole('button', {name: 'Take back'}).click();
  await until(page, async () => (await plies(page)) === 0, 'the move is taken back');
});

test('a side without a move is asked to pass', async () => {
  const page = await open('#/play/reversi?level=1&position=*XXX..X*/OOXXXXXX/XOOXXXXX/XOOOXOXX/XOXOOXOX/XXOXOXOX/XXXOXOOX/*OOOOOO*_b');
  await page.getByText('You have no move and must pass').waitFor();
  assert.equal(await focused(page), 'Pass');
  await page.keyboard.press('Enter');
  await until(page, async () => (await plies(page)) >= 2, 'the other side moves');
  assert.match(await focused(page), /^(\d\d|Pass)$/, 'the focus is not lost');
  assert.equal((await match(page)).plies[0].move, 'pass');
});

test('meichu shows what a move costs, and breaking an own barrier pays', async () => {
  const page = await open('#/play/meichu?level=1&kind=people&position=....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_20_20');
  await pick(page, '44');
  await until(page, async () => (await page.locator('.badge').count()) > 4, 'the costs are shown');
  assert.equal(await square(page, '34').locator('.badge').textContent(), '−5');
  assert.equal(await square(page, '54').locator('.badge').textContent(), '+1');
  await square(page, '54').hover();
  await page.locator('.player.black .budget-cost').getByText('+1').waitFor();
  await pick(page, '54');
  await until(page, () => plies(page), 'the move is played');
  assert.match((await match(page)).plies[0].position, / w 21 20$/);
});

test('a click on a square that cannot be chosen is answered with the reason', async () => {
  const page = await open('#/play/hop?level=1&kind=people');
  const detail = page.locator('.detail');
  const refused = async (name, text) => {
    await square(page, name).click();
    await detail.getByText(text).waitFor();
  };
  await until(page, () => page.locator('.stage .is-source').count(), 'the game begins');
  await refused('33', 'Square 33 is empty. Choose a piece of Black.');
  await refused('17', "The man on 17 is White's. Black moves.");
  await pick(page, '22');
  await until(page, async () => (await detail.textContent()) === '', 'the reason disappears with the next click');
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
});

test('a reload in the middle changes nothing', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  const old = await match(page);
  await page.reload();
  await page.getByText('Your move').waitFor();
  assert.deepEqual((await match(page)).plies, old.plies);
  assert.equal(await page.locator('.moves li').count(), 2);
  assert.equal(await page.title(), 'Your move · Othello · Plum');
});

test('earlier positions can be looked at while a game is played', async () => {
  const page = await open('#/play/othello?level=1&kind=people');
  for (const move of ['23', '22', '32']) await playSquares(page, move);
  const discs = () => page.locator('.stage .board .piece').count();
  await page.locator('.moves').getByRole('button', {name: '23'}).click();
  await page.getByText('Move 1 of 3: Black played 23.').waitFor();
  assert.equal(await discs(), 5);
  assert.equal(await page.locator('.stage .is-target').count(), 0, 'no move can be made there');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('The start of the game.').waitFor();
  assert.equal(await discs(), 4);
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight');
  await page.getByText('Move 2 of 3: White played 22.').waitFor();
  assert.equal(await focused(page), '22', 'the focus follows in the list');
  await page.getByRole('button', {name: 'Back to the game'}).click();
  await page.getByText('White to move').waitFor();
  await playSquares(page, '42');
  assert.equal((await match(page)).plies.length, 4);
});

test('pieces can be dragged, with motion on', async () => {
  const page = await open('#/play/hop?level=1&kind=people', {reducedMotion: 'no-preference'});
  await until(page, async () => /is-source/.test(await square(page, '22').getAttribute('class')), '22 can be dragged');
  await square(page, '22').dragTo(square(page, '23'));
  await until(page, async () => (await plies(page)) === 1, 'the piece is dropped');
  assert.equal((await match(page)).plies[0].move, '22-23');
});

test('a man dragged to the end of the only chain that leads there makes the whole chain, and waits to be sent', async () => {
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
});

test('a step back closes the rules and stays in the game, and closing them leaves no entry in the history', async () => {
  const page = await open('#/');
  await page.goto(`${arena.url}#/play/othello?level=1&kind=people`);
  const rules = page.getByRole('button', {name: 'Rules'});
  const sheet = page.getByRole('dialog', {name: 'Othello'});
  await playSquares(page, '23');
  const length = await page.evaluate(() => history.length);
  await rules.click();
  await sheet.waitFor();
  await page.goBack();
  await sheet.waitFor({state: 'detached'});
  assert.equal(await plies(page), 1);
  await rules.click();
  await sheet.getByRole('button', {name: 'Close'}).click();
  await until(page, () => page.evaluate(() => !history.state?.hasRules), 'its entry is left');
  await rules.click();
  await sheet.getByRole('link', {name: 'The page of rules'}).click();
  await page.getByRole('heading', {name: 'Othello', level: 1}).waitFor();
  await page.waitForFunction(() => location.hash === '#/rules/othello');
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.goBack();
  await until(page, async () => (await plies(page)) === 1, 'the game is back');
  await page.goBack();
  await page.locator('.hero').waitFor();
});

test('a change to another page closes the dialog and stays on that page', async () => {
  const page = await open('#/play/hop');
  await page.getByRole('dialog').waitFor();
  await page.evaluate(() => { location.hash = '#/agents'; });
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  // The game that the dialog was for ends in the same task that removes the dialog.
  await page.locator('dialog').waitFor({state: 'detached'});
  assert.equal(await page.evaluate(() => location.hash), '#/agents');
  await page.goto(`${arena.url}#/play/new`);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  assert.equal(await page.evaluate(() => location.hash), '#/agents', 'a dialog that is cancelled leads back');
  await page.goto(`${arena.url}#/play/hop`);
  await page.getByRole('radio', {name: 'Two people here'}).check();
  await page.getByLabel('Name of Black').fill('Ann');
  await page.getByRole('button', {name: 'Start'}).click();
  await page.getByText('Ann (Black) to move').waitFor();
});

test('hint, resign and a link to the position work', async () => {
  const page = await open('#/play/hop?level=1');
  await page.getByRole('button', {name: 'Hint'}).click();
  await page.getByText(/Plum would play \d/).waitFor();
  await page.getByRole('button', {name: 'Rules'}).click();
  await page.getByRole('dialog', {name: 'Hop'}).getByText('Nothing is ever diagonal').waitFor();
  await page.keyboard.press('Escape');
  assert.match(page.url(), /#\/play\/table\//, 'the rules are read without leaving the game');
  assert.ok(await page.locator('.stage .is-hint').count() >= 2);
  await choose(page, 'Resign');
  await page.getByRole('alertdialog').getByRole('button', {name: 'Cancel'}).click();
  await resign(page);
  await page.getByRole('heading', {name: 'Plum wins'}).waitFor();
  await page.getByText('You gave up.').waitFor();
  await checkRecord(page);
  await page.getByRole('button', {name: 'Take back'}).click();
  await page.getByText('Your move').waitFor();
  assert.equal((await match(page)).ended, null, 'a resignation before the first move can be taken back');
});

test('a bid that is too low gets the other colour for nothing, and White sees the board from its side', async () => {
  const {colour} = await (await fetch(`${arena.url}api/v1/bid?game=meichu`)).json();
  const wanted = ['Black', 'White'][colour];
  const left = ['White', 'Black'][colour];
  const page = await open('#/play/meichu?level=1');
  await page.getByRole('radio', {name: wanted}).check();
  const slider = page.getByRole('slider', {name: 'Price'});
  await slider.focus();
  for (let price = 0; price < 3; price++) await page.keyboard.press('ArrowRight');
  await page.getByText(`you pay its bid + 1 and keep at least 147. If it bids the same, lots are drawn; if it bids more, it pays 4 for ${wanted}, and you play ${left} with 150.`).waitFor();
  await page.getByRole('button', {name: 'What is a colour worth?'}).click();
  await page.getByRole('row', {name: /^100 \d+\s% \d+\s%$/}).waitFor();
  await page.getByRole('button', {name: 'Rules'}).click();
  await page.getByRole('dialog', {name: 'MeiChu'}).getByText('Different colours: both get theirs for nothing.').waitFor();
  await findFaults(page, 'the rules next to the auction');
  await page.keyboard.press('Escape');
  for (const price of ['0', '-5']) { // Plum does not bid less
    await page.getByRole('spinbutton', {name: 'You: price'}).fill(price);
    await page.getByText(/^If Plum also wants \w+ and bids the same, lots are drawn; if it bids more, it pays 1/).waitFor();
  }
  await page.getByRole('button', {name: 'Send the bid'}).click();
  await page.getByText(`You play ${left} with 150`).waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await page.getByText('Your move').waitFor();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), left === 'White' ? '88' : '00');
});

test('two people bid in secret', async () => {
  const page = await open('#/play/meichu?level=1&kind=people');
  for (const [player, price] of [['Player 1', '12'], ['Player 2', '30']]) {
    const field = page.getByLabel(`${player}: price`);
    assert.equal(await field.getAttribute('type'), 'password');
    await field.fill(price);
    await page.getByRole('button', {name: 'Send the bid'}).click();
  }
  await page.getByText('12 + 1 = 13').waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await until(page, () => match(page), 'the game begins');
  const {players, start} = await match(page);
  assert.equal(players.black.name, 'Player 2');
  assert.match(start, / b 137 150$/);
});

test('a new game leaves the previous one as it was', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await page.goto(arena.url);
  await page.getByRole('link', {name: 'Play now'}).click();
  await page.getByRole('heading', {name: 'Hop'}).waitFor();
  await page.goto(`${arena.url}#/`);
  await page.getByRole('link', {name: /^Othello You against Plum, level 1/}).click();
  await page.getByText(/Plum played .* Your move/).waitFor();
  assert.equal(await plies(page), 2);
  const twin = await page.context().newPage();
  await twin.goto(page.url());
  await twin.getByText(/Plum played .* Your move/).waitFor();
  await twin.getByRole('button', {name: 'Take back'}).click();
  await page.locator('.moves li').first().waitFor({state: 'detached'});
});

test('a bid stays as it was through a reload', async () => {
  const page = await open('#/play/meichu?level=1');
  await page.getByRole('heading', {name: 'The auction', level: 1}).waitFor();
  await page.getByRole('spinbutton', {name: 'You: price'}).fill('141');
  await page.getByRole('button', {name: 'Send the bid'}).click();
  await page.getByRole('button', {name: 'To the board'}).waitFor();
  const bids = await page.locator('.envelopes').textContent();
  await page.reload();
  await page.getByRole('button', {name: 'To the board'}).waitFor();
  assert.equal(await page.locator('.envelopes').textContent(), bids);
  assert.match(bids, /141/);
});

test('keys work on the board only, without Ctrl, and the key to take back has no effect before the first move', async () => {
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
  await page.locator('.status', {hasText: /^Plum played \d\d\. Your move: choose a marked square\.$/}).waitFor();
});

test('a hint, even two, leaves a chain as it is', async () => {
  const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`);
  await pick(page, '22');
  await pick(page, '24');
  await page.getByText('1 hop so far').waitFor();
  await page.keyboard.press('h');
  await page.keyboard.press('h');
  await page.locator('[role=status]', {hasText: 'Plum would play'}).waitFor();
  assert.deepEqual(await Promise.all(['24', '44', '42'].map((name) => square(page, name).locator('.of-hint').textContent())), ['1', '2', '3']);
  assert.match(await square(page, '42').getAttribute('aria-label'), /hop 3 of the hint/);
  await page.getByText('1 hop so far').waitFor();
  await playSquares(page, '44-42');
  assert.equal((await match(page)).plies[0].move, '22-24-44-42');
});

test('a position is set up piece by piece, checked by the rules, and then solved, played and edited again', async () => {
  const page = await open('#/play/edit/hop');
  const status = page.locator('.prompt .status');
  const text = page.getByLabel('Position as text');
  const play = page.locator('.commit a', {hasText: 'Play'});
  await page.getByRole('radio', {name: 'White man'}).check();
  await status.getByText('Black to move').waitFor();
  await square(page, '44').press('Enter');
  await status.getByText('White has 10 pieces on the board; at most 9 are possible.').waitFor();
  assert.equal(await play.getAttribute('href'), null, 'a position that cannot be is not played');
  assert.match(await text.inputValue(), /X\.X\.O\.O\./);
  await square(page, '44').click();
  await status.getByText('Black to move').waitFor();
  await page.getByLabel('Moves used by Black').fill('7');
  await page.locator('.status.is-wrong').waitFor();
  await page.getByRole('radio', {name: 'White', exact: true}).check();
  await status.getByText('White to move; moves used 1 : 0 of 200').waitFor();
  await text.fill('nonsense');
  await text.press('Enter');
  await status.getByText("'n' is none of").waitFor();
  await text.fill('start');
  await text.press('Enter');
  await until(page, async () => / b 0 0$/.test(await text.inputValue()), 'the word start is a position');
  assert.match(await square(page, '00').getAttribute('aria-label'), /black man/);
  await page.goto(`${arena.url}#/play/edit/meichu`);
  await status.getByText('Black to move').waitFor();
  await page.getByLabel('Budget of White').fill('20');
  await until(page, async () => / b 150 20$/.test(await text.inputValue()), 'the budget is part of the position');
  await page.getByRole('radio', {name: 'White', exact: true}).check();
  await status.getByText('White to move').waitFor();
  await page.goto(`${arena.url}#/play/edit/meichu?position=....f..../........./.......s./........./........./........./....S..../........./....F...._b_150_150`);
  await status.getByText('Black to move').waitFor();
  await page.getByRole('button', {name: 'Solve'}).click();
  await page.getByText('Black should play 64-04. Black wins in 1 move.', {exact: true}).waitFor();
  const almost = '*XXX..X*/OOXXXXXX/XOOXXXXX/XOOOXOXX/XOXOOXOX/XXOXOXOX/XXXOXOOX/*OOOOOO*_w';
  await page.goto(`${arena.url}#/play/edit/reversi?position=${almost}`);
  await status.getByText('White to move').waitFor();
  await square(page, '00').click();
  await page.getByRole('button', {name: 'Solve'}).click();
  await page.getByText(/^Solved: White should play 0\d\. (Black|White) wins by \d+ discs\./).waitFor();
  await play.click();
  await page.getByText('from the position in the link').waitFor();
  await page.getByRole('radio', {name: 'Two people here'}).check();
  await page.getByRole('button', {name: 'Start'}).click();
  await page.getByText('White to move').waitFor();
  const {start} = await match(page);
  assert.equal(start, almost.replaceAll('*', '#').replace('_', ' '));
  await choose(page, 'Edit the position');
  await until(page, async () => await text.count() && (await text.inputValue()) === start, 'the position of the game is shown');
});

test('a reload gives no time back', async () => {
  const page = await openOwn('#/play/othello?level=1', {}, ({clock}) => clock.install());
  await page.getByText('Your move').waitFor();
  await page.clock.fastForward(65000);
  await page.reload();
  await page.locator('.player.black .clock', {hasText: /^1:/}).waitFor();
});

test('without storage, or with a damaged one, there is still a game', async () => {
  const denied = await openOwn('#/play/othello?level=1', {}, denyStorage);
  await pick(denied, '23');
  await denied.getByText(/Plum played/).waitFor();
  const page = await open('#/rules');
  for (const start of ['x', `Z.......${'/........'.repeat(7)} b 0 0`]) {
    await page.evaluate((game) => localStorage.setItem('plum.running', JSON.stringify([game])), {...storedGame, start});
    await page.goto(`${arena.url}#/rules`);
    await page.goto(`${arena.url}#/play`);
    await page.getByText(/damaged and was put away/).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('plum.running')), '[]');
  }
  await page.getByRole('link', {name: 'New game'}).click();
  await page.getByRole('dialog').waitFor();
});
