// refusal: why a square that was chosen is no choice, in a short sentence. The rules say what can be done; this
// only compares, and asks them once more with a full purse where money may be the reason.
import {ask} from './engine.js';
import {pieceOf, readCells} from './board.js';
import {title} from './match.js';

const PURSE = 999; // the most that a position can hold

const isPlaced = (game) => game === 'reversi' || game === 'othello';

const withFullPurse = (position) => position.split(' ').map((part, at) => (at < 2 ? part : PURSE)).join(' ');

function placingWords(game, piece, square) {
  if (piece?.piece === 'hole') return 'The corners are no squares here.';
  if (piece) return `There is a disc on ${square} already.`;
  return `A disc on ${square} would turn nothing over${game === 'reversi' ? '; on the border it has to' : ''}.`;
}

// Whether nothing but money is in the way.
async function isTooDear(game, position, path, square) {
  if (game !== 'meichu') return false;
  const {next} = await ask('next', {game, position: withFullPurse(position), path: path.join('-') || undefined});
  return next.some((way) => way.square === square);
}

async function startingWords(game, position, piece, square) {
  const mine = position.split(' ')[1] === 'b' ? 'black' : 'white';
  if (!piece) return `Nothing stands on ${square}. Choose a piece of ${title(mine)}.`;
  if (piece.side !== mine) return `The ${piece.piece} on ${square} is ${title(piece.side)}'s. ${title(mine)} moves.`;
  if (piece.piece === 'flag' || piece.piece === 'barrier') return `A ${piece.piece} does not move.`;
  return await isTooDear(game, position, [], square) ? `There is too little money to move the ${piece.piece} on ${square}.` : `The ${piece.piece} on ${square} cannot move.`;
}

// Hop: the moves that begin with this path and end there, as lists of squares.
export async function chainsTo(game, position, path, square) {
  if (!game.startsWith('hop')) return [];
  const {moves} = await ask('position', {game, position});
  return moves.filter((move) => move.startsWith(`${path.join('-')}-`) && move.endsWith(`-${square}`)).map((move) => move.split('-'));
}

async function goingWords(game, position, path, square) {
  const from = path.at(-1);
  if (path.length > 1) return `No hop leads from ${from} to ${square}.`;
  if (await isTooDear(game, position, path, square)) return `There is too little money to go from ${from} to ${square}.`;
  if ((await chainsTo(game, position, path, square)).length) return `No single step or hop leads from ${from} to ${square}: hop there one by one.`;
  const way = game === 'meichu' ? 'A soldier runs straight, until something is in its way.' : 'A man steps straight to the next square, or hops straight over one man.';
  return `From ${from} there is no way to ${square}. ${way}`;
}

// path: the squares that are chosen already.
export async function refusalText(game, position, path, square) {
  const piece = pieceOf(game, readCells(position)[square]);
  if (isPlaced(game)) return placingWords(game, piece, square);
  return path.length ? goingWords(game, position, path, square) : startingWords(game, position, piece, square);
}
