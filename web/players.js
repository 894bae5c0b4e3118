// players: the bar above or below a board, with a player's name, pieces and time.
import {h} from './dom.js';
import {drawPiece, letterOf, readCells} from './board.js';
import {gameOf} from './games.js';
import {playerName, title} from './match.js';
import {costText} from './mover.js';

export function clockText(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

const counted = (number, one, many) => [number, number === 1 ? one : many];

// The pieces and other holdings of a side: pairs of a number and a word.
export function holdings(game, position, side, result) {
  const cells = Object.values(readCells(position));
  const count = (letter) => cells.filter((cell) => cell === letter).length;
  return gameOf(game).holdings({count: (piece) => count(letterOf(game, piece, side)), counted, position, side, result});
}

export const startsFlipped = (game, viewer) => viewer === 'white' && Boolean(gameOf(game).isFlippedForWhite);

// Puts the bars above and below the board: the viewer's own below, until the board is turned over.
export function placeBars(bars, board, viewer) {
  const isTurned = board.isFlipped !== startsFlipped(board.info.name, viewer);
  const [below, above] = (viewer === 'white') === isTurned ? [bars.black, bars.white] : [bars.white, bars.black];
  board.el.before(above.el);
  board.el.after(below.el);
}

export class PlayerBar {
  constructor(game, side) {
    this.game = game;
    this.side = side;
    this.name = h('span', {class: 'player-name'});
    this.facts = h('span', {class: 'player-facts'});
    this.label = h('span', {class: 'soft'}, ` ${title(side)}`);
    this.clock = h('span', {class: 'clock', role: 'timer', 'aria-label': `${title(side)}'s clock`});
    this.budget = h('div', {class: 'budget'});
    const letter = letterOf(game, gameOf(game).token, side);
    this.el = h('div', {class: `player ${side}`}, h('span', {class: 'player-piece', 'aria-hidden': 'true'}, drawPiece(game, letter)),
      h('div', {class: 'player-words'}, h('div', {}, this.name, this.label), this.facts), this.budget, this.clock);
  }

  // cost: of the move that is being chosen; spent: of the one that was played.
  show({player, position, result, isTurn, cost = null, spent = null}) {
    this.name.textContent = playerName(player);
    this.label.hidden = playerName(player) === title(this.side);
    this.el.classList.toggle('is-turn', isTurn);
    this.facts.replaceChildren(...holdings(this.game, position, this.side, result)
      .map(([number, what]) => h('span', {}, h('b', {}, String(number)), ` ${what}`)));
    if (gameOf(this.game).hasBudgets) this.showBudget(Number(position.split(' ')[this.side === 'black' ? 2 : 3]), cost, spent);
  }

  showBudget(budget, cost, spent) {
    const after = cost === null ? budget : budget - cost;
    const bar = h('div', {class: 'budget-bar', 'aria-hidden': 'true'}, h('i'), h('u'));
    bar.firstChild.style.width = `${Math.min(Math.min(after, budget) / 1.5, 100)}%`;
    bar.lastChild.style.width = `${Math.min(Math.abs(budget - after) / 1.5, 100)}%`;
    bar.lastChild.className = cost !== null && cost < 0 ? 'gain' : 'loss';
    this.budget.replaceChildren(h('div', {class: 'budget-words'}, h('span', {class: 'soft'}, 'budget '), h('b', {}, String(budget)),
      cost === null && spent === null ? null : h('span', {class: 'budget-cost'}, ` ${costText(cost ?? spent)}`)), bar);
  }

  tick(ms, limitMs) {
    this.clock.textContent = clockText(limitMs ? Math.max(limitMs - ms, 0) : ms);
    this.clock.classList.toggle('is-low', Boolean(limitMs) && limitMs - ms < 20000);
  }
}
