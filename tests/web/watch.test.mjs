// watch: tournaments in a real Chromium. Most are played to the end first; events that are then written into their
// databases show every state that a spectator can see.
import test from 'node:test';
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import './games.mjs';
import {gamesWith} from '../../web/games.js';
import {judgedWords, tieBreaks, withdrawal} from '../../web/tables.js';
import {withOwnNames} from '../../web/tournaments.js';
import {runsOf} from '../../web/chart.js';
import {overText} from '../../web/liveboard.js';
import {fitBoards} from '../../web/boardgrid.js';
import {openArenaAt, closeArena, beginTournament, finishTournament, heldPlayer, runServed, slowPlayer, plum} from './arena.mjs';
import {scaleFonts} from './chromium.mjs';
import {FAILED_REQUEST, findFaults, open, openOwn, scratch, serve, until} from './visitor.mjs';

const gamesFolder = new URL('../../src/games/', import.meta.url);
const LONG_NAME = 'The Team with the Longest Name of All Teams';

// A tournament that is over; the path of its database.
function playTournament(name, {game, teams, format = 'double-round-robin', withdrawn = {}, rules = ''}) {
  const folder = join(scratch, name);
  const players = teams.map((team, at) => `[team ${at + 1}]\nname = ${team}\nplayer = random\n${team in withdrawn ? `withdrawn_after = ${withdrawn[team]}\n` : ''}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'class.ini'), `[tournament]\nname = ${name}\ngame = ${game}\nformat = ${format}\nqualification = no\n${rules}${players.join('')}`);
  execFileSync(plum, ['tournament', 'run', 'class.ini'], {cwd: folder, stdio: 'ignore'});
  return join(folder, 'class.db');
}

const ADD = `import json, sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.executemany("INSERT INTO event (at_ms, kind, game, text) VALUES (?, ?, ?, ?)", json.load(sys.stdin))`;

// Each event is [kind, game, text, age in milliseconds].
function addEvents(db, ...events) {
  const rows = events.map(([kind, game, text, agoMs = 0]) => [Date.now() - agoMs, kind, game, text]);
  execFileSync('python3', ['-c', ADD, db], {input: JSON.stringify(rows)});
}

// Holds the lock of a tournament, as the process does that plays it.
const ATTEND = `import fcntl, sys
lock = open(sys.argv[1] + "-lock", "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
print("here", flush=True)
sys.stdin.read()`;

async function attend(db) {
  const child = spawn('python3', ['-c', ATTEND, db], {stdio: ['pipe', 'pipe', 'inherit']});
  await once(child.stdout, 'data');
  return child;
}

const STARTS = {
  othello: '......../......../......../...OX.../...XO.../......../......../........ b',
  meichu: '..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 137 150',
};
const startOf = (game, number, black, white) => ['start', number, `${black} ${white} ${STARTS[game]}`];

const boxesOf = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((element) => {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return {left, top, right, bottom};
}));

test('turns that the judge skipped are not moves that it played', () => {
  assert.equal(judgedWords({judge_moves: [{played: 30, of: 31}, {skipped: 9, of: 200}]}), "; the judge played 30 of Black's 31 moves; the judge skipped 9 of White's 200 turns");
});

test('a score is shown with its signs', () => {
  assert.equal(overText('hop', '1/2-1/2 3-3 move-limit'), 'A draw 3 : 3: both have used their 200 turns');
  assert.equal(overText('meichu', '0-1 0-1 flag'), 'White wins 0 : 1: the flag is taken');
  assert.equal(overText('reversi', '1-0 54--54 no-moves'), 'Black wins by 54: no move is left');
  assert.equal(overText('reversi', '1-0 2--2 no-moves', '#XXX..#/.....O.. b'), 'Black wins 3 : 1: neither side can move');
  assert.equal(overText('reversi', '0-1 -54-54 crashed'), 'White wins by 54: Black crashed');
  assert.equal(overText('reversi', '0-0 0-0 both-absent'), 'Both lose 0 : 0: neither side started');
});

test('boards are as large as the screen allows', () => {
  assert.equal(fitBoards(1, 1400, 900).across, 1);
  assert.equal(fitBoards(4, 1200, 900).across, 2);
  assert.equal(fitBoards(8, 1400, 900).across, 4);
  assert.equal(fitBoards(3, 700, 2000).across, 1);
  for (let count = 1; count < 30; count++) {
    const {across, size, em} = fitBoards(count, 1400, 900);
    const rows = Math.ceil(count / across);
    assert.ok(across * size + 16 * (across - 1) <= 1400 && rows * (size + 9.2 * em) + 16 * (rows - 1) <= 900, `${count} boards fit`);
    assert.ok(size > Math.sqrt(1400 * 900 / count) / 2, `${count} boards use the room: ${size}`);
  }
});

test('after a server came back with fewer events, the boards continue without a gap', async (t) => {
  const [one, two] = ['Before', 'After'].map((name) => playTournament(name, {game: 'othello', teams: ['A', 'B']}));
  addEvents(one, ...Array.from({length: 300}, () => ['remark', -1, 'x']));
  addEvents(two, ['run', -1, ''], startOf('othello', 0, 0, 1));
  const first = await serve('--db', one);
  const page = await open(`${first.url}#/watch`, {}, FAILED_REQUEST);
  await page.getByText('All games are played.').waitFor();
  assert.equal(await closeArena(first), 0);
  const second = await openArenaAt(first.port, '--db', two);
  t.after(() => closeArena(second));
  addEvents(two, ['ply', 0, '1. b 23 {t=1.5}']);
  await page.locator('.live').waitFor();
  addEvents(two, ['ply', 0, '2. w 22 {t=61.5}']);
  const board = page.locator('.live [role=img]');
  await until(page, async () => /white disc on 22 33 44/.test(await board.getAttribute('aria-label')), 'both moves are on the board');
  assert.match(await board.getAttribute('aria-label'), /^Game 1: A \(Black\) against B \(White\)\. black to move\. black disc on 23 34 43/);
  assert.equal(await page.locator('.live .player.white .clock').textContent(), '1:01');
  addEvents(two, ['over', 0, '0-1 -6-6 invalid']);
  await page.getByText('White wins by 6: Black made an illegal move').waitFor();
});

test('a spectator who comes late sees how long the turn has lasted, independent of the own clock', async (t) => {
  const db = playTournament('Late', {game: 'othello', teams: ['A', 'B']});
  addEvents(db, ['run', -1, ''], [...startOf('othello', 0, 0, 1), 600000]);
  const player = await attend(db);
  t.after(() => player.kill());
  const live = await serve('--db', db);
  const page = await open(`${live.url}#/watch`);
  const shows = (side, text) => until(page, async () => text.test(await page.locator(`.live .player.${side} .clock`).textContent()), `${side} has ${text}`);
  await shows('black', /^1[0-4]:/);
  await page.addInitScript(() => { Date.now = () => 0; });
  await page.reload();
  await shows('black', /^1[0-4]:/);
  addEvents(db, ['ply', 0, '1. b 23 {t=1.5}', 300000]);
  await shows('white', /^[5-9]:/);
  await shows('black', /^0:01$/);
  await page.reload();
  await shows('white', /^[5-9]:/);
});

const overlap = (one, two) => one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1;

async function checkBoards(page, height, isScreen, where) {
  const bars = await page.locator('.live .player').evaluateAll((all) => all.map((bar) => [...bar.querySelectorAll('.player-name, .player-facts, .budget-words, .clock')]
    .map((part) => part.getBoundingClientRect().toJSON()).filter((box) => box.width)));
  for (const boxes of bars) {
    boxes.forEach((box, at) => boxes.slice(at + 1).forEach((other) => assert.ok(!overlap(box, other), `two parts of a bar overlap at ${where}`)));
  }
  const [name] = await boxesOf(page, '.live .player.black .player-name');
  assert.ok(name.right - name.left > (isScreen ? 60 : 80), `the name has ${name.right - name.left} px at ${where}`);
  assert.match(await page.locator('.live .player.black .budget').first().innerText(), /^budget\s137$/, 'the budget has a label');
  const names = await page.locator('.live .player-name').evaluateAll((all) => all.map((element) => (element.scrollHeight - element.clientHeight) / element.clientHeight));
  assert.ok(Math.max(...names) < .25, `names are whole at ${where}: ${names}`);
  if (!isScreen) return;
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'nothing is below the screen');
  const cut = await page.locator('.watch-standings th', {hasText: 'Los Pollos'}).evaluate((cell) => cell.scrollWidth - cell.clientWidth);
  assert.ok(cut <= 0, `${cut} px of a name are cut off at ${where}`);
  const heights = await page.locator('.live .player').evaluateAll((all) => all.map((bar) => bar.querySelector('.player-words').offsetHeight - bar.clientHeight));
  assert.ok(Math.max(...heights) <= 0, `names are inside their heights at ${where}: ${heights}`);
  const boards = await boxesOf(page, '.live');
  assert.ok(boards.every(({top, bottom}) => top >= 0 && bottom <= height), 'every board is on the screen');
  assert.ok(boards[0].right - boards[0].left > height / 3.8, `${boards[0].right - boards[0].left} px`);
}

test('a board keeps its place, names can be read, and the big screen is full and never too small', async () => {
  const db = playTournament('Places', {game: 'meichu', teams: [LONG_NAME, 'B', 'C', 'Los Pollos Hermanos']});
  addEvents(db, ['run', -1, ''], ...Array.from({length: 6}, (none, at) => startOf('meichu', at, 0, 1 + at % 3)));
  const live = await serve('--db', db);
  const sized = await openOwn(`${live.url}#/watch/1`);
  for (const [width, height, fontScale] of [[1920, 1080, 1], [1366, 768, 1], [1280, 720, 1], [1280, 720, 1.3]]) {
    await sized.setViewportSize({width, height});
    await scaleFonts(sized, fontScale);
    for (const path of ['', '/screen']) {
      await sized.goto(`${live.url}#/watch/1${path}`);
      await sized.locator('.live').nth(5).waitFor();
      await checkBoards(sized, height, path === '/screen', `${width}${path}, letters ${fontScale} times as wide`);
    }
  }
  const page = await open(`${live.url}#/watch/1/screen`);
  const places = () => boxesOf(page, '.live');
  await page.locator('.live').nth(5).waitFor();
  const old = await places();
  addEvents(db, ['over', 2, '1-0 1-0 flag'], startOf('meichu', 7, 0, 2));
  await page.locator('.live', {hasText: 'Black wins 1 : 0: the flag is taken'}).waitFor();
  assert.deepEqual(await places(), old);
  await page.locator('.live', {hasText: 'Game 8'}).waitFor();
  assert.deepEqual(await places(), old);
  assert.equal(await page.locator('.live').nth(2).locator('.live-note').textContent(), 'Game 8');
  await page.keyboard.press('Escape');
  await page.getByRole('link', {name: 'Big screen', exact: true}).waitFor();
});

const fetchTournament = async ({url}) => (await fetch(`${url}api/v1/tournaments/1`)).json();

test('a running game is shown in its present state, with the colours that the auction gave', async () => {
  const db = playTournament('Now', {game: 'meichu', teams: ['A', 'B']});
  const live = await serve('--db', db);
  execFileSync(plum, ['tournament', 'replay', db, '1', '--reason', 'a test']);
  const page = await open(`${live.url}#/watch/1`);
  const row = page.locator('.watch-more tbody tr').filter({has: page.getByText(/^(to come|running)$/)});
  await row.getByText('to come').waitFor();
  const [{black, white}] = (await fetchTournament(live)).games;
  addEvents(db, ['run', -1, ''], startOf('meichu', 0, white - 1, black - 1));
  await row.getByText('running').waitFor();
  assert.deepEqual(await row.locator('.team').allTextContents(), [white, black].map((team) => 'AB'[team - 1]));
  const {event} = await fetchTournament(live);
  addEvents(db, ['ply', 0, '1. b 64-54 {t=1.5}']);
  let now;
  await until(page, async () => { now = await fetchTournament(live); return now.running[0].plies.length === 1; }, 'the move is reported');
  assert.equal(now.event, event + 1);
  assert.deepEqual([now.games[0].black, now.games[0].white, now.games[0].status], [white, black, 'running']);
});

test('standings add up, byes included, and show what decided', async () => {
  const db = playTournament('Byes', {game: 'meichu', format: 'swiss', teams: 'ABCDEFGHI'.split('')});
  const live = await serve('--db', db);
  const {standings, rounds} = await fetchTournament(live);
  const printed = JSON.parse(execFileSync(plum, ['tournament', 'standings', db, '--json']));
  assert.deepEqual(standings, printed);
  for (const {won, drawn, lost, byes, played, figures} of standings) {
    assert.deepEqual([figures.points, figures.wins, played + byes], [2 * (won + byes) + drawn, won, won + drawn + lost + byes]);
  }
  assert.equal(standings.reduce((sum, {byes}) => sum + byes, 0), 2 * rounds);
  const page = await open(`${live.url}#/watch/1`);
  await page.locator('.watch-standings tbody tr').last().waitFor();
  const shown = await page.locator('.watch-standings tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText)));
  standings.forEach(({won, drawn, lost, byes, figures}, at) => assert.deepEqual(shown[at].slice(2, 7).map(Number), [figures.points, won, drawn, lost, byes]));
  const tied = standings.findIndex(({decided_by: decided}) => decided === 'buchholz');
  for (const at of [tied - 1, tied]) assert.match(shown[at][1], new RegExp(`\\bBuchholz ${standings[at].figures.buchholz}\\b`));
  await page.goto(`${live.url}#/watch/1/team/${standings[tied].team}`);
  await page.getByText(`Buchholz ${standings[tied].figures.buchholz}`).waitFor();
});

test('a lot decides, and is shown, only in the end', () => {
  const standings = ['', 'lot', 'buchholz', 'lot', 'lot', 'lot', 'lot', 'points'].map((decided, at) => ({team: String(at), decided_by: decided, figures: {buchholz: 10 - at}}));
  const names = new Map(standings.map(({team}, at) => [team, 'ABCDEFGH'[at]]));
  const tournament = {standings, names, played_games: 4};
  assert.deepEqual(tieBreaks({...tournament, over: false}, 0), []);
  const shown = standings.map((row, at) => tieBreaks({...tournament, over: true}, at).join('; '));
  assert.deepEqual(shown.slice(0, 3), ['level with B, decided by lot', 'Buchholz 9; level with A, decided by lot', 'Buchholz 8; level with D, E, F and G, decided by lot']);
  assert.deepEqual(shown.slice(6), ['level with C, D, E and F, decided by lot', '']);
  const many = Array.from({length: 9}, (none, at) => ({team: String(at), decided_by: at ? 'lot' : ''}));
  assert.deepEqual(tieBreaks({standings: many, names: new Map(many.map(({team}) => [team, `T${team}`])), played_games: 1, over: true}, 8), ['level with T0, T1, T2 and 5 others, decided by lot']);
});

test('a curve has no line over moves that are not evaluated yet', () => {
  assert.deepEqual(runsOf([]), []);
  assert.deepEqual(runsOf([0, 1, 3, 6, 7, 20]), [[0, 1, 3], [6, 7], [20]]);
});

test('a board leads to its game: moves, faults, curve and clocks, live', async () => {
  const db = playTournament('One', {game: 'othello', teams: ['A', 'B', 'C']});
  addEvents(db, ['run', -1, ''], startOf('othello', 0, 0, 1), startOf('othello', 1, 1, 2), ['ply', 0, '1. b 23 {t=1.5}'], ['ply', 0, '2. w 22 {t=61.5 fault=late}']);
  const live = await serve('--db', db);
  const page = await open(`${live.url}#/watch/1`);
  await page.getByRole('link', {name: 'Game 1', exact: true}).press('Enter');
  await page.getByRole('heading', {name: 'Game 1', exact: true}).waitFor();
  const moves = page.locator('.moves li');
  await moves.nth(1).getByText('late').waitFor();
  await page.getByText('Move 3: A to move').waitFor();
  await page.getByText('White was too late at').waitFor();
  assert.equal(await page.locator('.live .player.white .clock').textContent(), '1:01');
  addEvents(db, ['ply', 0, '3. b 21 {t=0.5}']);
  await page.getByText('Move 4: B to move').waitFor();
  await page.locator('.chart .curve').waitFor();
  await page.locator('.balance:not(.is-unknown)').waitFor();
  await findFaults(page, 'a running game');
  const disc = page.locator('.grid [data-square="21"] .piece');
  await page.keyboard.press('ArrowLeft');
  await disc.waitFor({state: 'detached'});
  await page.getByText('Move 2 of 3: ').waitFor();
  assert.deepEqual(await page.locator('.live .player-facts').allTextContents(), ['3 discs', '3 discs'], 'the bars show the same position');
  assert.equal(await page.locator('.live .player.is-turn').count(), 0);
  addEvents(db, ['ply', 0, '4. w 42 {t=0.5}']);
  await moves.nth(3).waitFor();
  assert.equal(await disc.count(), 0, 'an earlier position stays until the spectator leaves it');
  await page.getByRole('button', {name: 'Back to the last move'}).click();
  await disc.waitFor();
  addEvents(db, ['over', 0, '0-1 -6-6 invalid']);
  await page.getByText('White wins by 6: Black made an illegal move').waitFor();
  await page.getByText('Also running: ').getByRole('link').first().click();
  await page.getByRole('heading', {name: 'Game 2', exact: true}).waitFor();
  await page.goto(`${live.url}#/watch/1/game/3`);
  await page.getByText(/^This game is over\. (Black|White) wins by \d+: .*\. /).waitFor();
  await page.getByRole('link', {name: 'Replay it'}).click();
  await page.locator('.chart').waitFor();
});

test('without a tournament there is a recording to watch, without an engine', async () => {
  const page = await openOwn('#/watch', {}, (own) => own.clock.install());
  const loaded = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.locator('.live .board').nth(1).waitFor();
  const note = page.getByText('No tournament is followed here yet.');
  await note.waitFor();
  const label = page.locator('.live [role=img]').first();
  const before = await label.getAttribute('aria-label');
  await page.clock.runFor(2000);
  await until(page, async () => (await label.getAttribute('aria-label')) !== before, 'the boards move by themselves');
  await findFaults(page, 'a recording');
  for (let step = 0; step < 60 && !await page.locator('.watch-more a', {hasText: /^(1-0|0-1|1\/2-1\/2)$/}).count(); step++) await page.clock.runFor(10000);
  const played = Number(await page.locator('progress').getAttribute('value'));
  assert.ok(played > 0 && played < 12, `${played} games`);
  const points = (await page.locator('.watch-standings td b').allTextContents()).map(Number);
  assert.equal(points.reduce((sum, one) => sum + one, 0), 2 * played);
  await page.getByRole('link', {name: 'Big screen'}).click();
  await page.getByRole('heading', {name: 'Last results'}).waitFor();
  assert.equal(await page.locator('.screen-lists .is-winner').count() > 0, true);
  await page.locator('.balance:not(.is-unknown)').first().waitFor();
  assert.deepEqual(loaded.filter((url) => /plum\.[0-9a-f]+\.wasm/.test(url)), []);
  await page.keyboard.press('Escape');
  await page.locator('.watch-more a', {hasText: /^(1-0|0-1|1\/2-1\/2)$/}).first().click();
  await page.locator('.moves li').first().waitFor();
  await page.getByText(/^(Black|White) wins|^A draw/).first().waitFor();
});

test('the recordings of all games can be played', async () => {
  for (const [name] of gamesWith('hasDemo')) {
    const [folder] = readdirSync(gamesFolder).filter((one) => existsSync(new URL(`${one}/demo/${name}.txt`, gamesFolder)));
    const out = execFileSync(plum, ['replay', fileURLToPath(new URL(`${folder}/demo/${name}.txt`, gamesFolder))], {encoding: 'utf8'});
    assert.match(out, /12 games, 12 ok, 0 failed/);
  }
});

test('a reference opponent has a line without a place; rules of the roster are listed', async () => {
  const rules = 'points = 3 1 0\ntiebreaks = direct, wins\nreference = random:seed=5\n';
  const db = playTournament('Known', {game: 'othello', teams: ['A', 'B', 'C'], rules});
  addEvents(db, ['run', -1, ''], startOf('othello', 6, 0, 999));
  const live = await serve('--db', db);
  const page = await open(`${live.url}#/watch/1`);
  await page.locator('.live .player.black', {hasText: 'A'}).waitFor();
  await page.locator('.live .player.white', {hasText: 'random:seed=5'}).waitFor();
  const rows = page.locator('.watch-standings tbody tr');
  await rows.nth(3).filter({hasText: /random:seed=5.*reference opponent, not ranked/}).waitFor();
  assert.equal(await rows.nth(3).locator('td').first().textContent(), '–');
  await page.getByText('3 points a win, 1 a draw, 0 a loss, 3 a game of a bye. With equal points: direct encounter, games won, lot.').waitFor();
  await page.goto(`${live.url}#/watch/1/team/${encodeURIComponent('random:seed=5')}`);
  await page.locator('.lead', {hasText: /^No place: \d+ won, .*reference opponent, not ranked\.$/}).waitFor();
  assert.equal(await page.locator('.place').count(), 6, 'a pairing against each team');
});

test('teams with the same name have their ids next to it', () => {
  const teams = [{id: '1', name: 'Ada'}, {id: '3', name: 'Bo'}, {id: '7', name: 'Ada'}];
  assert.deepEqual(withOwnNames(teams).map(({name}) => name), ['Ada (1)', 'Bo', 'Ada (7)']);
});

test('a team that failed to qualify is marked', () => {
  const row = {withdrawn_after: null, disqualified: null};
  assert.deepEqual([row, {...row, failed: true}, {...row, failed: true, disqualified: 'x'}].map(withdrawal), ['', 'not qualified', 'disqualified: x']);
});

test('a team that has withdrawn is marked, and its games show why they are not played', async () => {
  const db = playTournament('Withdrawn', {game: 'othello', teams: ['A', 'B', 'C', 'D'], withdrawn: {C: 1, D: 0}});
  const live = await serve('--db', db);
  const {standings, games, over} = await fetchTournament(live);
  const withdrawn = Object.fromEntries(standings.map(({team, withdrawn_after: rounds}) => [team, rounds]));
  assert.deepEqual([withdrawn, over], [{1: null, 2: null, 3: 1, 4: 0}, true]);
  const page = await open(`${live.url}#/watch/1`);
  await page.getByText('The tournament is over.').waitFor();
  assert.equal(await page.getByText('All games are played.').count(), 0);
  const notes = page.locator('.watch-standings tbody tr');
  await notes.filter({hasText: /C.*withdrawn after round 1/}).waitFor();
  await notes.filter({hasText: /D.*withdrawn before round 1/}).waitFor();
  await page.goto(`${live.url}#/watch/1/team/3`);
  await page.locator('.lead', {hasText: /^Place \d.*, withdrawn after round 1\.$/}).waitFor();
  const isOf = (team) => ({black, white}) => black === team || white === team;
  const cancelled = games.filter(isOf('3')).filter(({status}) => status === 'cancelled');
  const why = ({black, white, round}) => (isOf('4')({black, white}) ? (round > 1 ? 'both have withdrawn' : `${black === '4' ? 'Black' : 'White'} has withdrawn`) : `${black === '3' ? 'Black' : 'White'} has withdrawn`);
  assert.ok(cancelled.length > 1);
  const rows = page.locator('tbody tr').filter({hasText: 'not played'});
  assert.deepEqual(await rows.locator('.why').allTextContents(), cancelled.map(why));
});

test('a long name leaves the tables whole, and the columns of the cross-table are even', async () => {
  const db = playTournament('Wide', {game: 'othello', teams: ['W'.repeat(127), 'B', 'C', 'D', 'E', 'F'], withdrawn: {F: 0}});
  const live = await serve('--db', db);
  const page = await open(live.url, {viewport: {width: 1920, height: 1080}});
  for (const address of ['#/watch/1/team/2', '#/watch/1']) {
    await page.goto(`${live.url}${address}`);
    if (address === '#/watch/1') await page.locator('summary').first().click();
    await page.locator('.table .why').first().waitFor();
    const cut = await page.locator('.scroll').evaluateAll((all) => all.map(({scrollWidth, clientWidth}) => scrollWidth - clientWidth));
    assert.ok(Math.max(...cut) <= 0, `${address}: ${cut}`);
  }
  await page.setViewportSize({width: 390, height: 844});
  await page.goto(`${live.url}#/watch/1`);
  await page.locator('.cross').waitFor();
  const widths = (await boxesOf(page, '.cross thead th:nth-child(n + 3)')).map(({left, right}) => right - left);
  assert.ok(Math.max(...widths) - Math.min(...widths) < 1, `${widths}`);
  for (const meetings of await page.locator('.meetings:has(a)').all()) {
    const tops = await meetings.locator('a').evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, 'both results are in one line');
  }
});

test('tables that cannot be fetched are marked as old, until they can be fetched', async () => {
  const db = playTournament('Refused', {game: 'othello', teams: ['A', 'B']});
  const live = await serve('--db', db);
  const page = await open(`${live.url}#/watch/1`, {}, FAILED_REQUEST);
  await page.getByText('2 of 2 games played').first().waitFor();
  await page.route('**/api/v1/tournaments/1', (route) => route.fulfill({status: 503, contentType: 'application/json', body: '{"error":"wait a moment"}'}));
  execFileSync(plum, ['tournament', 'annul', db, '1', '--reason', 'a test']);
  const old = page.getByText('The arena does not send the tables. They may be out of date; trying again');
  await old.waitFor();
  await page.unroute('**/api/v1/tournaments/1');
  await page.locator('.watch-head').getByText('1 of 2 games played, 1 annulled').waitFor();
  assert.equal(await old.count(), 0);
});

test('tables that arrive late do not replace newer ones', async () => {
  const db = playTournament('Overtaken', {game: 'othello', teams: ['A', 'B']});
  const live = await serve('--db', db);
  const page = await open(`${live.url}#/watch/1`);
  const count = page.locator('.watch-head p');
  await count.getByText('2 of 2 games played').waitFor();
  const shown = await count.evaluateHandle((line) => {
    const texts = [];
    new MutationObserver(() => texts.push(line.textContent)).observe(line, {childList: true});
    return texts;
  });
  let isHeld;
  const held = new Promise((done) => { isHeld = done; });
  let release;
  const isReleased = new Promise((done) => { release = done; });
  await page.route('**/api/v1/tournaments/1', async (route) => {
    const response = await route.fetch();
    isHeld();
    await isReleased;
    await route.fulfill({response});
  }, {times: 1});
  const annul = (number) => execFileSync(plum, ['tournament', 'annul', db, number, '--reason', 'a test']);
  annul('1');
  await held;
  annul('2');
  await count.getByText('0 of 2 games played, 2 annulled').waitFor();
  const late = page.waitForResponse('**/api/v1/tournaments/1');
  release();
  await (await late).finished();
  const had = await shown.evaluate((texts) => texts.length);
  addEvents(db, ['remark', -1, 'x']);
  await until(page, () => shown.evaluate((texts, old) => texts.length > old, had), 'the tables are shown again');
  const texts = (await shown.jsonValue()).map((text) => text.split(': ')[1]);
  assert.deepEqual(new Set(texts.slice(texts.indexOf('0 of 2 games played, 2 annulled'))), new Set(['0 of 2 games played, 2 annulled']));
});

test('when all is over the winners are shown, and a team page follows what is decided afterwards', async () => {
  const db = playTournament('Podium', {game: 'othello', teams: ['A', 'B', 'C', 'D']});
  const live = await serve('--db', db);
  const {standings, games} = await (await fetch(`${live.url}api/v1/tournaments/1`)).json();
  for (const path of ['', '/screen']) {
    const page = await open(`${live.url}#/watch/1${path}`);
    assert.equal(await page.locator('.podium .step-1 b').first().textContent(), standings[0].name);
  }
  const {number, black} = games.find(({result}) => result === '1-0');
  const page = await open(`${live.url}#/watch/1/team/${black}`);
  const lead = page.locator('.lead');
  await lead.getByText(/^Place/).waitFor();
  const had = await lead.textContent();
  execFileSync(plum, ['tournament', 'annul', db, String(number), '--reason', 'a test']);
  await page.getByText(/, annulled$/).waitFor();
  assert.notEqual(await lead.textContent(), had);
  const {played_games: played, annulled_games: annulled, total_games: total} = await fetchTournament(live);
  assert.deepEqual([played, annulled, total], [games.length - 1, 1, games.length]);
  await page.goto(`${live.url}#/learn/tournament/1/${number}`);
  await page.getByText('This game was annulled: it does not count.').waitFor();
  const {number: other} = games.find((game) => game.number !== number);
  execFileSync(plum, ['tournament', 'replay', db, String(other), '--reason', 'a test']);
  await until(page, async () => (await fetchTournament(live)).games[other - 1].status === 'planned', 'the result is set aside');
  await page.goto(`${live.url}#/learn/tournament/1/${other}`);
  await page.getByText('This result was set aside: the game will be played again.').waitFor();
});

test('a tournament without a running process is marked, until one resumes it', async () => {
  const folder = mkdtempSync(join(scratch, 'left-'));
  const run = await beginTournament(folder, 'builtin:movetime=60000');
  const live = await serve('--db', join(folder, 'class.db'));
  const page = await open(`${live.url}#/watch`);
  const notice = page.getByText('This tournament is not being played at the moment.');
  const clock = page.locator('.live .player.is-turn .clock').first();
  await clock.getByText(/^0:(0[1-9]|[1-9])/).waitFor();
  assert.match(await page.locator('.live [role=img]').first().getAttribute('aria-label'), /black disc on 34 43/, 'the clock runs before the first move');
  assert.equal(await page.locator('.watch-more details[open]').count(), 1, 'one round is open');
  assert.equal(await notice.count(), 0);
  run.kill('SIGKILL');
  await notice.waitFor();
  const again = spawn(plum, ['tournament', 'resume', 'class.db'], {cwd: folder, stdio: 'ignore'});
  await notice.waitFor({state: 'detached'});
  again.kill('SIGINT');
  await once(again, 'exit');
});

test('a running tournament can be watched: boards move, standings follow', async () => {
  const folder = mkdtempSync(join(scratch, 'live-'));
  const run = await beginTournament(folder, slowPlayer(folder, .04), 8);
  const live = await serve('--db', join(folder, 'class.db'));
  const page = await open(`${live.url}#/watch`);
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
  await closeArena({child: run});
});

test('several tournaments are listed, and each has its page', async () => {
  const folder = mkdtempSync(join(scratch, 'live-'));
  await finishTournament(folder, 'Monday');
  const live = await serve('--db', join(folder, 'class.db'), '--db', join(folder, 'class.db'));
  const page = await open(`${live.url}#/watch`);
  await page.getByRole('heading', {name: 'Tournaments'}).waitFor();
  assert.equal(await page.getByRole('link', {name: 'Monday'}).count(), 2);
  await findFaults(page, 'list of tournaments');
  await page.getByRole('link', {name: 'Monday'}).last().click();
  await page.getByText('All games are played.').waitFor();
  assert.match(page.url(), /#\/watch\/2$/);
  await page.getByRole('link', {name: /^(1-0|0-1|1\/2-1\/2)$/}).first().click();
  await page.locator('.chart').waitFor();
  assert.match(page.url(), /#\/learn\/tournament\/2\//);
});

test('a spectator sees the final table, and a notice when the arena is gone', async () => {
  const folder = mkdtempSync(join(scratch, 'served-'));
  const {child, url} = await runServed(folder, heldPlayer(folder));
  const page = await open(`${url}#/watch`, {}, FAILED_REQUEST);
  await page.locator('.live').first().waitFor();
  writeFileSync(join(folder, 'begin'), '');
  await page.getByText('All games are played.').waitFor();
  assert.equal(await page.locator('progress').getAttribute('value'), await page.locator('progress').getAttribute('max'));
  await closeArena({child}); // it would wait for slow spectators first
  await page.getByText('The arena does not answer').waitFor();
  const table = await page.locator('.watch-standings tbody').textContent();
  await page.getByRole('link', {name: 'Big screen'}).click();
  await page.getByRole('link', {name: 'Leave the big screen'}).waitFor();
  await page.getByText('The arena does not answer').waitFor();
  await page.getByRole('link', {name: 'Leave the big screen'}).click();
  await page.getByRole('heading', {name: 'Cross-table'}).waitFor();
  assert.equal(await page.locator('.watch-standings tbody').textContent(), table);
  await page.getByRole('navigation').getByRole('link', {name: 'Rules'}).click();
  await page.getByRole('navigation').getByRole('link', {name: 'Watch'}).click();
  await page.getByRole('heading', {name: 'Cross-table'}).waitFor();
  assert.equal(await page.locator('.watch-standings tbody').textContent(), table);
});
