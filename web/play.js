// play: opens a game: the one that the address names, the latest one, or one that the user sets up; first its auction.
import {ask, loadRules, prepareEngine, gameInfo, allGames, allLevels} from './engine.js';
import {editorView} from './editor.js';
import {GameView} from './gameview.js';
import {Match, tableLink, unpackPosition} from './match.js';
import {chooseGame, playersOf} from './setup.js';
import {holdAuction} from './auction.js';
import {openRules} from './rules.js';
import {showProblem} from './problem.js';
import {beginSession, knownAgents, takeKey} from './agentlist.js';
import {toast} from './dom.js';

let table = null;
let latestId = ''; // of the game that this tab showed last

// Resolves when the auction of this game has continued in another tab.
function auctionContinuesElsewhere(match, signal) {
  return new Promise((done) => {
    addEventListener('storage', () => {
      const there = Match.find(match.id)?.data;
      if (there && JSON.stringify(there.auction) !== JSON.stringify(match.data.auction)) done(null);
    }, {signal});
  });
}

// Runs the auction, here or in another tab.
async function runAuction(match, info, place) {
  while (match.data.auction && place.isConnected) {
    const {players: {black: first, white: second}, auction, seed} = match.data;
    const listening = new AbortController();
    addEventListener('hashchange', () => place.isConnected || listening.abort(), {signal: listening.signal}); // another page was opened
    const result = await Promise.race([holdAuction(place, info, [first, second], auction.bids, seed, {onBid: () => match.save(), onRules: () => openRules(info.name)}), auctionContinuesElsewhere(match, listening.signal)]);
    listening.abort();
    const there = Match.find(match.id)?.data;
    if (!result || (there && !there.auction)) {
      match.data = there;
    } else {
      Object.assign(match.data, {start: result.position, bids: result.bids, auction: null,
        players: result.colour[0] === 0 ? {black: first, white: second} : {black: second, white: first}});
      match.save();
    }
  }
}

// Whether the board has room for a position; the rules check the rest.
function fits({rows, columns}, position) {
  const lines = position.split(' ')[0].split('/');
  return lines.length === rows && lines.every((line) => line.length === columns);
}

// Why this program cannot show a game, or ''.
function damageOf({game, start, plies, auction}, info) {
  if (!info) return `there is no game called ${game}.`;
  if (auction && !info.auction) return 'its kind of game has no auction.';
  return [start, ...plies.map(({position}) => position)].every((position) => fits(info, position)) ? '' : 'its board has another size.';
}

async function openTable(match, place) {
  const info = (await allGames()).find(({name}) => name === match.data.game);
  const damage = damageOf(match.data, info);
  if (damage) throw match.putAway(damage);
  if (!place.isConnected) return;
  closeTable();
  match.save();
  latestId = match.id;
  history.replaceState(null, '', tableLink(match.data));
  await runAuction(match, info, place);
  if (!place.isConnected) return;
  // A view that is closed saves its game: it is put away after that.
  const onDamage = (why) => {
    closeTable();
    showProblem(place, match.putAway(why));
  };
  table = new GameView(match, info, place, {onSetUp: (wanted) => orToast(startGame(place, wanted)), onBegin: (choice) => orToast(begin(choice, place)), onDamage});
  // A keyboard can begin at once; a finger needs no frame around a square.
  if (!place.contains(document.activeElement) && matchMedia('(hover: hover)').matches) table.board.focus();
  table.go();
  // The engine is large: the first move can be made before it is there.
  loadRules().then(prepareEngine).then(() => table?.refresh()).catch(() => {});
}

// An agent plays on the server, on a page of its own.
async function beginWithAgent(choice) {
  const side = choice.side === 'any' ? (Math.random() < .5 ? 'black' : 'white') : choice.side;
  const agent = `agent:${choice.agent}`;
  const seats = choice.kind === 'agent' ? ['person', agent] : [agent, choice.against === 'engine' ? `engine:${choice.level}` : `agent:${choice.against}`];
  const {auction} = await gameInfo(choice.game);
  location.hash = await beginSession(choice.game, side === 'white' && !auction ? seats.reverse() : seats, Boolean(choice.timed));
}

// For a button of a page that stays open when its task fails.
const orToast = (task) => task.catch((error) => toast(error.message));

const hasAgent = ({kind}) => kind === 'agent' || kind === 'watch';

async function createMatch(choice) {
  const info = await gameInfo(choice.game);
  const auction = info.auction && !choice.position ? {bids: [null, null]} : null;
  Match.tidy();
  const players = playersOf(auction ? {...choice, side: 'black'} : choice);
  return Match.create({game: info.name, start: choice.position || info.start, isSetUp: Boolean(choice.position), players, auction, limitMs: Number(choice.minutes) * 60000});
}

async function begin(choice, place) {
  if (hasAgent(choice)) await beginWithAgent(choice);
  else await openTable(await createMatch(choice), place);
}

async function startGame(place, wanted = {}, notice = '') {
  const choice = await chooseGame(await allGames(), await allLevels(), wanted, notice, await knownAgents());
  if (choice) await begin(choice, place);
  return Boolean(choice);
}

// From another page: the dialog for a new game, whose game is opened by its address.
export const chooseAndBegin = (wanted) => orToast((async () => {
  const choice = await chooseGame(await allGames(), await allLevels(), wanted, '', await knownAgents());
  if (!choice) return;
  if (hasAgent(choice)) {
    await beginWithAgent(choice);
  } else {
    const match = await createMatch(choice);
    match.save();
    location.hash = tableLink(match.data);
  }
})());

function latest() {
  const [first] = Match.running();
  return Match.find(latestId) || (first ? new Match(first) : null);
}

// The settings in a link, or an error with the values that they can have.
function settingsOf(game, query, position) {
  const one = (name, fallback, allowed) => {
    const value = query.get(name) ?? fallback;
    if (!allowed.includes(value)) throw new Error(`This link has ${name}=${value}; the value can be ${allowed.join(', ')}.`);
    return value;
  };
  const strengths = Array.from({length: 10}, (_, at) => String(at + 1));
  const level = one('level', '', strengths);
  return {game, position, level, rival: one('rival', level, strengths), kind: one('kind', 'engine', ['engine', 'people', 'engines']),
    side: one('side', 'black', ['black', 'white', 'any']), minutes: '0'};
}

async function playAsAsked(place, game, query) {
  await gameInfo(game);
  const wanted = query.get('position') && unpackPosition(query.get('position'));
  const position = wanted && (await ask('position', {game, position: wanted})).position;
  if (query.has('level')) {
    await begin(settingsOf(game, query, position), place);
    return true;
  }
  return startGame(place, {game, ...(position && {position})});
}

const WRONG_KEY = 'The key in that address is not the key of this server. For agents, open the address that plum serve printed when it started.';

// Where a dialog that was cancelled leads back to.
const isDialog = (address) => /^#\/play\/(?!table\/|edit\/)/.test(address);

export async function playView(place, [game, id], query, cameFrom) {
  loadRules().catch(() => {}); // the table reports a failure
  if (query.has('key')) history.replaceState(null, '', '#/play/new'); // before the server answers: the page may change meanwhile
  const isForAgents = query.has('key') && await takeKey(query.get('key'));
  const complaint = query.has('key') && !isForAgents ? WRONG_KEY : undefined;
  if (!place.isConnected) return null;
  if (game === 'edit') return editorView(place, id, query);
  let isOpen = true;
  if (game === 'table') {
    const match = Match.find(id);
    if (match) await openTable(match, place);
    else isOpen = await startGame(place, {}, 'That game is not in this browser any more. Here is a new one.');
  } else if (!game && latest()) {
    await openTable(latest(), place);
  } else {
    isOpen = await (!game || game === 'new' ? startGame(place, isForAgents ? {kind: 'agent'} : {}, complaint) : playAsAsked(place, game, query));
  }
  // If the dialog was closed by a change of page, that page stays.
  if (!isOpen && place.isConnected) location.replace(isDialog(cameFrom) ? '#/' : cameFrom || '#/');
  // If the user has left this page, another game may be open already.
  return place.isConnected ? closeTable : null;
}

function closeTable() {
  table?.close();
  table = null;
}
