// puzzles: the page of a puzzle from the set of a game.
import {h, clear, toast} from './dom.js';
import {ask, gameInfo, noReport, prepareEngine, stopThinking, think} from './engine.js';
import {Board} from './board.js';
import {gameOf} from './games.js';
import {Mover} from './mover.js';
import {other, positionLink, title} from './match.js';
import {openRules} from './rules.js';
import {outcomeText} from './ending.js';
import {opinion} from './opinion.js';
import {startsFlipped} from './players.js';
import {sentence} from './server.js';
import {fetchPuzzles, nextUnsolved, noteSolved, puzzleLink, solvedPuzzles} from './puzzleset.js';

const ANSWER_NODES = 25000;

const BETTER = {proved: 'Another move wins.', confirmed: 'Another move is clearly better.'};

const REASONS = {
  proved: 'It is the only move that wins: every other move was solved.',
  confirmed: 'A long search finds every other move clearly worse.',
};

class PuzzleTable {
  constructor(place, info, set, number) {
    this.info = info;
    this.set = set;
    this.number = number;
    this.puzzle = set[number - 1];
    this.side = this.puzzle.position.split(' ')[1] === 'b' ? 'black' : 'white';
    this.board = new Board(info, {
      label: `${gameOf(info.name).title}, a puzzle. Arrow keys move, Enter chooses, Escape takes a step back.`,
      onPick: (square) => this.run(this.mover.pick(square)), onDrop: (from, to) => this.run(this.mover.drop(from, to)),
      onLift: (square) => this.run(this.mover.lift(square)), onHover: (square) => this.mover.hover(square), canDrag: (square) => this.mover.canDrag(square),
    });
    this.mover = new Mover(this.board, {onMove: (move, position, unseen) => this.run(this.onTry(move, position, unseen)), onChange: () => this.offerSteps(), onRefuse: (text) => { this.detail.textContent = text; }});
    if (startsFlipped(info.name, this.side)) this.board.flip();
    this.build(place);
    this.listening = new AbortController();
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.target.closest?.('dialog')) this.run(this.mover.undo());
    }, {signal: this.listening.signal});
  }

  close() {
    this.listening.abort();
    stopThinking();
    this.mover.stop();
  }

  run(task) { return task.catch((error) => toast(error.message)); }

  button(label, onclick, isPrimary = false) { return h('button', {type: 'button', class: isPrimary ? 'primary' : null, onclick}, label); }

  build(place) {
    const {name} = this.info;
    const {level} = this.puzzle;
    this.status = h('p', {class: 'status', role: 'status'});
    this.detail = h('p', {class: 'detail', role: 'status'});
    this.commit = h('div', {class: 'commit'});
    this.solved = h('p', {class: 'soft'});
    this.standing = h('p', {class: 'soft'});
    const near = (label, number) => (this.set[number - 1] ? h('a', {class: 'button', href: puzzleLink(name, number)}, label) : null);
    clear(place, h('div', {class: 'learn puzzle'}, h('section', {class: 'stage', 'aria-label': 'Board'}, this.board.el),
      h('aside', {class: 'panel'}, h('header', {}, h('h1', {class: 'panel-title'}, `${gameOf(name).title}, puzzle ${this.number} of ${this.set.length}`),
        h('p', {class: 'soft'}, `Difficulty ${level} of 10: the lowest level of Plum that solves it`), this.standing),
      h('div', {class: 'prompt'}, this.status, this.detail, this.commit), this.solved,
      h('div', {class: 'actions'}, near(`‹ Puzzle ${this.number - 1}`, this.number - 1), near(`Puzzle ${this.number + 1} ›`, this.number + 1), h('a', {class: 'button', href: positionLink(name, this.puzzle.position)}, 'Play from here'),
        this.button('Flip', () => this.board.flip()), this.button('Rules', () => openRules(name)), h('a', {class: 'button', href: '#/learn'}, 'All puzzles')))));
    this.showSolved();
    this.run(this.showStanding());
  }

  // What the board does not show: budgets, moves used.
  async showStanding() {
    const {status} = await ask('position', {game: this.info.name, position: this.puzzle.position});
    this.standing.textContent = status ? sentence(status) : '';
  }

  showSolved() {
    const solved = solvedPuzzles(this.info.name);
    this.solved.textContent = `${solved.length} of ${this.set.length} solved in this browser${solved.includes(this.number) ? ', this one too' : ''}.`;
  }

  begin() {
    stopThinking();
    this.board.point([]);
    this.board.show(this.puzzle.position, {isInstant: true});
    this.board.mark({});
    this.status.textContent = `${title(this.side)} to move: find the best move.`;
    this.detail.textContent = '';
    clear(this.commit, this.button('Show it', () => this.run(this.reveal())));
    return this.run(this.mover.start(this.info.name, this.puzzle.position));
  }

  // A move of several steps is sent with a button.
  offerSteps() {
    const {canSend, path} = this.mover;
    this.detail.textContent = '';
    clear(this.commit, canSend && path.length > 1 ? this.button('Play this move', () => this.run(this.mover.send()), true) : null,
      path.length > 1 ? this.button('Undo last step', () => this.run(this.mover.undo())) : null, this.button('Show it', () => this.run(this.reveal())));
  }

  async solution() {
    const {move, position} = this.puzzle;
    return (await ask('position', {game: this.info.name, position, moves: move})).position;
  }

  // Another path to the same position is as good.
  async onTry(move, position, unseen) {
    await this.board.show(position, {move: unseen});
    const isRight = position === await this.solution();
    if (this.listening.signal.aborted) return;
    if (isRight) {
      noteSolved(this.info.name, this.number);
      this.showSolved();
      this.board.mark({last: move.split('-')});
      this.finish(`Right: ${move}.`);
    } else {
      this.status.textContent = `Not ${move}.`;
      this.board.mark({wrong: move.split('-')});
      const again = this.button('Try again', () => {
        this.board.focus();
        this.begin();
      }, true);
      clear(this.commit, again, this.button('Show it', () => this.run(this.reveal())));
      again.focus();
      await this.refute(position, again);
    }
  }

  // Why the move was not the best: the reply to it, as an arrow, unless it is the move that is looked for. asker: the button that is there until the user continues.
  async refute(position, asker) {
    const {name} = this.info;
    const {over, result} = await ask('position', {game: name, position});
    if (!asker.isConnected) return;
    if (over) {
      this.detail.textContent = `${outcomeText(result.outcome)}.`;
      return;
    }
    const report = await think({game: name, position, nodes: ANSWER_NODES}).catch(noReport);
    if (!report || !asker.isConnected) return;
    const isHidden = report.move === this.puzzle.move;
    const rival = title(other(this.side));
    this.board.point(/^\d/.test(report.move) && !isHidden ? report.move.split('-') : []);
    this.detail.textContent = `${isHidden ? '' : `${rival} would reply ${report.move}. `}${opinion(name, report.score, rival)}. ${BETTER[this.puzzle.kind] ?? ''}`;
  }

  async reveal() {
    const {move, position} = this.puzzle;
    const after = await this.solution();
    if (this.listening.signal.aborted) return;
    this.mover.stop();
    stopThinking();
    this.board.point([]);
    this.board.show(position, {isInstant: true});
    this.board.mark({last: move.split('-')});
    this.finish(`The move is ${move}.`);
    await this.board.show(after, {move});
  }

  finish(text) {
    this.status.textContent = text;
    this.detail.textContent = REASONS[this.puzzle.kind] ?? '';
    const next = h('a', {class: 'button primary', href: puzzleLink(this.info.name, nextUnsolved(this.info.name, this.set.length, this.number))}, 'Next puzzle');
    clear(this.commit, next);
    next.focus({preventScroll: true});
  }
}

// number: from 1, or 'next': the first that was not solved after the latest solved one.
export async function puzzleView(place, game, number) {
  const [info, set] = await Promise.all([gameInfo(game), fetchPuzzles(game)]);
  const wanted = number === 'next' ? nextUnsolved(game, set.length, solvedPuzzles(game).at(-1) || 0) : Number(number || 1);
  if (!set[wanted - 1]) throw new Error(`There is no puzzle ${number} of ${gameOf(game).title}; the last is ${set.length}.`);
  if (!place.isConnected) return null;
  if (number === 'next') history.replaceState(null, '', puzzleLink(game, wanted));
  const table = new PuzzleTable(place, info, set, wanted);
  if (matchMedia('(hover: hover)').matches) table.board.focus();
  table.begin().then(prepareEngine);
  return () => table.close();
}
