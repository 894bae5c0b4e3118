// refusal: explains in a short sentence why a square cannot be chosen. The rules decide; this only compares their answers, and asks
// again with the largest budget where money may be the reason.
import {ask} from './engine.js';
import {pieceOf, readCells} from './board.js';
import {gameOf} from './games.js';
import {title} from './match.js';

const MAX_BUDGET = 999; // the most that a position can hold

const withFullBudget = (position) => position.split(' ').map((part, at) => (at < 2 ? part : MAX_BUDGET)).join(' ');

// Whether nothing but money is in the way.
async function isTooDear(game, position, path, square) {
  if (!gameOf(game).hasBudgets) return false;
  const {next} = await ask('next', {game, position: withFullBudget(position), path: path.join('-') || undefined});
  return next.some((way) => way.square === square);
}

async function startingWords(game, position, piece, square) {
  const mine = position.split(' ')[1] === 'b' ? 'black' : 'white';
  if (!piece) return `Square ${square} is empty. Choose a piece of ${title(mine)}.`;
  if (piece.side !== mine) return `The ${piece.piece} on ${square} is ${title(piece.side)}'s. ${title(mine)} moves.`;
  if (gameOf(game).fixed.includes(piece.piece)) return `A ${piece.piece} does not move.`;
  return await isTooDear(game, position, [], square) ? `There is too little money to move the ${piece.piece} on ${square}.` : `The ${piece.piece} on ${square} cannot move.`;
}

// The moves of several steps that begin with this path and end there, as lists of squares.
export async function chainsTo(game, position, path, square) {
  const {moves} = await ask('position', {game, position});
  return moves.filter((move) => move.startsWith(`${path.join('-')}-`) && move.endsWith(`-${square}`)).map((move) => move.split('-'));
}

async function goingWords(game, position, path, square) {
  const from = path.at(-1);
  const {noWay} = gameOf(game);
  if (path.length > 1) return noWay(from, square, {isChain: true});
  if (await isTooDear(game, position, path, square)) return `There is too little money to go from ${from} to ${square}.`;
  const isLonger = (await chainsTo(game, position, path, square)).length > 0;
  return noWay(from, square, {isLonger});
}

// path: the squares that are chosen already.
export async function refusalText(game, position, path, square) {
  const piece = pieceOf(game, readCells(position)[square]);
  const {noPlace} = gameOf(game);
  if (noPlace) return noPlace(piece, square);
  return path.length ? goingWords(game, position, path, square) : startingWords(game, position, piece, square);
}
