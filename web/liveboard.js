// liveboard: the board of one running game. Its moves arrive one by one and are shown one by one.
import {h} from './dom.js';
import {ask} from './engine.js';
import {Board, pieceOf, readCells} from './board.js';
import {OUTCOME_OF, causeText, outcomeText} from './ending.js';
import {PlayerBar} from './players.js';
import {scorePair} from './tables.js';
import {fetchRecord} from './tournaments.js';

// text: "1-0 3--3 all-home", as in an event. A score may be negative.
export function overText(game, text, position = '') {
  const [result, score, reason] = text.split(' ');
  const outcome = OUTCOME_OF[result];
  const [black, white] = score.match(/^(-?\d+)-(-?\d+)$/).slice(1).map(Number);
  return `${outcomeText(outcome)} ${scorePair([black, white])}: ${causeText(game, {outcome, reason, black, white}, position)}`;
}

// For screen readers: "black man on 00 11, white man on 17 26".
function positionWords(game, position) {
  const squares = new Map();
  for (const [square, letter] of Object.entries(readCells(position))) {
    const known = pieceOf(game, letter);
    if (!known?.side) continue;
    const name = `${known.side} ${known.piece}`;
    squares.set(name, [...(squares.get(name) || []), square]);
  }
  return [...squares].sort().map(([name, list]) => `${name} on ${list.join(' ')}`).join(', ');
}

// References follow the teams in the list and are numbered down from 999.
const entrantAt = ({teams, team_count: count}, number) => teams[number < count ? number : count + 999 - number];

export class LiveBoard {
  // since: when the turn began, as momentOf returns it. onLost(): a move was not legal on the board.
  constructor(info, tournament, {game, start, since, onLost}) {
    const [black, white, ...position] = start.split(' ');
    this.info = info;
    this.tournament = tournament.id;
    this.number = game;
    this.onLost = onLost;
    this.position = position.join(' ');
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.names = {black: entrantAt(tournament, black).name, white: entrantAt(tournament, white).name};
    this.board = new Board(info, {isSmall: true});
    this.bars = {black: new PlayerBar(info.name, 'black'), white: new PlayerBar(info.name, 'white')};
    this.used = {black: 0, white: 0};
    this.since = since;
    this.note = h('p', {class: 'live-note'}, `Game ${game}`);
    this.el = h('article', {class: 'live'}, this.bars.white.el, this.board.el, this.bars.black.el, this.note);
    this.board.show(this.position);
    this.showBars();
  }

  get turn() { return this.position.split(' ')[1] === 'b' ? 'black' : 'white'; }

  showBars() {
    for (const side of ['black', 'white']) {
      const isTurn = !this.isOver && this.turn === side;
      this.bars[side].show({player: {kind: 'human', name: this.names[side]}, position: this.position, result: this.result, isTurn});
      this.bars[side].name.title = this.names[side];
      this.bars[side].tick(this.used[side], 0);
    }
    this.board.grid.setAttribute('aria-label', `Game ${this.number}: ${this.names.black} (Black) against ${this.names.white} (White). ${
      this.isOver ? '' : `${this.turn} to move. `}${positionWords(this.info.name, this.position)}`);
  }

  // The clock of the side to move.
  tick() {
    if (!this.isOver) this.bars[this.turn].tick(this.used[this.turn] + performance.now() - this.since, 0);
  }

  // since: when the turn after this move began.
  add(line, since) {
    this.waiting++;
    this.queue = this.queue.then(() => this.play(line, since)).catch(() => this.onLost());
  }

  async play(line, since) {
    const [, side, move, facts = ''] = line.match(/^\d+\. ([bw]) (\S+)(?: \{(.*)\})?/);
    const seconds = Number(facts.match(/(?:^| )t=([\d.]+)/)?.[1] || 0);
    const after = await ask('position', {game: this.info.name, position: this.position, moves: move}).finally(() => { this.waiting--; });
    this.position = after.position;
    this.result = after.result;
    this.used[side === 'b' ? 'black' : 'white'] += seconds * 1000;
    this.since = since;
    const isPath = /^\d/.test(move);
    this.board.mark({last: isPath ? move.split('-') : []});
    // With more moves waiting, only the last one is animated.
    const shown = this.board.show(this.position, {move: isPath && this.waiting < 2 ? move : null});
    this.showBars();
    if (this.waiting < 2) await shown;
  }

  // The last moves may be missing among the events, if they came too fast; the record has them.
  async showLast() {
    const {games: [{plies}]} = await ask('record', {text: await fetchRecord(this.tournament, this.number)});
    const last = plies.at(-1);
    if (!last?.position) return;
    this.position = last.position;
    this.result = (await ask('position', {game: this.info.name, position: last.position})).result;
    this.board.show(last.position);
    this.board.mark({last: /^\d/.test(last.move) ? last.move.split('-') : []});
  }

  end(text) {
    this.isOver = true;
    this.queue = this.queue.then(() => this.showLast()).catch(() => {}).then(() => {
      this.overAt = performance.now();
      this.el.classList.add('is-over');
      this.note.textContent = overText(this.info.name, text, this.position);
      this.showBars();
    });
  }
}
