// sessions: games with agents over HTTP: every protocol, what is refused, and programs that make trouble.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import {readFileSync, readdirSync, rmSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {api, check} from './schema.mjs';
import {makeAgents} from './agents.mjs';
import {openArenaIn, closeArena, endAll} from './arena.mjs';

const NAMES = ['tcp', 'file', 'template', 'ugi', 'random', 'forks', 'hangs', 'floods', 'leaves'];
const {folder, args} = makeAgents(...NAMES);
const arena = await openArenaIn(folder, ...args);
after(() => {
  endAll();
  rmSync(folder, {recursive: true});
});
const agent = (name) => `agent:${NAMES.indexOf(name) + 1}`;
const origin = arena.url.replace(/\/$/, '');

const send = (method, path, headers = {}) => fetch(`${arena.url}api/v1/${path}`, {method, headers: {Authorization: `Bearer ${arena.key}`, ...(method === 'POST' && {Origin: origin}), ...headers}});
const statusOf = async (...request) => (await send(...request)).status;

async function ask(method, path, headers) {
  const answer = await send(method, path, headers);
  const json = await answer.json();
  assert.equal(answer.status, 200, `${path}: ${json.error}`);
  const place = `/api/v1/${path.split('?')[0]}`.replace(/sessions\/\d+/, 'sessions/{id}');
  check(api.paths[place][method.toLowerCase()].responses[200].content['application/json'].schema, json, path);
  return json;
}

const begin = async (game, first, second, more = '') => {
  const {id, tokens} = await ask('POST', `sessions?game=${game}&first=${first}&second=${second}${more}`);
  return {id, token: tokens[first === 'person' ? 0 : 1], tokens};
};
const act = ({id, token}, what) => ask('POST', `sessions/${id}/${what}`, {'Plum-Token': token});

// Asks until the game is as wanted.
async function waitFor({id}, isWanted) {
  let state = await ask('GET', `sessions/${id}`);
  while (!isWanted(state)) state = await ask('GET', `sessions/${id}?after=${state.version}`);
  return state;
}

const legalMoves = async (game, position) => (await (await fetch(`${arena.url}api/v1/position?game=${game}&position=${encodeURIComponent(position)}`)).json()).moves;

// Plays the first legal move for the person until the game is over or `plies` were played.
async function play(game, plies = Infinity) {
  for (;;) {
    const state = await waitFor(game, ({expects, phase}) => expects || phase === 'over' || phase === 'ended');
    if (state.phase === 'over' || state.ply_count >= plies) return state;
    if (state.expects === 'bid') {
      await act(game, 'bid?colour=0&price=20');
    } else {
      const [move] = await legalMoves(state.game, state.plies.at(-1)?.position ?? state.start);
      await act(game, `move?ply=${state.ply_count}&move=${move}`);
    }
  }
}

test('every protocol plays against a person, with names and logs as text', async () => {
  const listed = await ask('GET', 'agents');
  assert.deepEqual(listed.agents.map(({name}) => name), NAMES.map((name) => `<i>${name}</i>`));
  const reversi = await begin('reversi', 'person', agent('tcp'));
  const done = await play(reversi);
  assert.equal(done.phase, 'over', done.why);
  assert.match(done.record, /\[White "<i>tcp<\/i>"\]/);
  assert.deepEqual(done.players.map(({faults}) => faults), [{}, {}], JSON.stringify(done.faults));
  await waitFor(reversi, ({running}) => !running);
  assert.match((await ask('GET', `sessions/${reversi.id}/log`)).players[1].stderr, /<b>connected<\/b>/);
  const hop = await begin('hop', agent('file'), 'person');
  const moved = await play(hop, 5);
  const sessions = (await ask('GET', 'sessions')).sessions.sort((one, two) => one.id - two.id);
  assert.deepEqual(sessions.map(({id, game, phase, running}) => [id, game, phase, running]), [[reversi.id, 'reversi', 'over', false], [hop.id, 'hop', 'playing', true]]);
  assert.deepEqual(sessions[1].players.map(({kind, name, side}) => [kind, name, side]), [['agent', '<i>file</i>', 'black'], ['person', 'human', 'white']]);
  assert.equal(moved.players[0].side, 'black');
  assert.deepEqual(moved.faults, []);
  await act(hop, 'resign');
  assert.equal((await play(hop)).result.reason, 'resigned');
});

test('a person bids, and an agent with an invalid move has its fault in the session', async () => {
  const game = await begin('meichu', 'person', agent('template'));
  const state = await play(game, 2);
  assert.match(state.bids, /^0 20, 1 3/);
  assert.ok(state.faults.length > 0 || state.phase === 'over');
  assert.equal(state.faults[0].kind, 'invalid');
  if (state.phase !== 'over') await act(game, 'stop');
  await waitFor(game, ({running}) => !running);
});

test('an agent plays another agent and the engine', async () => {
  const games = [await begin('othello', agent('random'), agent('ugi')), await begin('othello', 'engine:1', agent('random'))];
  const [first, second] = await Promise.all(games.map((game) => waitFor(game, ({running}) => !running)));
  assert.deepEqual([first, second].map(({players}) => players.map(({kind, name, level}) => [kind, name, level])),
    [[['agent', '<i>random</i>', null], ['agent', '<i>ugi</i>', null]], [['engine', 'builtin:1', 1], ['agent', '<i>random</i>', null]]]);
  assert.ok(first.players[1].faults.invalid > 0);
  assert.equal(second.phase, 'over');
  assert.match((await ask('GET', `sessions/${games[0].id}/log`)).players[1].stderr, /got ugi/);
});

test('without the key, the token or the origin nothing is answered and nothing changes', async () => {
  const game = await begin('reversi', 'person', agent('random'));
  const path = `sessions/${game.id}`;
  for (const one of ['agents', 'sessions', path, `${path}/log`]) {
    assert.equal((await fetch(`${arena.url}api/v1/${one}`)).status, 401, one);
    assert.equal(await statusOf('GET', one, {Authorization: `Bearer ${arena.key.replace(/^./, (c) => (c === '0' ? '1' : '0'))}`}), 401, one);
    assert.equal(await statusOf('GET', one, {Authorization: arena.key}), 401, one);
    assert.equal(await statusOf('GET', one, {Origin: 'http://evil.example'}), 403, one);
  }
  await waitFor(game, ({expects}) => expects);
  const move = `${path}/move?ply=0&move=33`;
  assert.equal(await statusOf('POST', move), 403);
  assert.equal(await statusOf('POST', move, {'Plum-Token': game.token.replace(/^./, (c) => (c === '0' ? '1' : '0'))}), 403);
  assert.equal(await statusOf('POST', move, {'Plum-Token': game.tokens[1]}), 422, 'the token of the other side');
  assert.equal(await statusOf('POST', move, {'Plum-Token': game.token, Origin: 'http://evil.example'}), 403);
  assert.equal(await statusOf('POST', move, {'Plum-Token': game.token, Origin: 'null'}), 403);
  assert.equal((await fetch(`${arena.url}api/v1/${move}`, {method: 'POST', headers: {Authorization: `Bearer ${arena.key}`, 'Plum-Token': game.token}})).status, 403, 'no origin');
  assert.equal(await statusOf('GET', move, {'Plum-Token': game.token}), 405);
  assert.equal((await ask('GET', path)).ply_count, 0);
  const statuses = await Promise.all(Array.from({length: 4}, () => statusOf('POST', move, {'Plum-Token': game.token})));
  assert.deepEqual(statuses.sort(), [200, 422, 422, 422], 'the same request again');
  const {plies} = await waitFor(game, ({ply_count: count, expects}) => count === 2 && expects);
  const [legal] = await legalMoves('reversi', plies[1].position);
  assert.equal(await statusOf('POST', `${path}/move?ply=0&move=${legal}`, {'Plum-Token': game.token}), 422, 'a move for an earlier position');
  assert.equal(await statusOf('POST', `${path}/move?ply=2&move=33`, {'Plum-Token': game.token}), 422, 'an illegal move');
  assert.equal(await statusOf('POST', `${path}/bid?colour=0&price=1`, {'Plum-Token': game.token}), 422);
  await act(game, 'stop');
  assert.equal((await waitFor(game, ({running}) => !running)).phase, 'ended');
});

test('bad requests are refused with a sentence', async () => {
  const good = `game=reversi&first=person&second=${agent('random')}`;
  for (const query of ['', 'game=reversi', good.replace('reversi', 'chess'), `${good}&more=1`, good.replace('person', 'engine:11'), good.replace('person', 'agent:0'), good.replace(agent('random'), 'person'), `${good}&timed=2`]) {
    assert.equal(await statusOf('POST', `sessions?${query}`), 400, query);
  }
  assert.equal(await statusOf('POST', `sessions?game=meichu&first=person&second=${agent('tcp')}`), 422);
  assert.equal(await statusOf('GET', 'sessions?game=reversi'), 400);
  assert.equal(await statusOf('GET', 'sessions/999'), 404);
  assert.equal(await statusOf('GET', 'sessions/1x'), 404);
  assert.equal(await statusOf('GET', 'sessions/99999999999999999999'), 404);
  assert.equal((await fetch(`${arena.url}api/v1/sessions?${good}`, {method: 'POST', headers: {Authorization: `Bearer ${arena.key}`, Origin: origin}, body: 'x'})).status, 400);
});

test('programs that fork, hang, flood or leave lose, and no more than four games run', async () => {
  const trouble = ['forks', 'hangs', 'floods', 'leaves'];
  const games = [];
  for (const name of trouble.slice(0, 3)) games.push(await begin('othello', agent(name), agent('random')));
  games.push(await begin('othello', agent('random'), 'person'));
  const answer = await send('POST', `sessions?game=othello&first=person&second=${agent('random')}`);
  assert.equal(answer.status, 503);
  assert.match((await answer.json()).error, /4 games .* are running/);
  // The flood is cut, and is text.
  let log = '';
  while (!log) log = (await ask('GET', `sessions/${games[2].id}/log`)).players[0].stderr;
  assert.match(log, /^<img/);
  assert.ok(log.length < 100000, `${log.length}`);
  await act(games[3], 'stop');
  await waitFor(games[3], ({running}) => !running);
  const last = await begin('othello', agent('leaves'), agent('random'));
  assert.equal((await waitFor(last, ({phase}) => phase === 'over')).result.reason, 'no-start');
  for (const game of games.slice(0, 3)) await act(game, 'stop');
  for (const game of games.slice(0, 3)) await waitFor(game, ({running}) => !running);
});

// The commands of all processes that name a file of an agent.
const programs = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((id) => {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}).filter((command) => command.includes(`${folder}/`));

test('a server that is stopped in the middle of a game leaves no program', async () => {
  const game = await begin('othello', agent('hangs'), 'person');
  const waiting = send('GET', `sessions/${game.id}?after=${(await ask('GET', `sessions/${game.id}`)).version}`).catch(() => null);
  while (!programs().length) await delay(20);
  assert.equal(await closeArena(arena), 0);
  assert.deepEqual(programs(), []);
  await waiting;
});
