// turntext: sentences about the turn: what the user is asked to do, and the title of the tab.
import {outcomeText} from './ending.js';
import {gameOf} from './games.js';
import {other, playerName, title} from './match.js';

const DEFAULT_NAME = /^(You|Player [12])$/;

// The name of a side in a sentence: 'You' and 'Plum' where one person plays, else the colour, with the name where it tells the sides apart.
function nameOf({data}, side, person) {
  const player = data.players[side];
  if (person && side === person) return 'You';
  if (person) return player.kind === 'agent' ? player.name : 'Plum';
  const isPlain = player.kind === 'engine' ? data.players[other(side)].kind === 'engine' : DEFAULT_NAME.test(player.name);
  return isPlain ? title(side) : `${player.kind === 'engine' ? 'Plum' : player.name} (${title(side)})`;
}

// "You win!", "Plum wins", "Ada (White) wins", "A draw".
export function winnerWords(match, person) {
  const {outcome} = match.data.ended;
  if (!match.data.players[outcome]) return outcomeText(outcome);
  return person === outcome ? 'You win!' : `${nameOf(match, outcome, person)} wins`;
}

const deed = (move) => ({pass: 'had to pass', skip: 'lost a turn'}[move] || `played ${move}`);

function lastWords(match, person) {
  const name = nameOf(match, other(match.toMove), person);
  if (!match.lastMove) return '';
  return `${name} ${deed(match.lastMove)}. `;
}

function viewedWords({data}, viewed) {
  if (viewed === 0) return 'The start of the game.';
  const {side, move} = data.plies[viewed - 1];
  return `Move ${viewed} of ${data.plies.length}: ${title(side)} ${deed(move)}.`;
}

// The part of a chain that is chosen already.
function chainWords(mover, chain) {
  const taken = Object.keys(mover.after ? mover.taken(mover.after) : {}).length;
  const steps = mover.path.length - 1;
  return [`${steps} ${steps === 1 ? chain.one : chain.many} so far${taken ? `, ${taken} captured` : ''}.`,
    `${mover.next.length ? chain.more : chain.last} the move, with the button or its last square once more.`];
}

// [status, detail]. person: the side of the only person, or null. viewed: see GameView. advice: a hint that is shown.
export function turnWords(match, {person, isHuman, mustPass, mover, viewed, isPaused, advice}) {
  const {chain, choose, hasBudgets} = gameOf(match.data.game);
  const name = nameOf(match, match.toMove, person);
  const to = person ? '' : `${name}: `;
  const sentence = (text) => `${to}${to ? text : text[0].toUpperCase() + text.slice(1)}`;
  const said = lastWords(match, person);
  if (viewed !== null) return [viewedWords(match, viewed), ''];
  if (match.data.ended) return ['', ''];
  if (isPaused) return ['Paused.', ''];
  if (!isHuman) return [person ? `${said}${name} is thinking …` : `${said}${title(match.toMove)}: ${playerName(match.mover)} is thinking …`, ''];
  if (mustPass) return [`${said}${name} ${person ? 'have' : 'has'} no move and must pass.`, ''];
  if (mover.path.length > 1) {
    const [status, detail] = chainWords(mover, chain);
    return [sentence(status), detail];
  }
  if (mover.path.length) return [sentence('choose where to go.'), advice || (hasBudgets ? 'The numbers show what each move does to the budget.' : '')];
  return [`${said}${person ? 'Your move' : `${name} to move`}: ${choose}.`, advice];
}

export function pageTitle(match, person) {
  const {ended} = match.data;
  const turn = match.mover.kind !== 'human' ? (person ? nameOf(match, match.toMove, person) : title(match.toMove)) : '';
  const words = ended ? winnerWords(match, person) : turn ? `${turn} is thinking` : person ? 'Your move' : `${nameOf(match, match.toMove, person)} to move`;
  return `${words} · ${gameOf(match.data.game).title} · Plum`;
}
