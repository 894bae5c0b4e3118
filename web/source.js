// source: reads a game to learn from out of a record, a link, or a game played here. Each becomes {game, start,
// plies, closing, names, ended, tags, bids, problem, record, text, index, titles}; plies end where the record cannot be played on.
// text: where it was read, perhaps with other games; record: this game, as `plum replay` confirms it if there is no problem.
import {COLOURS} from './auction.js';
import {OUTCOME_OF} from './ending.js';
import {ask, gameInfo} from './engine.js';
import {LINK_TAGS, recordText, resultTags, tagValue, title, unpackPosition, writeRecord} from './match.js';
import {fetchRecord, fetchTournament} from './tournaments.js';

const titleOf = ({tags}, at) => `${at + 1}. ${tags.Black || 'Black'} – ${tags.White || 'White'} ${tags.Result || ''}`;

// A result in the tags that the board does not show: a resignation, or a loss by a fault.
function endOf({ok, tags}) {
  const outcome = OUTCOME_OF[tags.Result];
  if (!ok || !outcome) return null;
  const [, black, white] = (tags.Score || '').match(/^(-?\d+)-(-?\d+)$/) || [];
  return {outcome, black: Number(black), white: Number(white), reason: tags.Reason};
}

// text: "0 40, 0 25", colour and price by player. The result of the auction gives the colour of each player.
async function bidWords(game, text) {
  const bids = text.split(', ').slice(0, 2).map((bid) => bid.split(' ').map(Number));
  const {colour} = await ask('auction', {game, bids: text});
  return bids.map(([wanted, price], at) => `${COLOURS[colour[at]]} bid ${price} for ${COLOURS[wanted]}`).join(', ');
}

export async function fromRecord(text, index = 0) {
  const {games} = await ask('record', {text});
  const one = games[index];
  if (!one?.start) throw new Error(one?.error || 'There is no game in this text.');
  const plies = one.plies.filter((ply) => ply.position);
  const last = await ask('position', {game: one.game, position: plies.at(-1)?.position || one.start});
  const {Black: black, White: white, Bids: bids} = one.tags;
  return {
    game: one.game, start: one.start, plies, closing: plies.length === one.plies.length ? one.closing : null, names: black || white ? {black: black || title('black'), white: white || title('white')} : null, isOver: last.over, ended: last.over ? last.result : endOf(one),
    bids: bids && (await gameInfo(one.game)).auction ? await bidWords(one.game, bids) : '', problem: one.ok ? '' : one.error, tags: one.tags, record: recordText(one.tags, one.plies, one.closing), text, index, titles: games.map(titleOf),
  };
}

// What a link contains about a game apart from its moves.
function tagsOf(query) {
  const known = Object.entries(LINK_TAGS).filter(([name]) => query.get(name));
  return Object.fromEntries(known.map(([name, tag]) => [tag, tagValue(query.get(name))]));
}

// The turns of a link, and the closing one; side: of the first.
function turnsOf(query, side) {
  const list = (name) => (query.get(name) || '').split('.');
  const moves = list('moves').filter(Boolean);
  const times = query.get('times') ? list('times') : [];
  const faults = new Map(list('faults').map((fault) => fault.split('-')).map(([number, ...words]) => [Number(number) - 1, words.join('-')]));
  const count = Math.max(moves.length, Math.min(Math.max(times.length, ...[...faults.keys()].map((at) => at + 1)), moves.length + 1));
  const sides = side === 'black' ? ['black', 'white'] : ['white', 'black'];
  const turns = Array.from({length: count}, (none, at) => ({side: sides[at % 2], move: moves[at], ms: /^\d+$/.test(times[at]) ? Number(times[at]) : undefined, fault: faults.get(at)}));
  return {plies: turns.slice(0, moves.length), closing: turns[moves.length] || null};
}

export async function fromLink(game, query) {
  const start = query.get('start') && unpackPosition(query.get('start'));
  const first = await ask('position', {game, position: start || undefined});
  const {plies, closing} = turnsOf(query, first.to_move);
  const tags = {Game: game, Result: '*', ...(start && {Start: first.position}), ...tagsOf(query)};
  const read = (more) => fromRecord(recordText({...tags, ...more}, plies, closing));
  let source = await read();
  if (source.isOver && !query.get('result')) source = await read(resultTags(source.ended)); // links had it only where the board does not show it
  const problem = source.problem.replace(/^line \d+: /, ''); // the user has not seen the lines of this record
  if (plies.length && !source.plies.length) throw new Error(`This link does not lead to a game: ${problem}`);
  const you = ['black', 'white'].find((side) => side === query.get('you'));
  return {...source, ...(you && {people: [you], you}), problem};
}

export async function fromMatch(data) {
  const people = ['black', 'white'].filter((side) => data.players[side].kind === 'human');
  return {...await fromRecord(await writeRecord(data)), people, ended: data.ended};
}

const REMARKS = {
  annulled: 'This game was annulled: it does not count.',
  planned: 'This result was set aside: the game will be played again.',
  running: 'This result was set aside: the game is being played again.',
};

// A record does not contain later decisions about its game.
export async function fromTournament(id, number) {
  const [text, {games}] = await Promise.all([fetchRecord(id, number), fetchTournament(id)]);
  return {...await fromRecord(text), remark: REMARKS[games[number - 1]?.status], address: `#/learn/tournament/${id}/${number}`};
}
