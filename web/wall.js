// wall: the boards of the running games. Each keeps its place until its result was seen; then the
// next game takes it.
import {h, clear} from './dom.js';

const LINGER_MS = 3000;
const FRAME_EM = 7.2; // of a live board on the big screen without its squares; as in style.css
const EM_PER_BOARD = 18;
const GAP_PX = 16;

// The most pixels a board can have when so many share a screen, and how many then stand side by side.
export function fitBoards(count, width, height) {
  const fit = {across: 1, size: 0, em: 0};
  for (let across = 1; across <= count; across++) {
    const rows = Math.ceil(count / across);
    const room = (height - GAP_PX * (rows - 1)) / rows;
    const wide = (width - GAP_PX * (across - 1)) / across;
    const wished = Math.min(wide, room / (1 + FRAME_EM / EM_PER_BOARD)) / EM_PER_BOARD;
    const em = Math.min(Math.max(wished, 11), 28);
    const size = Math.floor(Math.min(wide, room - FRAME_EM * em));
    if (size > fit.size) Object.assign(fit, {across, size, em});
  }
  return fit;
}

export class Wall {
  constructor(isScreen) {
    this.el = h('div', {class: 'live-boards', 'aria-label': 'Running games', role: 'region'});
    this.places = [];
    if (!isScreen) return;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.el);
  }

  fit() {
    if (!this.observer || !this.places.length) return;
    // These are rounded, up as well as down.
    const width = this.el.clientWidth - 1;
    const {across, size, em} = fitBoards(this.places.length, width, this.el.clientHeight - 1);
    this.el.style.setProperty('--across', across);
    this.el.style.setProperty('--size', `${size}px`);
    this.el.style.setProperty('--em', `${em}px`);
    this.setSpare(`${width - across * size - GAP_PX * (across - 1)}px`);
  }

  // What the boards leave free beside them, for the standings; null: all of it.
  setSpare(width) {
    this.el.closest('.watch')?.style.setProperty('--spare', width);
  }

  clear(...instead) {
    this.places = [];
    this.setSpare(null);
    clear(this.el, ...instead);
  }

  find(number) {
    return this.places.flatMap(({board, next}) => (next ? [board, next] : [board])).find((board) => board.number === number);
  }

  start(board) {
    const place = this.placeFor(board);
    if (place) {
      place.next = board;
      this.change(place);
      return;
    }
    if (!this.places.length) clear(this.el);
    this.places.push({board, next: null});
    this.el.append(board.el);
    this.fit();
  }

  // One whose game is over, and that no other game is waiting for; the oldest result goes first.
  placeFor({number}) {
    const again = this.places.find(({board}) => board.number === number);
    if (again) return again;
    const free = this.places.filter(({board, next}) => board.isOver && (!next || next.isOver));
    return free.sort((one, two) => (one.board.overAt ?? Infinity) - (two.board.overAt ?? Infinity))[0];
  }

  // An unfinished game that begins again has no result to be seen.
  change(place) {
    const {board, next} = place;
    if (!next || (board.number !== next.number && !this.isSeen(board))) return;
    board.el.replaceWith(next.el);
    place.board = next;
    place.next = null;
  }

  isSeen(board) {
    return board.isOver && performance.now() - board.overAt >= LINGER_MS;
  }

  // Whether every result was seen and no game goes on.
  isSettled() {
    return this.places.every(({board, next}) => this.isSeen(board) && !next);
  }

  tick(isRunning) {
    this.el.classList.toggle('is-idle', !isRunning);
    for (const place of this.places) {
      this.change(place);
      if (isRunning) place.board.tick();
    }
  }

  close() {
    this.observer?.disconnect();
  }
}
