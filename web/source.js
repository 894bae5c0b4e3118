// source: reads a game to learn from out of a record, a link, or a game played here. Each becomes {game, start,
// plies, closing, names, ended, bids, problem, text, index, titles}; plies end where the record cannot be played on.
import {COLOURS} from './auction.js';
import {OUTCOME_OF} from './ending.js';
import {ask, gameInfo} from './engine.js';
import {tagValue, title, unpackPosition, writeRecord} from './match.js';
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
    bids: bids && (await gameInfo(one.game)).auction ? await bidWords(one.game, bids) : '', problem: one.ok ? '' : one.error, text, index, titles: games.map(titleOf),
  };
}

const LINK_TAGS = {black: 'Black', white: 'White', result: 'Result', score: 'Score', reason: 'Reason'};

// What a link contains about a game apart from its moves.
function tagsOf(query) {
  const known = Object.entries(LINK_TAGS).filter(([name]) => query.get(name));
  return Object.fromEntries(known.map(([name, tag]) => [tag, tagValue(query.get(name))]));
}

export async function fromLink(game, query) {
  const start = query.get('start') && unpackPosition(query.get('start'));
  const moves = (query.get('moves') || '').split('.').filter(Boolean);
  const first = await ask('position', {game, position: start || undefined});
  let side = first.to_move[0];
  const lines = moves.map((move, at) => {
    const line = `${at + 1}. ${side} ${move}`;
    side = side === 'b' ? 'w' : 'b';
    return line;
  });
  const tags = {Game: game, Result: '*', ...(start && {Start: first.position}), ...tagsOf(query)};
  const source = await fromRecord(`${Object.entries(tags).map(([name, value]) => `[${name} "${value}"]\n`).join('')}\n${lines.join('\n')}\n\n`);
  // The user has not seen the lines of this record, and a link has the result only where the board does not show it.
  const isQuiet = source.plies.length === moves.length && !query.get('result');
  const problem = isQuiet ? '' : source.problem.replace(/^line \d+: /, '');
  if (moves.length && !source.plies.length) throw new Error(`This link does not lead to a game: ${problem}`);
  return {...source, problem};
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
