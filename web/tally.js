// tally: a person's results against the engine, by game and level. The browser keeps them longer than the games.
import {recallList, remember} from './storage.js';

const RESULTS = 'plum.results';
const KEEP_RESULTS = 2000;

export const isLevel = (value) => Number.isInteger(value) && value >= 1 && value <= 10;

// A result is [number of the game, game, level, 'won' | 'drawn' | 'lost'].
const isResult = (one) => Array.isArray(one) && typeof one[1] === 'string' && isLevel(one[2]) && ['won', 'drawn', 'lost'].includes(one[3]);

const storedResults = () => recallList(RESULTS, isResult);

// data: of a Match. Only a whole game of one person against the engine counts. A game that continues after its end, because a move was
// taken back, no longer counts.
export function noteResult({seed, game, players, ended, isSetUp}) {
  const side = ['black', 'white'].find((one) => players[one].kind === 'human');
  const engine = Object.values(players).find(({kind}) => kind === 'engine');
  if (!side || !engine || isSetUp) return;
  const list = storedResults().filter(([number]) => number !== seed);
  if (ended) list.push([seed, game, engine.level, ended.outcome === 'draw' ? 'drawn' : ended.outcome === side ? 'won' : 'lost']);
  remember(RESULTS, list.slice(-KEEP_RESULTS));
}

// [{game, level, won, drawn, lost}], by game and level.
export function results() {
  const rows = new Map();
  for (const [, game, level, outcome] of storedResults()) {
    const key = `${game} ${String(level).padStart(2, '0')}`;
    if (!rows.has(key)) rows.set(key, {game, level, won: 0, drawn: 0, lost: 0});
    rows.get(key)[outcome]++;
  }
  return [...rows.keys()].sort().map((key) => rows.get(key));
}
