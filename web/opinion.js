// opinion: the engine's evaluation, in words and on a scale.
import {h} from './dom.js';
import {gameOf} from './games.js';

const WIN = 30000;
const WIN_BOUND = WIN - 128;

// Black's score when the game is over, as the engine counts it.
export function finalScore(game, {outcome, black}) {
  if (gameOf(game).score === 'difference') return 100 * black;
  return {black: WIN, white: -WIN, draw: 0}[outcome];
}

// -1 … 1: how good a score (hundredths, for one side) is for that side.
export const worth = (game, score) => Math.tanh(score / gameOf(game).scale);

// Whether a score is a win or a loss in a known number of moves.
export const isWin = (score) => Math.abs(score) > WIN_BOUND;

// "Black is better by about 1.2 men", or exactly "Black wins by 12 discs"; score is for `side`.
export function opinion(game, score, side, isExact = false) {
  const better = score >= 0 ? side : side === 'Black' ? 'White' : 'Black';
  const size = Math.abs(score);
  if (isWin(score)) return `${better} wins in ${WIN - size} ${WIN - size === 1 ? 'move' : 'moves'}`;
  if (isExact && size === 0) return 'A draw with best play';
  if (isExact && gameOf(game).score === 'difference') return `${better} wins by ${size / 100} ${gameOf(game).unit}`;
  if (size < 25) return 'About even';
  return `${better} is better by about ${(size / 100).toFixed(1)} ${gameOf(game).unit}`;
}

export function scoreText(score) {
  const size = Math.abs(score);
  if (isWin(score)) return `a ${score > 0 ? 'win' : 'loss'} in ${WIN - size} ${WIN - size === 1 ? 'move' : 'moves'}`;
  const text = (size / 100).toFixed(1);
  return text === '0.0' ? text : `${score < 0 ? '−' : '+'}${text}`;
}

// A line of moves that breaks between moves, not inside.
export const lineOf = (moves, count = 8) => moves.slice(0, count).map((move) => [h('span', {}, move), ' ']);

export function countText(nodes) {
  if (nodes < 1000) return String(nodes);
  return nodes < 1e6 ? `${(nodes / 1000).toFixed(0)}k` : `${(nodes / 1e6).toFixed(1)}M`;
}
