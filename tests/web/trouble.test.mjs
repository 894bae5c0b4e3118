// trouble: the server ends, a request fails, two tabs show the same game, the time is up, stored values are damaged.
import test from 'node:test';
import assert from 'node:assert/strict';
import {openArena, closeArena} from './arena.mjs';
import {FAILED_REQUEST, arena, checkRecord, choose, denyStorage, match, open, openOwn, pick, playSquares, plies, resign, savedBy, square, storedGame, until} from './visitor.mjs';

test('a game continues when the server is gone, also after a search was stopped', async () => {
  const doomed = await openArena();
  const page = await open(`${doomed.url}#/play/othello?level=10`, {}, FAILED_REQUEST);
  await pick(page, '23');
  await page.getByText(/is thinking/).waitFor();
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({name, responseEnd}) => /plum\.\w+\.wasm/.test(name) && responseEnd));
  assert.equal(await closeArena(doomed), 0);
  await page.getByRole('button', {name: 'Take back'}).click();
  await until(page, async () => (await plies(page)) === 0, 'the move is taken back');
  await playSquares(page, '32');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
});

test('a page that could not be loaded can be tried again', async () => {
  const page = await open('#/rules/hop', {}, FAILED_REQUEST);
  await page.locator('.try .is-source').first().waitFor();
  await page.route('**/docs.*.js', (route) => route.abort());
  await page.getByRole('link', {name: 'Documents'}).click();
  await page.getByText('This page cannot be loaded.').waitFor();
  await page.unroute('**/docs.*.js');
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.locator('.document h1').waitFor();
});

test('after a failed request the user can try again', async () => {
  const page = await open('#/docs', {}, FAILED_REQUEST);
  await page.route('**/rules.*.wasm', (route) => route.abort());
  await page.route('**/api/v1/games', (route) => route.fulfill({status: 429, contentType: 'application/json', body: '{"error":"too many questions; wait a moment"}'}), {times: 1});
  await page.goto(`${arena.url}#/play/hop?level=1`);
  await page.getByText('Too many questions; wait a moment.').waitFor();
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText('The arena does not answer.').waitFor();
  await page.unroute('**/rules.*.wasm');
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText('Your move').waitFor();
  await playSquares(page, '22-23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
});

test('a game is not treated as damaged because the engine cannot be fetched', async () => {
  const page = await open('#/play/hop?level=1', {}, FAILED_REQUEST);
  await playSquares(page, '22-23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  let fail;
  await page.route('**/rules.*.wasm', (route) => { fail = () => route.abort(); });
  await page.reload();
  await page.getByText('Loading the rules').waitFor();
  assert.equal(await page.locator('.stage .board .piece').count(), 18, 'the men are shown before the rules are loaded');
  await until(page, () => fail, 'the rules are requested');
  await fail();
  await page.getByText('The arena does not answer.').waitFor();
  await page.unroute('**/rules.*.wasm');
  await page.getByRole('button', {name: 'Try again'}).click();
  await until(page, async () => (await plies(page)) === 2, 'the game is still there');
});

test('a game that the full storage of the browser cannot keep is marked, and can be saved', async () => {
  const page = await open('#/play/othello?level=1&kind=people');
  const notice = page.getByText('This browser cannot store the game');
  await playSquares(page, '23');
  assert.ok(await notice.isHidden());
  await page.evaluate(() => {
    let filler = 'x'.repeat(2 ** 20);
    for (let key = 0; filler; key++) {
      try {
        localStorage.setItem(`filler${key}`, filler);
      } catch {
        filler = filler.slice(filler.length / 2 + .5);
      }
    }
  });
  await square(page, '22').click();
  await notice.waitFor();
  assert.match(await savedBy(page, page.getByRole('button', {name: 'Save the record'})), /2\. w 22/);
  await page.setViewportSize({width: 390, height: 844});
  const {y, height} = await notice.boundingBox();
  assert.ok(y + height < 844, `on a phone it is seen without scrolling, not at ${y}`);
  await page.setViewportSize({width: 1280, height: 800});
  await page.evaluate(() => localStorage.removeItem('filler0'));
  await square(page, '32').click();
  await notice.waitFor({state: 'hidden'});
});

test('two tabs in one auction arrive at the same game', async () => {
  const page = await open('#/play/meichu?level=1&kind=people');
  const twin = await page.context().newPage();
  await page.getByLabel('Player 1: price').waitFor();
  await twin.goto(page.url());
  await twin.getByLabel('Player 1: price').waitFor();
  await page.getByLabel('Player 1: price').fill('12');
  await page.getByRole('button', {name: 'Send the bid'}).click();
  await twin.getByLabel('Player 2: price').fill('30');
  await twin.getByRole('button', {name: 'Send the bid'}).click();
  await twin.getByText('12 + 1 = 13').waitFor();
  await page.getByText('12 + 1 = 13').waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await playSquares(page, '64-54');
  await twin.locator('.moves li').waitFor();
  assert.equal(await plies(page), 1);
});

test('a game without a move is still there for a step back, and for another tab', async () => {
  const page = await open('#/play/meichu?level=1');
  await page.getByRole('button', {name: 'Send the bid'}).waitFor();
  const twin = await page.context().newPage();
  await twin.goto(`${arena.url}#/play/reversi?level=1`);
  await square(twin, '33').waitFor();
  await page.reload();
  await page.getByRole('button', {name: 'Send the bid'}).waitFor();
  await twin.goto(`${arena.url}#/`);
  await twin.getByRole('radio', {name: 'Othello'}).check();
  await twin.getByRole('link', {name: 'Play Othello'}).click();
  await twin.getByRole('button', {name: 'Start'}).click();
  await twin.getByRole('heading', {name: 'Othello'}).waitFor();
  await twin.goBack();
  await twin.goBack();
  await twin.getByRole('heading', {name: 'Reversi'}).waitFor();
});

test('a step back to a game that is no longer kept leads to a new one, or past it', async () => {
  const page = await open('#/agents');
  const games = [];
  for (let count = 0; count < 11; count++) {
    await page.goto(`${arena.url}#/play/othello?level=1`);
    await page.waitForURL(/#\/play\/table\//);
    await square(page, '23').waitFor();
    games.push(page.url());
  }
  const notice = page.getByRole('dialog').getByText('That game is not in this browser any more.');
  await page.evaluate(() => history.go(-10));
  await notice.waitFor();
  await page.getByRole('button', {name: 'Close'}).click();
  await page.waitForURL(games[10]);
  await page.goForward();
  await page.waitForURL(games[1]);
  await square(page, '23').waitFor();
  await page.goto(games[0]);
  await notice.waitFor();
  await page.getByRole('button', {name: 'Start'}).click();
  await page.locator('.stage').waitFor();
  await page.goto(`${arena.url}#/learn/mine/1`);
  await page.getByText('That game is not in this browser any more.').waitFor();
  await page.getByRole('heading', {name: 'Learn from a game'}).waitFor();
});

test('the clock of a player who has lost on time shows zero', async () => {
  const page = await openOwn('#/play/othello', {}, ({clock}) => clock.install());
  await page.getByLabel('Clock').selectOption('3');
  await page.getByRole('button', {name: 'Start'}).click();
  await page.locator('.stage .is-target').first().waitFor();
  await page.clock.fastForward(181000);
  await page.getByText('You ran out of time.').waitFor();
  await page.clock.fastForward(1000);
  assert.equal(await page.locator('.player.black .clock').textContent(), '0:00');
});

test('the time of the turn in which a player resigned stays on the clock', async () => {
  const page = await openOwn('#/play/othello?level=1', {}, ({clock}) => clock.install());
  await page.getByText('Your move').waitFor();
  await page.clock.fastForward(65000);
  await resign(page);
  await page.getByRole('heading', {name: 'Plum wins'}).waitFor();
  await page.clock.fastForward(1000);
  assert.match(await page.locator('.player.black .clock').textContent(), /^1:0/);
});

test('a game can be deleted, one that was only opened is not listed, and a flipped board stays flipped', async () => {
  const page = await open('#/play/hop?level=1');
  await page.getByText('Your move').waitFor();
  await page.goto(`${arena.url}#/play/othello?level=1`);
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  await choose(page, 'Flip');
  await page.reload();
  await page.getByText('Your move').waitFor();
  assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), '77');
  assert.equal((await match(page)).game, 'othello');
  await page.goto(`${arena.url}#/`);
  await page.getByRole('button', {name: /^Delete: Othello/}).click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await page.getByText('None is left.').waitFor();
  assert.equal(await page.getByRole('link', {name: /^Continue/}).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'None is left.', 'the focus is not lost');
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem('plum.running')).map(({game}) => game)), ['hop']);
});

test('a resignation can be taken back without a move; the keyboard stays on the board', async () => {
  const page = await open('#/play/othello?level=1');
  await playSquares(page, '23');
  await until(page, async () => (await plies(page)) === 2, 'the engine answers');
  const old = await match(page);
  const isOnBoard = () => page.evaluate(() => Boolean(document.activeElement.dataset.square));
  await resign(page);
  await page.getByRole('link', {name: 'Learn from it'}).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'More', 'the focus is not lost');
  await page.getByRole('button', {name: 'Take back'}).click();
  await page.getByText('Your move').waitFor();
  assert.deepEqual((await match(page)).plies, old.plies);
  await page.getByRole('button', {name: 'Take back'}).press('Enter');
  await until(page, async () => (await plies(page)) === 0, 'a move is taken back');
  await until(page, isOnBoard, 'the focus is on the board again');
});

test('a game that two tabs show is played once', async () => {
  const page = await open('#/play/reversi?level=2&rival=1&kind=engines&position=*..X...*/..OXX.O./..OOOO../.OOXOXX./XXXXXXX./..OXOO../..XOO.O./*......*_b');
  await until(page, async () => (await plies(page)) > 1, 'the game begins');
  const twin = await page.context().newPage();
  await twin.goto(page.url());
  await until(page, async () => (await match(page)).ended, 'the game ends');
  await twin.close();
  await checkRecord(page);
});

test('without storage a game can still be learned from', async () => {
  const page = await openOwn('#/play/hop?level=1', {}, denyStorage);
  await square(page, '22').waitFor();
  await resign(page);
  await page.getByRole('link', {name: 'Learn from it'}).click();
  await page.locator('.result', {hasText: 'White wins. You gave up.'}).waitFor();
});

// Fields that the pages do not store with a finished game; from the fourth on, with any game.
const DAMAGES = [
  {ended: {outcome: 'x', black: 1, white: 0}}, {ended: 5}, {ended: null}, {seed: 'x'}, {seed: -1}, {game: 5}, {start: null}, {date: {}}, {limitMs: 'zz'}, {auction: {bids: 7}},
  {players: {black: {kind: 'human'}}}, {players: {black: {kind: 'human'}, white: {kind: 'engine', level: 99}}}, {plies: [null]}, {plies: [{side: 'x', move: '22-23', position: '', ms: 1}]},
];

const store = (page, values) => page.evaluate((all) => {
  for (const [key, value] of Object.entries(all)) localStorage.setItem(key, JSON.stringify(value));
}, values);
const stored = (page, key) => page.evaluate((name) => JSON.parse(localStorage.getItem(name)), key);
const isPutAway = (page, why) => page.getByText(`The game that was kept here is damaged and was put away: ${why}`).waitFor();

test('of the stored finished games the damaged ones are left out or put away, and the others are kept', async () => {
  const page = await open('#/rules');
  const finished = {...storedGame, ended: {outcome: 'white', black: 0, white: 1, reason: 'resigned', how: 'resigned'}};
  const damaged = DAMAGES.map((damage, at) => ({...finished, seed: 10 + at, ...damage}));
  await store(page, {'plum.finished': [...damaged, null, 'x', {...finished, seed: 6, start: 'x'}, {...finished, seed: 7, game: 'gone'}, finished]});
  await page.goto(`${arena.url}#/learn`);
  const games = page.getByRole('link', {name: /beat you/});
  await games.first().waitFor();
  assert.equal(await games.count(), 3, 'the games that the page can list');
  await page.goto(`${arena.url}#/learn/mine/6`);
  await isPutAway(page, 'line ');
  await page.goto(`${arena.url}#/learn/mine/7`);
  await isPutAway(page, "There is no game called 'gone'");
  await page.goto(`${arena.url}#/learn/mine/10`);
  await page.getByText('That game is not in this browser any more.').waitFor();
  assert.deepEqual(await stored(page, 'plum.finished'), [finished]);
  await games.click();
  await page.locator('.result', {hasText: 'White wins. You gave up.'}).waitFor();
});

test('a stored game that this version cannot show is put away, and the others are kept', async () => {
  const page = await open('#/rules');
  const whole = {...storedGame, seed: 8};
  const far = [{side: 'black', move: '22-23', position: 'x', ms: 1}, {side: 'white', move: '26-25', position: storedGame.start, ms: 1}];
  for (const [damage, why] of [[{game: 'gone'}, 'there is no game called gone.'], [{auction: {bids: [null, null]}}, 'its kind of game has no auction.'], [{plies: far}, 'its board has another size.']]) {
    await store(page, {'plum.running': [...DAMAGES.slice(3).map((one) => ({...storedGame, ...one})), {...storedGame, ...damage}, whole]});
    await page.goto(`${arena.url}#/play`);
    await isPutAway(page, why);
    assert.deepEqual(await stored(page, 'plum.running'), [whole]);
    await page.goto(`${arena.url}#/rules`);
  }
  await page.goto(`${arena.url}#/play`);
  await page.getByText('Your move').waitFor();
});

test('damaged settings are not offered', async () => {
  const page = await open('#/rules');
  await store(page, {'plum.setup': {kind: 'engines', side: 'y', game: '__proto__', level: '99', rival: '-5', minutes: 'zz', one: 5}});
  await page.goto(`${arena.url}#/play`);
  await page.getByRole('dialog').waitFor();
  const {game, ...others} = await page.locator('dialog form').evaluate((form) => Object.fromEntries(new FormData(form)));
  assert.ok(game, 'a game is chosen');
  assert.deepEqual(others, {kind: 'engines', level: '3', rival: '5', side: 'black', minutes: '0'});
  await page.getByRole('button', {name: 'Start'}).click();
  await page.getByRole('button', {name: 'Pause'}).waitFor();
});

test('damaged results and numbers of puzzles are left out', async () => {
  const page = await open('#/rules');
  await store(page, {
    'plum.results': [[1, 'hop', 3, 'won'], [2, 'hop', 99, 'won'], [3, 'hop', 3, 'x'], [4, 5, 3, 'won'], null],
    'plum.puzzles': {hop: [null, 'x', 1e99, -1]}, 'plum.editions': 5, 'plum.theme': {}, 'plum.thinking': [], 'plum.sound': 'x',
  });
  await page.reload();
  await page.goto(`${arena.url}#/learn/puzzle/hop/next`);
  await page.waitForURL(/#\/learn\/puzzle\/hop\/1$/);
  await page.getByText(/^Moves used \d+ : \d+ of 200\.$/).waitFor();
  await page.goto(`${arena.url}#/`);
  const results = page.locator('.results tbody tr');
  await results.first().waitFor();
  assert.deepEqual(await results.evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(' '))), ['Hop 3 1 0 0']);
});

test('without the engine nothing is offered that cannot work', async () => {
  const page = await open('#/agents', {}, FAILED_REQUEST);
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(`${arena.url}#/play/hop?level=1`);
  await page.getByText('The arena does not answer.').waitFor();
  for (const name of ['Hint', 'Take back']) assert.ok(await page.getByRole('button', {name}).isDisabled(), name);
  assert.ok(await page.locator('.menu-list button', {hasText: 'Resign'}).isDisabled());
  await choose(page, 'Share');
  await page.getByRole('button', {name: 'Download the record'}).click();
  await page.locator('.toast', {hasText: 'The arena does not answer.'}).waitFor();
});

test('a player who plays again is offered the same settings', async () => {
  const page = await open('#/play/othello?level=2&side=white');
  await page.getByText('Your move').waitFor();
  await resign(page);
  await page.getByRole('button', {name: 'Play again'}).click();
  await page.getByRole('dialog').waitFor();
  const offered = await page.locator('dialog form').evaluate((form) => Object.fromEntries(new FormData(form)));
  assert.deepEqual(offered, {game: 'othello', kind: 'engine', level: '2', side: 'white', minutes: '0'});
});

test('a hint stays until a move is made', async () => {
  const page = await open('#/play/hop?level=1');
  await page.getByText('Your move').waitFor();
  await page.getByRole('button', {name: 'Hint'}).click();
  const words = page.getByText(/^Plum would play/);
  await words.waitFor();
  assert.equal(await page.getByRole('heading', {name: 'How Plum thinks'}).isVisible(), false, 'the line is shown only on request');
  const hinted = page.locator('.stage .is-hint');
  await page.locator('.stage .is-hint.is-source').click();
  await page.getByText('choose where to go').waitFor();
  assert.ok(await words.isVisible());
  assert.ok(await hinted.count() > 1);
  await page.locator('.stage .is-hint.is-target').first().click();
  await until(page, async () => !(await hinted.count()), 'the hint is gone');
});

test('the evaluation of a position that was taken back disappears', async () => {
  const page = await open('#/play/othello?level=1&kind=people');
  const thinking = page.getByRole('heading', {name: 'How Plum thinks'});
  await choose(page, 'How Plum thinks');
  const hint = page.getByRole('button', {name: 'Hint'});
  await playSquares(page, '23');
  await page.getByText('White to move').waitFor();
  await hint.click();
  await page.getByText(/^Plum would play/).waitFor();
  assert.ok(await thinking.isVisible());
  await page.getByRole('button', {name: 'Take back'}).click();
  await page.locator('.moves li').waitFor({state: 'detached'});
  assert.ok(!(await thinking.isVisible()));
  await hint.click();
  await page.getByText(/^Plum would play/).waitFor();
  assert.ok(await thinking.isVisible());
  await playSquares(page, '32');
  await page.getByText('White to move').waitFor();
  assert.ok(!(await thinking.isVisible()), 'also after a move between two people');
});

test('a game between engines that was paused stays paused through a reload', async () => {
  const page = await open('#/play/othello?level=1&kind=engines');
  await page.getByRole('button', {name: 'Pause'}).click();
  await page.reload();
  await page.getByText('Paused.').waitFor();
  const had = await plies(page);
  await page.getByRole('button', {name: 'Continue'}).click();
  await until(page, async () => (await plies(page)) > had, 'it continues');
});
