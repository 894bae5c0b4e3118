// match: a game between users and engines: players, moves and result. It is stored in the browser under its own number, so that
// neither a reload nor another game changes it, and can be written as a game record.
import {ask} from './engine.js';
import {isKept, recallList, remember} from './storage.js';
import {isLevel, noteResult} from './tally.js';

const RUNNING = 'plum.running';
const FINISHED = 'plum.finished';
const KEEP = 40;
const KEEP_UNBEGUN = 10;

// A game with a move or a bid is worth keeping.
export const isBegun = ({plies, bids, auction}) => Boolean(plies.length || bids || auction?.bids?.some(Boolean));

const WORDS = {black: '1-0', white: '0-1', draw: '1/2-1/2', 'both-lost': '0-0'};

// --- What a stored game must have, so that every page can show it. The rules check its positions and moves. ---

const isText = (value) => typeof value === 'string';
const isSide = (value) => value === 'black' || value === 'white';
const isPlayer = (one) => (one?.kind === 'engine' ? isLevel(one.level) : one?.kind === 'human' && isText(one.name ?? ''));
const isPly = (one) => isSide(one?.side) && isText(one.move) && isText(one.position) && Number.isFinite(one.ms);
const isBid = (one) => one === null || ((one?.colour === 0 || one?.colour === 1) && Number.isInteger(one.price));
const isAuction = ({bids}) => Array.isArray(bids) && bids.length === 2 && bids.every(isBid);
const isEnd = ({outcome, black, white, reason, how}) => Object.hasOwn(WORDS, outcome) && Number.isInteger(black) && Number.isInteger(white) && isText(reason) && isText(how);

const isGame = (data) => Boolean(data && isText(data.game) && isText(data.start) && Number.isSafeInteger(data.seed) && data.seed >= 0 && isText(data.date)
  && isText(data.bids ?? '') && isPlayer(data.players?.black) && isPlayer(data.players.white) && Array.isArray(data.plies) && data.plies.every(isPly)
  && Number.isFinite(data.limitMs) && Number.isFinite(data.spentMs) && (!data.auction || isAuction(data.auction)) && (!data.ended || isEnd(data.ended)));

const storedGames = (key) => recallList(key, (data) => isGame(data) && (key === RUNNING || Boolean(data.ended)));

export const other = (side) => (side === 'black' ? 'white' : 'black');
export const title = (side) => (side === 'black' ? 'Black' : 'White');

// The squares of a move; a pass has none.
export const squaresOf = (move) => (/^\d/.test(move) ? move.split('-') : []);

export function playerName(player) {
  if (player.kind === 'engine') return `Plum, level ${player.level}`;
  return player.name || 'You';
}

export class Match {
  // data: {game, start, bids, players: {black, white}, plies, limitMs, spentMs, seed, ended, isFlipped, isPaused, isSetUp}. While the
  // colours are still for sale there is also auction: {bids}, and players are in bidding order.
  constructor(data) {
    this.data = data;
  }

  // isSetUp: it begins with a position that was set up.
  static create({game, start, players, limitMs = 0, auction = null, isSetUp = false}) {
    return new Match({
      game, start, isSetUp, auction, bids: null, players, limitMs, spentMs: 0, plies: [], ended: null,
      seed: Math.floor(Math.random() * 2 ** 40), date: new Date().toISOString().slice(0, 10),
    });
  }

  // Of the games that were opened and left again the newest are kept: another tab, or a step back, may still lead there.
  static tidy() {
    for (const data of Match.running().filter((one) => !isBegun(one)).slice(KEEP_UNBEGUN - 1)) new Match(data).forget();
  }

  static running() { return storedGames(RUNNING); }
  static finished() { return storedGames(FINISHED); }

  static find(id) {
    const data = [...Match.running(), ...Match.finished()].find(({seed}) => String(seed) === id);
    return data ? new Match(data) : null;
  }

  get id() { return String(this.data.seed); }

  save() { this.store(this.data.ended ? FINISHED : RUNNING); }

  forget() { this.store(null); }

  // For a game that cannot be shown; returns the error that reports it.
  putAway(why) {
    this.forget();
    return new Error(`The game that was kept here is damaged and was put away: ${why}`);
  }

  store(where) {
    for (const key of [RUNNING, FINISHED]) {
      const all = storedGames(key);
      const list = all.filter(({seed}) => seed !== this.data.seed);
      if (key === where) list.unshift(this.data);
      if (key === where || list.length < all.length) remember(key, list.slice(0, KEEP));
    }
  }

  // Whether it is still there after a reload.
  get isKept() { return isKept(this.data.ended ? FINISHED : RUNNING); }

  get position() { return this.data.plies.at(-1)?.position || this.data.start; }
  get toMove() { return this.position.split(' ')[1] === 'b' ? 'black' : 'white'; }
  get mover() { return this.data.players[this.toMove]; }
  get lastMove() { return this.data.plies.at(-1)?.move || ''; }
  get lastSquares() { return squaresOf(this.lastMove); }

  // The position after so many moves, and the squares of the last of them; null: of all moves.
  at(ply) {
    const {move = '', position = this.data.start} = this.data.plies.at(ply === null ? -1 : ply - 1) ?? {};
    return ply === 0 ? {position: this.data.start, lastSquares: []} : {position, lastSquares: squaresOf(move)};
  }

  usedMs(side) {
    return this.data.plies.reduce((sum, ply) => sum + (ply.side === side ? ply.ms : 0), 0);
  }

  add(move, position, ms, thought = null) {
    this.data.plies.push({side: this.toMove, move, position, ms: Math.round(ms), ...thought});
    this.data.spentMs = 0;
    this.save();
  }

  // The ply that was the last free choice of a person, or -1.
  get lastChoice() {
    const {plies, players} = this.data;
    return plies.findLastIndex(({side, move}) => players[side].kind === 'human' && move !== 'pass');
  }

  get canTakeBack() { return this.lastChoice >= 0 || this.data.ended?.how === 'resigned'; }

  // Returns to the last free choice, see canTakeBack. A resignation is also a choice.
  takeBack() {
    if (this.data.ended?.how !== 'resigned') this.data.plies.length = this.lastChoice;
    this.data.spentMs = 0;
    this.data.ended = null;
    noteResult(this.data);
    this.save();
  }

  // result: of the rules. loser: the side that resigned or ran out of time, or null.
  end(result, loser = null, how = '') {
    const {black, white} = result;
    const score = {black, white};
    if (loser) score[other(loser)] = Math.max(score[other(loser)], score[loser] + 1);
    const outcome = loser ? other(loser) : result.outcome;
    this.data.ended = {outcome, ...score, reason: how || result.reason, how};
    noteResult(this.data);
    this.save();
  }

  async record() { return writeRecord(this.data); }

  // first: where games of this kind usually begin. you: the side of the reader, or null.
  link(first, you = null) {
    const {players: {black, white}, bids, date} = this.data;
    return gameLink({...this.data, names: {black: playerName(black), white: playerName(white)}, tags: {Bids: bids, Date: date}, you}, first);
  }
}

const TAG_LETTERS = 60;

// Characters that change the direction of the text around them.
const TURNS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A text from anywhere as the value of a tag: on one line, from left to right, without quotes, and not long.
export const tagValue = (text) => [...text.replace(TURNS, '').replace(/["\\]/g, "'").replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, TAG_LETTERS).join('');

export function resultTags(ended) {
  if (!ended) return {Result: '*'};
  const {outcome, black, white, reason, how} = ended;
  return {Result: WORDS[outcome], ...(Number.isInteger(black) && {Score: `${black}-${white}`}), Reason: how || reason};
}

// The time of a turn: of one that was played here, or as a record has it.
const msOf = ({ms, time_ns: ns}) => ms ?? ns / 1e6;

const scoreFact = (score) => `s=${score < 0 ? '-' : '+'}${(Math.abs(score) / 100).toFixed(2)}`;

// To the millisecond, or exactly where that is not enough.
const timeFact = (ms) => `t=${(ms / 1000).toFixed(9).replace(/0{1,6}$/, '')}`;

// " {t=0.431 d=14}" with `open` " {"; '' where nothing is known.
function factsText(turn, open) {
  const {depth, score, nodes, fault} = turn;
  const ms = msOf(turn);
  const facts = [ms >= 0 && timeFact(ms), depth && `d=${depth}`, Number.isInteger(score) && scoreFact(score), nodes && `n=${nodes}`, fault && `fault=${fault}`].filter(Boolean);
  return facts.length ? `${open}${facts.join(' ')}}` : '';
}

// A game as text, as `plum replay` reads it. tags: values by name, those without a value are left out; closing: the turn that it ended in, or null.
export function recordText(tags, plies, closing) {
  const heads = Object.entries(tags).filter(([, value]) => value).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]\n`);
  const lines = plies.map((ply, at) => `${at + 1}. ${ply.side[0]} ${ply.move}${factsText(ply, ' {')}\n`);
  const last = closing ? `${factsText(closing, `{${closing.side[0]} `) || `{${closing.side[0]}}`}\n` : '';
  return `${heads.join('')}\n${lines.join('')}${last}\n`;
}

export async function writeRecord({game, date, players: {black, white}, ended, bids, start, plies}) {
  const isUsual = bids || start === (await ask('position', {game})).position;
  return recordText({Game: game, Date: date, Black: tagValue(playerName(black)), White: tagValue(playerName(white)), ...resultTags(ended),
    Bids: bids, Start: isUsual ? '' : start}, plies, null);
}

// --- Links. An address cannot contain the spaces and '#' of a position. ---

export const packPosition = (position) => position.replaceAll(' ', '_').replaceAll('#', '*');
export const unpackPosition = (text) => text.replaceAll('_', ' ').replaceAll('*', '#');

export const tableLink = (data) => `#/play/table/${data.seed}`;
export const reviewLink = (data) => `#/learn/mine/${data.seed}`;
export const editLink = (game, position) => `#/play/edit/${game}${position ? `?position=${packPosition(position)}` : ''}`;
export const positionLink = (game, position) => `#/play/${game}?position=${packPosition(position)}`;

// The fields of a link that are tags of its record.
export const LINK_TAGS = {black: 'Black', white: 'White', date: 'Date', bids: 'Bids', late: 'LateLimit', result: 'Result', score: 'Score', reason: 'Reason'};

// A link has the times in milliseconds, and the faults with their turns: times=431..61400, faults=2-late. A turn after the last move is the one that the
// game ended in. you: the side of the reader, or null; for every other reader the one called 'You' here is a player.
export function gameLink({game, start, plies, closing, names, ended, tags, you}, first) {
  const turns = [...plies, ...(closing ? [closing] : [])];
  const parts = [`moves=${plies.map(({move}) => move).join('.')}`];
  const values = {...tags, ...(names && {Black: names.black, White: names.white}), ...(ended && resultTags(ended))};
  const times = turns.map((turn) => (msOf(turn) >= 0 ? Math.round(msOf(turn)) : ''));
  const faults = turns.flatMap(({fault}, at) => (fault ? [`${at + 1}-${fault}`] : []));
  if (start !== first && !values.Bids) parts.push(`start=${packPosition(start)}`);
  if (times.some((ms) => ms !== '')) parts.push(`times=${times.join('.')}`);
  if (faults.length) parts.push(`faults=${faults.join('.')}`);
  if (you) parts.push(`you=${you}`);
  for (const [name, tag] of Object.entries(LINK_TAGS)) {
    if (values[tag] && values[tag] !== '*') parts.push(`${name}=${encodeURIComponent(tagValue(values[tag] === 'You' && !you ? 'Player' : values[tag]))}`);
  }
  return `#/learn/${game}?${parts.join('&')}`;
}

export const absolute = (link) => location.href.split('#')[0] + link;
