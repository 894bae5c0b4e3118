// board: agents on the board, in a real Chromium: against a person, in an auction, and against each other.
import test from 'node:test';
import assert from 'node:assert/strict';
import {rmSync} from 'node:fs';
import {makeAgents} from './agents.mjs';
import {closeArena, finishTournament, openArenaIn} from './arena.mjs';
import {focused, playByKeyboard, tabTo} from './keyboard.mjs';
import {FAILED_REQUEST, PHONE, checkLearned, checkRecord, choose, findFaults, open, pick, resign, until} from './visitor.mjs';

const LONG = 'W'.repeat(63);
const {folder, args} = makeAgents('random', 'hangs', 'floods', 'ugi', 'crashes');
await finishTournament(folder, 'Class');
const board = await openArenaIn(folder, ...args, '--agent', `${LONG}=random`, '--db', 'class.db');
const home = `${board.url}#/play/new`;
const moves = (page) => page.locator('.moves li');

// Sets a game up in the dialog. fields: values of its selects.
async function begin(page, game, kind, fields = {}) {
  const dialog = page.getByRole('dialog', {name: 'New game'});
  await dialog.locator(`[name=game][value=${game}]`).check({force: true});
  await dialog.locator(`[name=kind][value=${kind}]`).check({force: true});
  for (const [name, label] of Object.entries(fields)) await dialog.locator(`select[name=${name}]`).selectOption({label});
  await dialog.getByRole('button', {name: 'Start'}).press('Enter');
}

test('a person plays an agent; a reload and a second tab continue the game', async () => {
  const page = await open(`${home}?key=${board.key}`);
  await page.getByRole('dialog').getByText('You against an agent').waitFor();
  assert.equal(new URL(page.url()).hash, '#/play/new', 'the key is not in the address');
  await page.locator('[name=kind][value=watch]').check({force: true});
  assert.ok(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollHeight <= dialog.clientHeight), 'all choices fit the screen');
  await findFaults(page, 'the dialog');
  await begin(page, 'reversi', 'agent', {agent: '<i>random</i>'});
  await pick(page, '33');
  await moves(page).nth(1).waitFor();
  await page.locator('.player.white').getByText('<i>random</i>').waitFor();
  const address = page.url();
  await page.reload();
  await page.getByText('Your move').waitFor();
  assert.equal(await moves(page).count(), 2);
  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByText('Your move').waitFor();
  const target = await page.locator('.stage .is-target').first().getAttribute('data-square');
  await pick(page, target);
  await until(other, async () => (await moves(other).count()) >= 4, 'the other tab follows');
  await other.close();
  await page.goto(`${board.url}#/`);
  await page.locator('.running-games').getByText('You against <i>random</i>').waitFor();
  await findFaults(page, 'home with a game against an agent');
  await page.getByRole('link', {name: /^Continue Reversi/}).click();
  await moves(page).nth(3).waitFor();
  await page.getByText('Log', {exact: true}).click();
  await page.getByRole('region', {name: 'Log of <i>random</i>'}).getByText('It has written nothing to standard error.').waitFor();
  await findFaults(page, 'a game with an agent');
  await page.getByRole('button', {name: /dark colours/}).click();
  await findFaults(page, 'a game with an agent, dark');
  await resign(page);
  await page.locator('.banner').getByText('<i>random</i> wins').waitFor();
  await page.getByRole('link', {name: 'Learn from it'}).click();
  await page.locator('.moves li').nth(3).waitFor();
});

// The game of the page as the server has it, in the form of a stored game.
async function sessionOf(page) {
  const id = page.url().match(/#\/session\/(\d+)$/)[1];
  const state = await (await fetch(`${board.url}api/v1/sessions/${id}`, {headers: {Authorization: `Bearer ${board.key}`}})).json();
  const kindOf = (side) => ({kind: state.players.find((one) => one.side === side).kind === 'person' ? 'human' : 'agent'});
  return {...state, players: {black: kindOf('black'), white: kindOf('white')}, ended: state.phase === 'over'};
}

test('a whole game against an agent is set up, bid for, played and won with the keyboard alone', async () => {
  const page = await open(`${home}?key=${board.key}`);
  const {keyboard} = page;
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (let step = 0; step < 9 && await dialog.locator('[name=game][value=meichu]:checked').count() === 0; step++) await keyboard.press('ArrowRight');
  await tabTo(page, dialog.locator('[name=kind]:checked'));
  for (let step = 0; step < 9 && await dialog.locator('[name=kind][value=agent]:checked').count() === 0; step++) await keyboard.press('ArrowRight');
  await tabTo(page, dialog.locator('[name=agent]'));
  await keyboard.press('End');
  assert.equal(await dialog.locator('[name=agent] :checked').textContent(), LONG);
  await tabTo(page, dialog.getByRole('button', {name: 'Start'}));
  await keyboard.press('Enter');
  await page.getByRole('heading', {name: 'The auction', level: 1}).waitFor();
  await tabTo(page, page.getByRole('spinbutton'));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('140');
  await keyboard.press('Enter');
  await page.getByRole('heading', {name: 'The bids are open'}).waitFor();
  await keyboard.press('Enter'); // To the board has the focus
  await page.getByText(/^Bids: .*140/).waitFor();
  const end = await playByKeyboard(page, sessionOf);
  assert.equal(end.players[end.result.outcome].kind, 'human');
  await page.getByRole('heading', {name: 'You win!'}).waitFor();
  assert.match(await focused(page), /^\d\d$/, 'the focus stays on the board');
});

test('a person bids against an agent', async () => {
  const page = await open(`${home}?key=${board.key}`);
  await begin(page, 'meichu', 'agent', {agent: '<i>random</i>'});
  await page.getByRole('spinbutton').fill('30');
  await page.getByRole('button', {name: 'Send the bid'}).press('Enter');
  await page.locator('.envelope').getByText('30', {exact: true}).waitFor();
  await findFaults(page, 'open bids');
  await page.reload();
  await page.locator('.envelope').getByText('30', {exact: true}).waitFor();
  await page.getByRole('button', {name: 'To the board'}).click();
  await page.getByText(/^Bids: .*30/).waitFor();
  await choose(page, 'Flip');
  await page.getByRole('button', {name: 'End the game'}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'End the game'}).click();
  await page.getByText('The game ended without a result: it was ended in the page.').waitFor();
  assert.equal(await page.locator('.player.is-turn').count(), 0, 'no side is to move');
  await page.getByRole('button', {name: 'Play again'}).click();
  await page.getByRole('dialog').waitFor();
});

test('an agent plays Plum while one watches, on a phone; an agent that floods shows its log as text', async () => {
  const page = await open(`${home}?key=${board.key}`, PHONE);
  await page.locator('[name=kind][value=watch]').check({force: true});
  await page.locator('select[name=agent]').selectOption({label: LONG});
  assert.ok(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth), 'the dialog fits a phone');
  await page.evaluate(() => {
    window.counts = [0];
    new MutationObserver(() => {
      const count = document.querySelectorAll('.moves li').length;
      if (count && count !== window.counts.at(-1)) window.counts.push(count);
    }).observe(document.body, {childList: true, subtree: true});
  });
  await begin(page, 'othello', 'watch', {agent: '<i>ugi</i>', against: 'Plum'});
  await page.locator('.banner').getByText(/^(<i>ugi<\/i> \(Black\) wins|Plum \(White\) wins|A draw)$/).waitFor();
  const counts = await page.evaluate(() => window.counts);
  assert.ok(counts.length > 30);
  assert.deepEqual(counts, counts.map((count, at) => at), 'moves are shown one by one');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it fits a phone');
  const list = await page.getByRole('region', {name: 'Faults'}).evaluate((el) => ({left: el.scrollHeight - el.scrollTop - el.clientHeight, height: el.clientHeight, all: el.scrollHeight}));
  assert.ok(list.all > list.height && list.height < 300 && list.left < 2, `many faults are scrolled, the last one is shown: ${JSON.stringify(list)}`);
  await findFaults(page, 'many faults');
  await page.getByRole('button', {name: 'Play again'}).click();
  await begin(page, 'othello', 'watch', {agent: '<i>floods</i>', against: '<i>hangs</i>'});
  await page.getByText('The agent is being started').waitFor();
  await page.getByText('Log', {exact: true}).click();
  await page.getByRole('region', {name: 'Log of <i>floods</i>'}).getByText('<img src=x onerror=alert(1)>').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'so does a log');
  await findFaults(page, 'a log');
  await page.getByRole('button', {name: 'End the game'}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'End the game'}).click();
  await page.getByText('ended in the page').waitFor();
});

// The turns and tags of a record without names, depths and scores, with times in milliseconds.
const factsOf = (text) => text.replace(/t=([\d.]+)/g, (whole, seconds) => `t=${Number(seconds).toFixed(3)}`).split('\n').filter((line) => !/^\[(Black|White|Event|Round|Seed|TimeLimit|Grace|Sandbox|Start|Bids) /.test(line))
  .map((line) => line.replace(/ [dsn]=[^ }]+/g, '')).sort().join('\n');

test('every record that a page saves can be replayed, with its result, times and faults, also after a link', async () => {
  const page = await open(`${home}?key=${board.key}`, {permissions: ['clipboard-read', 'clipboard-write']});
  await begin(page, 'othello', 'agent', {agent: '<i>ugi</i>'}); // it knows one move
  for (let turn = 0; turn < 3; turn++) {
    await page.locator('.stage .is-target').first().click();
    await moves(page).nth(2 * turn + 1).waitFor();
    await until(page, async () => await page.locator('.stage .is-target').count() > 0, 'it is the turn of the person');
  }
  await checkRecord(page);
  await resign(page);
  await page.locator('.banner').getByText('<i>ugi</i> wins').waitFor();
  const played = await checkRecord(page);
  assert.match(played, /fault=invalid/);
  await page.getByRole('link', {name: 'Learn from it'}).click();
  await page.getByText(/blunders? found|No blunder found/).waitFor();
  assert.match(await page.locator('.panel > header').textContent(), /You \(Black\) against <i>ugi<\/i> \(White\).*You gave up\..*White made an illegal move/);
  assert.equal(factsOf(await checkLearned(page)), factsOf(played));
  await page.getByRole('button', {name: 'Copy link'}).click();
  await page.waitForFunction(() => navigator.clipboard.readText());
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await page.locator('.names', {hasText: 'Player (Black) against'}).waitFor();
  assert.equal(factsOf(await checkLearned(page)), factsOf(played));
  const saves = ['learn/tournament/1/1', 'learn/hop?start=......../......../.....X../.....O../......X./...O..../......../........_b_10_10&moves=25-26', 'learn/hop?moves=22-23.17-27',
    'learn/hop?moves=22-23.skip.23-24&result=1-0&score=1-0&reason=malformed&faults=2-late.4-malformed&times=100.65000..61400'];
  for (const address of saves) {
    await page.goto(`${board.url}#/${address}`);
    await page.reload();
    await page.locator('.chart').waitFor();
    const text = await checkLearned(page);
    assert.equal(/\{w t=61\.400 fault=malformed\}/.test(text), address.includes('malformed'));
    assert.match(text, /\[Result "(1-0|0-1|1\/2-1\/2)"\]|22-23\n2\. w 17-27/, address);
  }
});

test('a crashed agent is not thinking: the end can be shown at once, and the turns that it lost are named', async () => {
  const page = await open(`${home}?key=${board.key}`);
  await page.locator('[name=kind][value=watch]').check({force: true});
  await begin(page, 'hop', 'watch', {agent: '<i>crashes</i>', against: '<i>random</i>'});
  await page.getByText('The game is over. Its moves are shown one by one.').waitFor();
  await page.getByRole('button', {name: 'To the end'}).click();
  await page.locator('.banner').getByText(/White wins|random/).waitFor();
  assert.match(await page.locator('.banner').textContent(), /Both have used their 200 turns\. Black crashed at move 1 and was missing in 200 turns\./);
  assert.equal(await moves(page).count(), 400);
  assert.equal(await moves(page).first().textContent(), 'skip crashed');
  assert.ok(await page.getByRole('button', {name: 'To the end'}).isHidden());
  await page.getByText('Log', {exact: true}).click();
  const log = page.getByRole('region', {name: 'Log of <i>crashes</i>'});
  await log.getByRole('heading', {name: 'Standard error'}).waitFor();
  assert.equal(await log.locator('pre').textContent(), 'no idea\n');
  await findFaults(page, 'a log with its streams');
});

test('the key leaves the address and the history at once, also while the server does not answer', async () => {
  const page = await open(`${board.url}#/rules`);
  let answer = null;
  await page.route('**/api/v1/agents', (route) => { answer = () => route.continue(); });
  await page.evaluate((key) => { location.hash = `#/play/new?key=${key}`; }, board.key);
  await page.waitForFunction(() => location.hash === '#/play/new');
  while (!answer) await page.waitForTimeout(20);
  await page.evaluate(() => { location.hash = '#/learn'; });
  await page.getByRole('heading', {name: 'Learn from a game'}).waitFor();
  await answer();
  await page.unroute('**/api/v1/agents');
  await page.waitForFunction(() => localStorage.getItem('plum.key'));
  assert.equal(new URL(page.url()).hash, '#/learn');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.goBack();
  await page.getByRole('dialog').getByText('You against an agent').waitFor();
  assert.equal(new URL(page.url()).hash, '#/play/new');
});

test('without the key there are no agents; what the server does not have or refuses is reported', async () => {
  const page = await open(`${home}?key=${'0'.repeat(32)}`, {}, FAILED_REQUEST);
  await page.getByRole('dialog').getByText('The key in that address is not the key of this server.').waitFor();
  await page.getByRole('dialog').getByText('Two people here').waitFor();
  assert.equal(await page.getByText('You against an agent').count(), 0);
  await page.goto(`${board.url}#/session/999`);
  await page.reload();
  await page.getByRole('alert').getByText('needs the key').waitFor();
  let count = 0;
  const refuse = (route) => route.fulfill({status: 503, contentType: 'application/json', body: '{"error":"no room"}'});
  await page.route('**/api/v1/agents', (route) => (count++ ? refuse(route) : route.continue()));
  await page.goto(`${home}?key=${board.key}`);
  assert.equal(await page.locator('[name=kind]:checked').getAttribute('value'), 'engine', 'the key was taken, but the agents are not listed');
  await page.unroute('**/api/v1/agents');
  await begin(page, 'othello', 'people');
  await page.route('**/api/v1/sessions?*', refuse);
  await choose(page, 'New game');
  await begin(page, 'othello', 'agent');
  await page.locator('.toast').getByText('No room.').waitFor();
  await pick(page, '23');
});

test('the server ends with its games', async () => {
  const page = await open(`${home}?key=${board.key}`, {}, FAILED_REQUEST);
  await begin(page, 'othello', 'watch', {agent: '<i>hangs</i>', against: '<i>random</i>'});
  await page.getByText('The agent is being started').waitFor();
  assert.equal(await closeArena(board), 0);
  rmSync(folder, {recursive: true});
  await page.getByText(/The arena does not answer|the server was stopped/).first().waitFor();
});
