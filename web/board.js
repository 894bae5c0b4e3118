// board: any game's board as a labelled grid that can be clicked, dragged on and walked with the
// arrow keys. It draws the text of a position and knows no rules.
import {h, svg, prefersReducedMotion} from './dom.js';
import {gameOf} from './games.js';

const LETTERS = {X: ['man', 'black'], O: ['man', 'white'], '#': ['hole', '']};

const SHAPES = {
  man: () => [
    svg('circle', {cy: 2.5, r: 21, class: 'shade'}), svg('circle', {r: 21, class: 'body'}),
    svg('circle', {r: 13, class: 'ring'}), svg('path', {d: 'M-13-13A18.4 18.4 0 0 1 13-13', class: 'shine'})],
  disc: () => [
    svg('circle', {cy: 2.5, r: 24, class: 'shade'}), svg('circle', {r: 24, class: 'body'}),
    svg('path', {d: 'M-15-14A20.5 20.5 0 0 1 15-14', class: 'shine'})],
};

// The piece on each square: {"23": "X", …}, empty squares as ".".
export function readCells(position) {
  const cells = {};
  position.split(' ')[0].split('/').forEach((row, r) => {
    [...row].forEach((letter, c) => { cells[`${r}${c}`] = letter; });
  });
  return cells;
}

const lettersOf = (game) => ({...LETTERS, ...gameOf(game).letters});

// The letters of the pieces that a position of this game can have.
export const lettersFor = (game) => (Object.keys(gameOf(game).letters).length ? Object.keys(gameOf(game).letters) : ['X', 'O']);

export function pieceOf(game, letter) {
  const known = lettersOf(game)[letter];
  if (!known) return null;
  return {piece: known[0] === 'man' ? gameOf(game).manIs : known[0], side: known[1]};
}

export const letterOf = (game, piece, side) => Object.entries(lettersOf(game)).find(([, known]) => known[0] === piece && known[1] === side)?.[0];

export function drawPiece(game, letter) {
  const known = pieceOf(game, letter);
  const draw = known && (SHAPES[known.piece] || gameOf(game).shapes[known.piece]);
  if (!draw) return null;
  return svg('svg', {class: `piece ${known.piece} ${known.side}`, viewBox: '-30 -30 60 60', 'aria-hidden': 'true'}, draw(svg));
}

const STEP_MS = 190;

export class Board {
  // info: the game as in /api/v1/games. options: onPick(square), onDrop(from, to),
  // onHover(square or null), canDrag(square), label, isSmall.
  constructor(info, options = {}) {
    this.info = info;
    this.options = options;
    this.isFlipped = false;
    this.letters = {};
    this.marks = {};
    this.pointed = [];
    this.elements = {};
    this.focused = `${Math.floor(info.rows / 2)}${Math.floor(info.columns / 2)}`;
    this.grid = h('div', {
      class: 'grid', role: options.isSmall ? 'img' : 'grid', 'aria-label': options.label || `${gameOf(info.name).title} board`,
    });
    this.arrow = svg('svg', {class: 'arrow', viewBox: `0 0 ${info.columns} ${info.rows}`, 'aria-hidden': 'true'});
    this.el = h('div', {class: `board ${gameOf(info.name).theme}${options.isSmall ? ' is-small' : ''}`}, this.grid);
    this.el.style.setProperty('--rows', info.rows);
    this.el.style.setProperty('--columns', info.columns);
    this.build();
    if (!options.isSmall) this.listen();
  }

  squares() {
    const all = [];
    for (let r = 0; r < this.info.rows; r++) {
      for (let c = 0; c < this.info.columns; c++) all.push(`${r}${c}`);
    }
    return this.isFlipped ? all.reverse() : all;
  }

  build() {
    const zones = readCells(this.info.zones);
    const columns = this.info.columns;
    const squares = this.squares();
    const rows = [];
    for (let at = 0; at < squares.length; at += columns) {
      const cells = squares.slice(at, at + columns).map((square) => this.buildCell(square, zones[square]));
      rows.push(h('div', {class: 'row', role: this.options.isSmall ? null : 'row'}, cells));
    }
    this.grid.replaceChildren(...rows);
    this.letters = {};
    if (!this.options.isSmall) this.buildCoordinates();
  }

  buildCell(square, zone) {
    const shade = (Number(square[0]) + Number(square[1])) % 2 ? 'odd' : 'even';
    const region = zone === 'X' ? ' zone-black' : zone === 'O' ? ' zone-white' : '';
    const cell = h('div', {
      class: `cell ${shade}${region}`, role: this.options.isSmall ? null : 'gridcell',
      tabindex: this.options.isSmall ? null : square === this.focused ? '0' : '-1',
    });
    cell.dataset.square = square;
    this.elements[square] = cell;
    return cell;
  }

  buildCoordinates() {
    this.el.querySelectorAll('.coordinates').forEach((old) => old.remove());
    const numbers = (count) => {
      const list = [...Array(count).keys()];
      return (this.isFlipped ? list.reverse() : list).map((number) => h('span', {}, String(number)));
    };
    this.el.prepend(h('div', {class: 'coordinates over', 'aria-hidden': 'true'}, numbers(this.info.columns)),
      h('div', {class: 'coordinates ranks', 'aria-hidden': 'true'}, numbers(this.info.rows)));
  }

  flip() {
    const {position, marks} = this;
    const hadFocus = this.grid.contains(document.activeElement);
    this.isFlipped = !this.isFlipped;
    this.build();
    if (position) this.show(position);
    this.mark(marks);
    this.pointAll(this.pointed);
    if (hadFocus) this.focus();
  }

  // Draws an arrow along these squares, or a ring around a single one; none removes it.
  point(squares = []) { this.pointAll(squares.length ? [{squares}] : []); }

  // The same for several moves: {squares, side, number}; side: the colour of the arrow, number: next to it, both may be left out.
  pointAll(moves) {
    this.pointed = moves;
    const {rows, columns} = this.info;
    const middle = (square) => {
      const [y, x] = [...square].map((digit) => Number(digit) + .5);
      return this.isFlipped ? [columns - x, rows - y] : [x, y];
    };
    this.arrow.replaceChildren(...moves.map(({squares, side, number}) => {
      const points = squares.map(middle);
      return svg('g', {class: side ? `of-${side}` : null}, points.length > 1 ? this.arrowAlong(points) : points.map(([cx, cy]) => svg('circle', {cx, cy, r: .4})), number ? this.numberAt(points, number) : null);
    }));
    if (moves.length) this.el.append(this.arrow);
    else this.arrow.remove();
  }

  // On the first step of an arrow, or in the middle of a ring.
  numberAt([[x, y], [toX, toY] = [x, y]], number) {
    const [cx, cy] = [(x + toX) / 2, (y + toY) / 2];
    return [svg('circle', {cx, cy, r: .19, class: 'number'}), svg('text', {x: cx, y: cy}, String(number))];
  }

  arrowAlong(points) {
    const [[x0, y0], [x, y]] = points.slice(-2);
    const length = Math.hypot(x - x0, y - y0);
    const [dx, dy] = [(x - x0) / length, (y - y0) / length];
    const head = [[x, y], [x - .42 * dx - .24 * dy, y - .42 * dy + .24 * dx], [x - .42 * dx + .24 * dy, y - .42 * dy - .24 * dx]];
    const body = [...points.slice(0, -1), [x - .35 * dx, y - .35 * dy]];
    return [svg('polyline', {points: body.join(' ')}), svg('polygon', {points: head.join(' ')})];
  }

  // Draws a position. move: the text of the move that led here, to be animated.
  show(position, {move = null, isInstant = false} = {}) {
    const after = readCells(position);
    const before = this.letters;
    const changed = Object.keys(after).filter((square) => after[square] !== before[square]);
    const moving = move && changed.length && !isInstant && !prefersReducedMotion() ? move.split('-') : null;
    const ghosts = moving ? this.takeGhosts(changed, before, after, moving) : [];
    this.position = position;
    this.letters = after;
    for (const square of changed) this.drawSquare(square);
    this.describe();
    return moving ? this.animate(moving, before, after, changed, ghosts) : Promise.resolve();
  }

  drawSquare(square) {
    const cell = this.elements[square];
    cell.querySelectorAll('.piece').forEach((old) => old.remove());
    cell.classList.toggle('hole', this.letters[square] === '#');
    const piece = drawPiece(this.info.name, this.letters[square]);
    if (piece) cell.append(piece);
  }

  // Pieces that leave the board stay as pictures until the move has passed them.
  takeGhosts(changed, before, after, path) {
    const leaving = changed.filter((square) => square !== path[0] && before[square] !== '.' &&
      (after[square] === '.' || (square === path.at(-1) && path.length > 1)));
    return leaving.map((square) => [square, drawPiece(this.info.name, before[square])]).filter(([, ghost]) => ghost);
  }

  animate(path, before, after, changed, ghosts) {
    const running = [];
    const last = this.elements[path.at(-1)];
    const piece = last?.querySelector('.piece');
    if (!piece) return Promise.resolve();
    const duration = Math.min(STEP_MS * Math.max(path.length - 1, 1.4), 1400);
    if (path.length > 1) {
      last.classList.add('is-above');
      const frames = path.map((square) => ({transform: this.offset(path.at(-1), square)}));
      const moved = piece.animate(frames, {duration, easing: path.length > 2 ? 'linear' : 'cubic-bezier(.3,.1,.2,1)'});
      running.push(moved.finished.finally(() => last.classList.remove('is-above')));
    } else {
      running.push(piece.animate([{transform: 'scale(.3)', opacity: 0}, {transform: 'scale(1)', opacity: 1}],
        {duration: 180, easing: 'cubic-bezier(.2,1.6,.4,1)'}).finished);
    }
    for (const [square, ghost] of ghosts) running.push(this.fadeGhost(square, ghost, duration));
    for (const square of changed) {
      if (pieceOf(this.info.name, before[square])?.side && pieceOf(this.info.name, after[square])?.side &&
        path.length === 1 && square !== path[0]) running.push(this.turnOver(square, before[square], path[0]));
    }
    return Promise.allSettled(running);
  }

  offset(from, to) {
    const sign = this.isFlipped ? -1 : 1;
    const x = (Number(to[1]) - Number(from[1])) * sign * 100;
    const y = (Number(to[0]) - Number(from[0])) * sign * 100;
    return `translate(${x}%, ${y}%)`;
  }

  fadeGhost(square, ghost, duration) {
    ghost.classList.add('ghost-leaving');
    this.elements[square].append(ghost);
    const fade = ghost.animate([{opacity: 1, transform: 'scale(1)'}, {opacity: 1, transform: 'scale(1)', offset: .55},
      {opacity: 0, transform: 'scale(.4) rotate(25deg)'}], {duration: duration + 160});
    return fade.finished.finally(() => ghost.remove());
  }

  turnOver(square, letter, origin) {
    const now = this.elements[square].querySelector('.piece');
    const old = drawPiece(this.info.name, letter);
    old.classList.add('ghost-leaving');
    this.elements[square].append(old);
    const distance = Math.max(Math.abs(square[0] - origin[0]), Math.abs(square[1] - origin[1]));
    const delay = 70 * distance;
    const away = old.animate([{transform: 'rotateY(0)'}, {transform: 'rotateY(90deg)'}], {duration: 150, delay, fill: 'both'});
    const back = now.animate([{transform: 'rotateY(90deg)'}, {transform: 'rotateY(0)'}], {duration: 150, delay: delay + 150, fill: 'backwards'});
    return Promise.allSettled([away.finished.finally(() => old.remove()), back.finished]);
  }

  // sources, targets: squares to choose from. path: the move being put together. last: squares of
  // the last move. ghosts: {square: letter} that the move would take. badges: {square: text}.
  // hint: squares. own: targets whose own piece goes. wrong: squares of a move that was no good.
  mark(marks) {
    this.marks = marks;
    const has = (name, square) => Boolean(marks[name]?.includes(square));
    for (const [square, cell] of Object.entries(this.elements)) {
      cell.classList.toggle('is-source', has('sources', square));
      cell.classList.toggle('is-target', has('targets', square));
      cell.classList.toggle('is-path', has('path', square));
      cell.classList.toggle('is-here', marks.path?.at(-1) === square);
      cell.classList.toggle('is-last', has('last', square));
      cell.classList.toggle('is-hint', has('hint', square));
      cell.classList.toggle('is-own', has('own', square));
      cell.classList.toggle('is-wrong', has('wrong', square));
      cell.querySelectorAll('.badge, .ghost, .step-number').forEach((old) => old.remove());
      const step = this.stepTo(square);
      if (step > 0) cell.append(h('span', {class: 'step-number', 'aria-hidden': 'true'}, String(step)));
      const hint = this.hintTo(square);
      if (hint > 0) cell.append(h('span', {class: 'step-number of-hint', 'aria-hidden': 'true'}, String(hint)));
      const ghost = marks.ghosts?.[square] && drawPiece(this.info.name, marks.ghosts[square]);
      if (ghost) {
        ghost.classList.add('ghost');
        cell.append(ghost);
      }
      if (marks.badges?.[square]) cell.append(h('span', {class: 'badge', 'aria-hidden': 'true'}, marks.badges[square]));
    }
    this.describe();
  }

  // Which step of the move being put together has come here last: 0 is its start, -1 none.
  stepTo(square) { return this.marks.path?.lastIndexOf(square) ?? -1; }

  // The same for a hint of several steps.
  hintTo(square) { return this.marks.hint?.length > 2 ? this.marks.hint.lastIndexOf(square) : -1; }

  describe() {
    if (this.options.isSmall) return;
    for (const [square, cell] of Object.entries(this.elements)) {
      const known = pieceOf(this.info.name, this.marks.ghosts?.[square] || this.letters[square]);
      const words = [`row ${square[0]} column ${square[1]}`];
      words.push(!known ? 'empty' : known.piece === 'hole' ? 'no square' : `${known.side} ${known.piece}`);
      if (cell.classList.contains('is-here')) words.push('chosen');
      else if (cell.classList.contains('is-target')) words.push('you can go here');
      else if (cell.classList.contains('is-source')) words.push('can move');
      if (this.stepTo(square) > 0) words.push(`${gameOf(this.info.name).chain.one} ${this.stepTo(square)} of this move`);
      else if (cell.classList.contains('is-last')) words.push('of the last move');
      if (cell.classList.contains('is-hint')) words.push(this.hintTo(square) > 0 ? `${gameOf(this.info.name).chain.one} ${this.hintTo(square)} of the hint` : 'hint');
      if (this.marks.ghosts?.[square]) words.push('will be captured');
      if (this.marks.badges?.[square]) words.push(`budget ${this.marks.badges[square]}`);
      cell.setAttribute('aria-label', words.join(', '));
      cell.setAttribute('aria-selected', String(cell.classList.contains('is-path')));
    }
  }

  // Makes this square the one that the Tab key reaches.
  rove(square) {
    this.elements[this.focused].setAttribute('tabindex', '-1');
    this.focused = square;
    this.elements[square].setAttribute('tabindex', '0');
  }

  focus(square = this.focused) {
    this.rove(square);
    this.elements[square].focus();
  }

  squareOf(target) { return target?.closest?.('.cell')?.dataset.square || null; }

  listen() {
    this.grid.addEventListener('keydown', (event) => this.onKey(event));
    this.grid.addEventListener('click', (event) => {
      const square = this.squareOf(event.target);
      if (square && !this.justDragged) this.options.onPick?.(square);
      this.justDragged = false;
    });
    this.grid.addEventListener('pointerover', (event) => {
      if (event.pointerType === 'mouse') this.options.onHover?.(this.squareOf(event.target));
    });
    this.grid.addEventListener('pointerleave', () => this.options.onHover?.(null));
    this.grid.addEventListener('focusin', (event) => {
      const square = this.squareOf(event.target);
      this.rove(square);
      this.options.onHover?.(square);
    });
    this.grid.addEventListener('pointerdown', (event) => this.onPointerDown(event));
  }

  onKey(event) {
    const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    const square = this.squareOf(event.target);
    if (!square) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.options.onPick?.(square);
      return;
    }
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const sign = this.isFlipped ? -1 : 1;
    const row = Math.min(Math.max(Number(square[0]) + step[0] * sign, 0), this.info.rows - 1);
    const column = Math.min(Math.max(Number(square[1]) + step[1] * sign, 0), this.info.columns - 1);
    this.focus(`${row}${column}`);
  }

  onPointerDown(event) {
    const from = this.squareOf(event.target);
    this.justDragged = false;
    if (!from || event.button !== 0 || !this.options.canDrag?.(from)) return;
    const piece = this.elements[from].querySelector('.piece:not(.ghost)');
    if (!piece) return;
    const start = {x: event.clientX, y: event.clientY};
    const size = this.elements[from].getBoundingClientRect();
    let flying = null;
    const move = (next) => {
      if (next.pointerId !== event.pointerId) return;
      const dx = next.clientX - start.x;
      const dy = next.clientY - start.y;
      if (!flying && Math.hypot(dx, dy) > 6) {
        flying = piece.cloneNode(true);
        flying.classList.add('flying');
        Object.assign(flying.style, {left: `${size.left}px`, top: `${size.top}px`, width: `${size.width}px`, height: `${size.height}px`});
        this.el.append(flying);
        piece.classList.add('is-lifted');
        this.options.onLift?.(from);
      }
      if (flying) flying.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const end = (last) => {
      if (last.pointerId !== event.pointerId) return;
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      if (!flying) return;
      flying.remove();
      piece.classList.remove('is-lifted');
      this.justDragged = true;
      setTimeout(() => { this.justDragged = false; }, 50);
      const to = this.squareOf(document.elementFromPoint(last.clientX, last.clientY));
      if (last.type === 'pointerup' && to && to !== from) this.options.onDrop?.(from, to);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

// A picture with marks, see Board.mark, and its description.
export function diagram(info, {position, label, ...marks}) {
  const board = new Board(info, {isSmall: true, label});
  board.show(position);
  board.mark(marks);
  return board.el;
}

// A position without interaction.
export function picture(info, position, label) {
  const board = new Board(info, {isSmall: true, label: label || `${gameOf(info.name).title}: the start`});
  board.show(position);
  return board.el;
}
