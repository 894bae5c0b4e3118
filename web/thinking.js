// thinking: the engine searches a position, and each depth is shown at once.
import {h, clear, tableOf} from './dom.js';
import {ask, allGames, gameInfo, think, stopThinking, noReport} from './engine.js';
import {firstGame, gameOf} from './games.js';
import {editLink, squaresOf, title, unpackPosition} from './match.js';
import {countText, lineOf, scoreText} from './opinion.js';
import {playground} from './playground.js';
import {gameTabs} from './rules.js';

const LOOK_MS = 10000;

const DRAWN = 4; // moves of the line that the board shows

const perSecond = ({nodes, time_ms: ms}) => (ms ? countText(Math.round(nodes / ms * 1000)) : '');

class Thought {
  constructor(info) {
    this.info = info;
    this.status = h('p', {class: 'status', role: 'status'});
    this.button = h('button', {type: 'button', onclick: () => (this.isThinking ? stopThinking() : this.look())}, 'Stop');
    this.edit = h('a', {class: 'button'}, 'Edit the position');
    this.table = tableOf(['Depth', 'Positions', 'Per second', 'Score', 'What it expects'], [], 'Depth by depth');
    this.table.classList.add('thoughts');
    this.rows = this.table.querySelector('tbody');
  }

  // There is a new position on the board: the search of the previous one is stopped.
  meet(board, facts) {
    if (!board.el.isConnected) return;
    stopThinking();
    board.point();
    this.board = board;
    this.facts = facts;
    this.edit.setAttribute('href', editLink(this.info.name, facts.position));
    this.look();
  }

  async look() {
    const {facts} = this;
    clear(this.rows);
    this.best = '';
    if (facts.over) return this.showStatus('The game is over.', false);
    this.showStatus(`${title(facts.to_move)} to move. Plum is looking …`, true);
    const report = await think({game: this.info.name, position: facts.position, time_ms: LOOK_MS}, (found) => this.show(found)).catch(noReport);
    if (facts !== this.facts) return undefined;
    const best = report?.move ?? this.best;
    return this.showStatus(best ? `${title(facts.to_move)} should play ${best}${report?.exact ? ': that is exact' : ''}.` : 'Nothing found yet.', false);
  }

  showStatus(text, isThinking) {
    this.isThinking = isThinking;
    this.status.textContent = text;
    this.button.textContent = isThinking ? 'Stop' : 'Look again';
    this.button.disabled = this.facts.over;
  }

  // The line on the board, as numbered arrows.
  draw(line) {
    const sides = this.facts.to_move === 'black' ? ['black', 'white'] : ['white', 'black'];
    this.board.pointAll(line.map((move, at) => ({squares: squaresOf(move), side: sides[at % 2], number: at + 1})).filter(({squares}) => squares.length).reverse());
  }

  show(report) {
    this.best = report.move;
    this.rows.prepend(h('tr', {}, h('td', {}, h('b', {}, String(report.depth))), [countText(report.nodes), perSecond(report), scoreText(report.score)].map((cell) => h('td', {}, cell)),
      h('td', {class: 'line'}, lineOf(report.line))));
    this.draw(report.line.slice(0, DRAWN));
  }
}

const explanation = (name) => h('article', {class: 'words'},
  h('h2', {}, 'One move deeper each time'), h('p', {}, 'It looks one move ahead, then two, then three: a line of the table for each depth, the latest on top. The board shows the first moves of the latest line as numbered arrows in the colour of the side that moves. Every round says which moves to try first in the next one, and when the time is up the last round decides.'),
  h('h2', {}, 'Most of it is skipped'), h('p', {}, 'As soon as one answer shows that a move is bad, its other answers need no look. The better the guesses, the more is skipped: at best, all but the square root of what there is. A position that was reached before, in another order of moves, is looked up.'),
  h('h2', {}, 'It judges by what games have taught it'), h('p', {}, `Where a line ends, Plum adds up weights for ${gameOf(name).facts}. The weights were fitted to games that it played against itself. The score is the sum, for the side to move; in the end phase, where a line reaches the end of the game, it is exact.`),
  h('p', {}, h('a', {class: 'button', href: `#/play/${name}`}, `Play ${gameOf(name).title}`)));

export async function thinkingView(place, [name = firstGame()], query) {
  const [games, info] = await Promise.all([allGames(), gameInfo(name)]);
  const wanted = query.get('position') ? unpackPosition(query.get('position')) : gameOf(name).sample || info.start;
  const {position} = await ask('position', {game: name, position: wanted});
  if (!place.isConnected) return null;
  const thought = new Thought(info);
  const board = playground(info, position, 'move for either side, and Plum looks again.', (...turn) => thought.meet(...turn));
  clear(place, gameTabs(games, 'engine', name), h('div', {class: 'learn'}, h('section', {class: 'stage', 'aria-label': 'Board'}, board), h('div', {class: 'panel'}, h('h1', {class: 'panel-title'}, 'How Plum thinks'),
    h('div', {}, thought.status, h('div', {class: 'commit'}, thought.button, thought.edit)), thought.table, explanation(name))));
  return stopThinking;
}
