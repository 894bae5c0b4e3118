// puzzleset: the sets of puzzles of the games (tools/lab/puzzles.c makes them), and which of them were solved here.
import {fetchAnswer, onceAnswered} from './server.js';
import {offlineText} from './engine.js';
import {gamesWith} from './games.js';
import {recallObject, remember} from './storage.js';

const SOLVED = 'plum.puzzles';
const DAY_LENGTH_MS = 864e5;

function readPuzzle(line) {
  const [level, kind, , , move, ...position] = line.split(' ');
  return {level: Number(level), kind, move, position: position.join(' ')};
}

const sets = new Map();

// [{level, kind, move, position}], the easiest first.
export function fetchPuzzles(game) {
  if (!sets.has(game)) {
    sets.set(game, onceAnswered(async () => {
      const text = offlineText(`puzzles-${game}`) ?? await (await fetchAnswer(`puzzles/${game}.txt`)).text();
      return text.split('\n').filter((line) => /^\d/.test(line)).map(readPuzzle);
    }));
  }
  return sets.get(game)();
}

export const puzzleLink = (game, number) => `#/learn/puzzle/${game}/${number}`;

const storedPuzzles = () => recallObject(SOLVED, (game, list) => Array.isArray(list));

// Numbers from 1.
export const solvedPuzzles = (game) => (storedPuzzles()[game] || []).filter((number) => Number.isSafeInteger(number) && number > 0);

export function noteSolved(game, number) {
  if (!solvedPuzzles(game).includes(number)) remember(SOLVED, {...storedPuzzles(), [game]: [...solvedPuzzles(game), number]});
}

// The first puzzle after this one that was not solved; of `count` puzzles.
export function nextUnsolved(game, count, after) {
  const solved = solvedPuzzles(game);
  return Array.from({length: count}, (_, at) => (at + after) % count + 1).find((number) => !solved.includes(number)) || after % count + 1;
}

// The same for everyone on one day: another game each day, and no puzzle of a game again before all of its set.
export async function dailyPuzzle(day = Math.floor(Date.now() / DAY_LENGTH_MS)) {
  const games = gamesWith('hasPuzzles');
  const [game] = games[day % games.length];
  const set = await fetchPuzzles(game);
  const stride = [37, 41, 43].find((prime) => set.length % prime) || 1;
  const at = Math.floor(day / games.length) * stride % set.length;
  return {game, number: at + 1, ...set[at]};
}
