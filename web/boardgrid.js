// boardgrid: the boards of the running games. Each keeps its place until its result was shown for a while; then the next game gets the
// place.
import {h, clear} from './dom.js';

const LINGER_MS = 3000;
const FRAME_EM = 9.2; // of a live board on the big screen without its squares; as in style.css
const EM_PER_BOARD = 18;
const GAP_PX = 16;

// The largest size of `count` boards on a screen, and how many of them are then in a row.
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

export class BoardGrid {
  constructor(isScreen) {
    this.el = h('div', {class: 'live-boards', 'aria-label': 'Running games', role: 'region'});
    this.places = [];
    this.isScreen = isScreen;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.el);
  }

  fit() {
    if (this.isScreen && this.places.length) this.fitScreen();
    for (const {board} of this.places) board.fitNames();
  }

  fitScreen() {
    // These are rounded, up as well as down.
    const width = this.el.clientWidth - 1;
    const {across, size, em} = fitBoards(this.places.length, width, this.el.clientHeight - 1);
    this.el.style.setProperty('--across', across);
    this.el.style.setProperty('--size', `${size}px`);
    this.el.style.setProperty('--em', `${em}px`);
    this.setSpare(`${width - across * size - GAP_PX * (across - 1)}px`);
  }

  // The width that the boards leave free, for the standings; null: all of it.
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

  // A place whose game is over, and that no other game is waiting for; the oldest result first.
  placeFor({number}) {
    const again = this.places.find(({board}) => board.number === number);
    if (again) return again;
    const free = this.places.filter(({board, next}) => board.isOver && (!next || next.isOver));
    return free.sort((one, two) => (one.board.overAt ?? Infinity) - (two.board.overAt ?? Infinity))[0];
  }

  // A game that starts again has no result to show.
  change(place) {
    const {board, next} = place;
    if (!next || (board.number !== next.number && !this.isSeen(board))) return;
    board.el.replaceWith(next.el);
    place.board = next;
    place.next = null;
    this.fit();
  }

  isSeen(board) {
    return board.isOver && performance.now() - board.overAt >= LINGER_MS;
  }

  // Whether every result was shown and no game is running.
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
