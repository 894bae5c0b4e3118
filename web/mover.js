// mover: builds a move square by square, for any game. The rules give the next squares and the position after each. A move that is
// complete is sent by itself if it is one step or one placement; a chain waits, and every step can be taken back until it is sent.
import {ask} from './engine.js';
import {pieceOf, readCells} from './board.js';
import {gameOf} from './games.js';
import {chainsTo, refusalText} from './refusal.js';

// What a move changes in the budget of the side to move; null where positions have no budgets.
export function costOf(game, before, after) {
  if (!gameOf(game).hasBudgets) return null;
  const [, side, ...budgets] = before.split(' ');
  const mine = side === 'b' ? 0 : 1;
  return Number(budgets[mine]) - Number(after.split(' ')[2 + mine]);
}

const LONGEST_PLAIN = 2;

export const costText = (cost) => (cost > 0 ? `−${cost}` : cost < 0 ? `+${-cost}` : '0');

export class Mover {
  // onMove(text, position, unseen): unseen is the part of the move that the board has not shown yet,
  // '' for none. onChange(): the path has changed. onRefuse(text): why a square cannot be chosen.
  constructor(board, {onMove, onChange = () => {}, onRefuse}) {
    this.board = board;
    this.onMove = onMove;
    this.onChange = onChange;
    this.onRefuse = onRefuse;
    this.queue = Promise.resolve();
    this.turn = 0;
    this.stop();
  }

  // base: the position; last: squares of the move before, to be marked.
  start(game, base, last = []) {
    Object.assign(this, {game, base, last, path: [], starts: [], isOn: true});
    this.turn++;
    return this.inTurn(() => this.look());
  }

  stop() {
    this.isOn = false;
    this.path = [];
    this.next = [];
    this.hint = [];
    this.canSend = false;
    this.turn++;
  }

  // A user can be faster than the rules: each action waits for the previous one, and is dropped if the position has changed since.
  inTurn(action) {
    const {turn} = this;
    const done = this.queue.then(() => (this.isOn && turn === this.turn ? action() : undefined));
    this.queue = done.catch(() => {});
    return done;
  }

  async look() {
    const {turn} = this;
    this.canSend = false;
    const answer = await ask('next', {game: this.game, position: this.base, path: this.path.join('-') || undefined});
    if (turn !== this.turn) return;
    this.next = answer.next;
    this.canSend = answer.is_move;
    this.after = answer.position;
    if (answer.is_move && !answer.next.length && this.path.length <= LONGEST_PLAIN) {
      this.finish();
      return;
    }
    if (!this.path.length) this.starts = answer.next.map(({square}) => square);
    this.draw();
  }

  draw() {
    const squares = this.next.map(({square}) => square);
    const isChoosing = this.path.length > 0;
    const placing = !isChoosing && this.next.some(({position}) => position);
    const marks = {last: this.last, path: this.path, hint: this.hint};
    if (placing) marks.targets = squares;
    else if (isChoosing) Object.assign(marks, {targets: squares, sources: this.path.length === 1 ? this.starts : [], badges: this.costs(), own: this.own(squares)});
    else marks.sources = squares;
    if (this.path.length > 1) marks.ghosts = this.taken(this.after);
    this.board.show(this.path.length > 1 ? this.after : this.base, {isInstant: true});
    this.board.mark(marks);
    this.onChange();
  }

  // Pieces of the side to move that it can break itself.
  own(squares) {
    const cells = readCells(this.base);
    const side = pieceOf(this.game, cells[this.path[0]])?.side;
    return squares.filter((square) => pieceOf(this.game, cells[square])?.side === side);
  }

  costs() {
    const badges = {};
    for (const {square, position} of this.next) {
      const cost = position && costOf(this.game, this.base, position);
      if (cost !== null && cost !== undefined) badges[square] = costText(cost);
    }
    return badges;
  }

  // Pieces of the other side that are gone after the path.
  taken(position) {
    const before = readCells(this.base);
    const after = readCells(position);
    const gone = {};
    for (const square of Object.keys(before)) {
      if (before[square] !== '.' && after[square] === '.' && square !== this.path[0]) gone[square] = before[square];
    }
    return gone;
  }

  // Marks the squares of a hint until a move is made.
  advise(squares) {
    this.hint = squares;
    this.board.mark({...this.board.marks, hint: squares});
  }

  hover(square) {
    if (!this.base) return;
    const target = this.isOn && this.next.find((way) => way.square === square && way.position);
    const before = readCells(this.base);
    const hint = [];
    if (target) {
      const after = readCells(target.position);
      for (const name of Object.keys(before)) {
        if (before[name] !== '.' && after[name] !== before[name] && !this.path.includes(name) && name !== square) hint.push(name);
      }
    }
    for (const [name, cell] of Object.entries(this.board.elements)) cell.classList.toggle('is-touched', hint.includes(name));
  }

  canDrag(square) {
    return this.isOn && (this.path.at(-1) === square || (this.path.length < 2 && this.starts.includes(square)));
  }

  // --- Actions of the user. ---

  pick(square) { return this.inTurn(() => this.choose(square)); }

  lift(square) { return this.inTurn(() => this.take(square)); }

  drop(from, to) { return this.inTurn(() => this.put(from, to)); }

  undo() { return this.inTurn(() => this.stepBack()); }

  send() { return this.inTurn(() => this.finish()); }

  async choose(square) {
    this.hover(null);
    const isNext = this.next.some((way) => way.square === square);
    if (isNext) {
      this.path.push(square);
    } else if (this.path.at(-1) === square && this.canSend) {
      this.finish();
      return;
    } else if (this.path.length === 1 && this.starts.includes(square)) {
      this.path = this.path[0] === square ? [] : [square];
    } else {
      await this.refuse(square);
      return;
    }
    await this.look();
  }

  // A man that was chosen is put down; a chain stays as it is.
  async refuse(square) {
    const {path, turn} = this;
    if (path.length === 1) {
      this.path = [];
      await this.look();
      if (turn !== this.turn) return;
    }
    const text = await refusalText(this.game, this.base, path, square);
    if (turn === this.turn) this.onRefuse(text);
  }

  async take(square) {
    if (this.path.at(-1) === square || !this.starts.includes(square)) return;
    this.path = [square];
    await this.look();
  }

  // The squares of the one chain that leads there, where no single step does; else null.
  async onlyChainTo(square) {
    if (this.next.some((way) => way.square === square)) return null;
    const chains = await chainsTo(this.game, this.base, this.path, square);
    return chains.length === 1 ? chains[0] : null;
  }

  async put(from, to) {
    const {turn} = this;
    await this.take(from);
    if (turn !== this.turn || this.path.at(-1) !== from) return;
    const chain = await this.onlyChainTo(to);
    if (turn !== this.turn) return;
    if (chain) {
      this.path = chain;
      await this.look();
      return;
    }
    this.isDropped = true;
    await this.choose(to).finally(() => { this.isDropped = false; });
  }

  async stepBack() {
    if (!this.path.length) return;
    this.path.pop();
    await this.look();
  }

  finish() {
    if (!this.canSend) return;
    const text = this.path.join('-');
    const unseen = this.isDropped ? '' : this.path.slice(-2).join('-');
    const {after} = this;
    this.stop();
    this.board.mark({last: this.last});
    this.onMove(text, after, unseen);
  }
}
